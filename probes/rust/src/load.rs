//! What is busy beside the sleeps, inside the runtime.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a task computes before it lets others run.
const TURN: Duration = Duration::from_micros(200);

/// Computes for a turn.
pub(crate) fn turn() {
    let until = Instant::now() + TURN;
    while Instant::now() < until {
        black_box(until);
    }
}

/// Threads that compute while they are told to.
pub(crate) struct Threads(Arc<AtomicBool>);

impl Threads {
    /// Starts so many, idle.
    pub(crate) fn new(count: u16) -> Self {
        let busy = Arc::new(AtomicBool::new(false));
        for _ in 0..count {
            let busy = Arc::clone(&busy);
            thread::spawn(move || {
                loop {
                    if busy.load(Ordering::Relaxed) { turn() } else { thread::park_timeout(TURN) }
                }
            });
        }
        Self(busy)
    }

    /// Makes them busy, or idle.
    pub(crate) fn set(&self, busy: bool) {
        self.0.store(busy, Ordering::Relaxed);
    }
}
