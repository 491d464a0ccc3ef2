//! The guarantees of every sleep method of this platform, tested on the real system.
//!
//! No test checks how late a sleep is. Tests run one at a time, because signals, descriptors and `setitimer` belong to
//! the whole process, and a watchdog ends the program if a sleep never returns.
#![allow(unsafe_code)]

mod agreement;
#[cfg(unix)]
mod interruption;
#[cfg(target_os = "linux")]
mod leaks;
mod promise;
#[cfg(target_os = "linux")]
mod refusal;
mod threads;
mod watchdog;

use oversleep_os::method::{self, Waiter};
use oversleep_recording::catalog::MethodId;
use std::sync::{Mutex, MutexGuard};

/// Lets only one test run at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Opens the method, or prints why this machine does not have it. A failure fails the test.
fn opened(id: MethodId) -> Option<Box<dyn Waiter>> {
    match method::open(id) {
        Ok(waiter) => Some(waiter),
        Err(refusal) => {
            println!("{}: {refusal}", id.name());
            assert!(!refusal.reason().is_empty());
            assert_ne!(refusal.kind(), "failed", "{}: {refusal}", id.name());
            None
        }
    }
}
