//! A loop of sixty frames a second, as the repository's README shows it.

use oversleep::{Period, Ticker};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sixty = Period::of("60Hz".parse()?)?;
    for frame in Ticker::new(sixty).take(600) {
        if frame.missed > 0 {
            println!("{} frames left out, frame {} was {}", frame.missed, frame.index, frame.lateness);
        }
        // … draw …
    }
    Ok(())
}
