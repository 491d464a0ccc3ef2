//! Reading of a probe's output line by line, within limits.

use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Largest length of a line, in bytes; rows are far shorter.
const LONGEST: u64 = 4_096;
/// Number of lines that may wait to be read. A program that prints more has to wait.
const WAITING: usize = 4_096;
/// Number of bytes kept of standard error.
const LAST_WORDS: usize = 2_000;

/// One line of output with the time at which it came, or the end of readable output.
#[derive(Debug)]
pub(super) enum OutputLine {
    Line {
        text: String,
        at: Nanos,
    },
    /// A line is longer than any row.
    TooLong,
    /// A line is not UTF-8 text, or the output cannot be read.
    Unreadable,
    /// The last line has no line end; this is what there is of it.
    Cut(String),
}

/// Reads lines on another thread; the channel closes when they end.
pub(super) fn lines(out: impl Read + Send + 'static) -> Receiver<OutputLine> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || read(BufReader::new(out), |line| sender.send(line).is_ok()));
    receiver
}

/// Reads lines until they end or `more` returns false.
pub(super) fn read(mut out: impl BufRead, mut accept: impl FnMut(OutputLine) -> bool) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut out).take(LONGEST).read_until(b'\n', &mut line);
        let next = match read {
            Ok(0) => return,
            Err(_) => OutputLine::Unreadable,
            Ok(_) if line.last() == Some(&b'\n') => {
                let at = monotonic();
                match std::str::from_utf8(&line) {
                    Ok(text) => OutputLine::Line { text: text.trim_end_matches(['\n', '\r']).to_owned(), at },
                    Err(_) => OutputLine::Unreadable,
                }
            }
            Ok(length) if length as u64 == LONGEST => OutputLine::TooLong,
            Ok(_) => OutputLine::Cut(String::from_utf8_lossy(&line).into_owned()),
        };
        let over = !matches!(next, OutputLine::Line { .. });
        if !accept(next) || over {
            return;
        }
    }
}

/// The last bytes that a probe wrote to standard error.
#[derive(Debug, Clone, Default)]
pub(super) struct StderrTail(Arc<Mutex<Vec<u8>>>);

impl StderrTail {
    /// Reads standard error on another thread.
    pub(super) fn read_from(mut error: impl Read + Send + 'static) -> Self {
        let words = Self::default();
        let bytes = words.clone();
        thread::spawn(move || {
            let mut part = [0; 1_024];
            while let Ok(length @ 1..) = error.read(&mut part) {
                if let Ok(mut bytes) = bytes.0.lock() {
                    bytes.extend_from_slice(&part[..length]);
                    let surplus = bytes.len().saturating_sub(LAST_WORDS);
                    bytes.drain(..surplus);
                }
            }
        });
        words
    }

    /// Returns the last line that is not empty.
    pub(super) fn line(&self) -> Option<String> {
        let bytes = self.0.lock().ok()?;
        let text = String::from_utf8_lossy(&bytes);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &'static [u8]) -> Vec<OutputLine> {
        lines(bytes).into_iter().collect()
    }

    static LONG: [u8; 100_000] = [b'x'; 100_000];

    #[test]
    fn lines_come_whole_and_what_is_none_is_told() {
        let read = all(b"one\r\ntwo\nthr");
        let text =
            |line: &OutputLine| if let OutputLine::Line { text, .. } = line { text.clone() } else { String::new() };
        assert_eq!(read.iter().map(text).collect::<Vec<_>>(), ["one", "two", ""]);
        assert!(matches!(&read[2], OutputLine::Cut(text) if text == "thr"));
        assert!(matches!(all(b"\xff\n")[..], [OutputLine::Unreadable]));
        assert!(matches!(all(&LONG)[..], [OutputLine::TooLong]));
        assert!(all(b"").is_empty());
    }
}
