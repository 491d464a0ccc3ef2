//! Sleeps of 5 ms on tokio's timer, in one thread.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The wall clock in ns: the standard library shows no other as a number.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let count: usize = words[2].parse().unwrap();
    let mut log = String::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        for _ in 0..count {
            let start = now();
            tokio::time::sleep(Duration::from_millis(5)).await;
            writeln!(log, "5000000,{start},{}", now()).unwrap();
        }
    });
    std::fs::write(&words[1], log).unwrap();
}
