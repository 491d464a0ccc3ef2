//! A loop of sixty frames a second, as the repository's README shows it.

use oversleep::Ticker;

fn main() {
    for frame in Ticker::hz(60).take(60) {
        if frame.missed > 0 {
            println!("{} frames left out, frame {} was {}", frame.missed, frame.index, frame.lateness);
        }
        // … draw …
    }
}
