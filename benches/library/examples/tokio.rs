//! A ticker on a thread of its own wakes a task of an asynchronous runtime, as the crate's README shows it.

use oversleep::{Hertz, Period, Tick, Ticker};
use std::ops::ControlFlow;
use tokio::sync::mpsc;

fn ticks(period: Period) -> mpsc::Receiver<Tick> {
    // A channel of one: a task that falls behind sees the latest tick it had room for, not a backlog.
    let (send, receive) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut ticker = Ticker::new(period);
        ticker.run(|tick| match send.try_send(tick) {
            // The task is gone: so is the thread.
            Err(mpsc::error::TrySendError::Closed(_)) => ControlFlow::Break(()),
            Ok(()) | Err(mpsc::error::TrySendError::Full(_)) => ControlFlow::Continue(()),
        })
    });
    receive
}

#[tokio::main]
async fn main() {
    let mut ticks = ticks(Period::of(Hertz::new(1_000, 1).unwrap()).unwrap());
    while let Some(tick) = ticks.recv().await {
        println!("tick {} was {}", tick.index, tick.lateness);
        if tick.index >= 9 {
            break;
        }
    }
}
