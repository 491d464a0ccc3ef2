//! Busy tasks and threads beside the sleeps, inside the runtime.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time for which a task computes before it lets others run.
const TURN: Duration = Duration::from_micros(200);

/// Computes for a turn.
pub(crate) fn turn() {
    let until = Instant::now() + TURN;
    while Instant::now() < until {
        black_box(until);
    }
}

/// Threads that can be made to compute.
pub(crate) struct Threads(Arc<AtomicBool>);

impl Threads {
    /// Starts this many threads, idle at first.
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

    /// Makes the threads busy or idle.
    pub(crate) fn set(&self, busy: bool) {
        self.0.store(busy, Ordering::Relaxed);
    }
}
