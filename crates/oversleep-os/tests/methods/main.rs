//! What every sleep method of this platform promises, checked on the real system.
//!
//! Nothing here asks how late a sleep is. Tests take turns, because signals, descriptors and `setitimer` belong to
//! the whole process, and a watchdog ends the program should a sleep never return.
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

/// Only one test at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The method, or a line saying why this machine will not have it. What fails outright fails the test.
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
