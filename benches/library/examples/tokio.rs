//! The example of the crate's README: ticks in a task of an asynchronous runtime.

use oversleep::{Hertz, Period, Ticker};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let period = Period::of(Hertz::new(1_000, 1).unwrap()).unwrap();
    let mut ticks = Ticker::new(period).into_stream()?;
    while let Some(tick) = ticks.next().await {
        println!("tick {} was {}", tick.index, tick.lateness);
        if tick.index >= 9 {
            break;
        }
    }
    Ok(())
}
