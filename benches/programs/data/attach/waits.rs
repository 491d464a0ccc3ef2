//! A thread that sleeps for 5 ms, and one that waits 6 ms for a message that does not come.

use std::fmt::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The wall clock in ns: the standard library shows no other as a number.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()
}

fn rounds(path: String, count: usize, asked: u64, wait: impl Fn(Duration)) {
    let mut log = String::new();
    for _ in 0..count {
        let start = now();
        wait(Duration::from_nanos(asked));
        writeln!(log, "{asked},{start},{}", now()).unwrap();
    }
    std::fs::write(path, log).unwrap();
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let count = words[2].parse().unwrap();
    let path = |name: &str| format!("{}/{name}.log", words[1]);
    let named = |name: &str| thread::Builder::new().name(name.to_owned());
    let sleeps = path("rs-sleep");
    let sleeps = named("rs-sleep").spawn(move || rounds(sleeps, count, 5_000_000, thread::sleep)).unwrap();
    let messages = path("rs-channel");
    let (sender, receiver) = mpsc::channel::<()>();
    let wait = move |asked| _ = receiver.recv_timeout(asked);
    let messages = named("rs-channel").spawn(move || rounds(messages, count, 6_000_000, wait)).unwrap();
    sleeps.join().unwrap();
    messages.join().unwrap();
    drop(sender);
}
