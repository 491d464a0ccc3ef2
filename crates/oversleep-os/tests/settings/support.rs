//! Separate threads for tests that change the settings of their thread.

use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Runs a test on a new thread, so that its changes do not affect the next one.
pub(crate) fn alone<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    thread::spawn(test).join().unwrap_or_else(|cause| panic::resume_unwind(cause))
}

/// Returns a lock for tests that change or read what belongs to the process or the machine, one at a time.
pub(crate) fn machine_wide() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
