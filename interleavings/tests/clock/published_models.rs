//! One thread reads the published line while another replaces it.

use super::mapping::Line;
use super::published::Published;
use super::timeline::LinePair;
use loom::sync::Arc;

/// In every interleaving of one writer and one reader, the reader sees one complete state or nothing.
#[test]
fn a_reader_never_sees_half_a_change() {
    loom::model(|| {
        let lines = |value| {
            let line = |value| Line { start: value, value, slope: 1 << 40 };
            LinePair::new(line(value), line(value + 10), value + 20)
        };
        let published = Arc::new(Published::new());
        published.write(&lines(10));
        let writer = {
            let published = Arc::clone(&published);
            loom::thread::spawn(move || published.write(&lines(15)))
        };
        // Both lines give the same time for a counter that is on both.
        assert!(published.at(17).is_none_or(|ns| ns == 17));
        writer.join().unwrap();
        assert_eq!((published.at(12), published.at(17), published.at(26)), (None, Some(17), None));
    });
}
