//! The example of the crate's README: ticks in a task of an asynchronous runtime.

use oversleep::Ticker;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut ticks = Ticker::hz(1_000).into_stream()?;
    while let Some(tick) = ticks.next().await {
        println!("tick {} was {}", tick.index, tick.lateness);
        if tick.index >= 9 {
            break;
        }
    }
    Ok(())
}
