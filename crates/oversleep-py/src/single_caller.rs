//! Objects that one caller uses at a time.

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A value that one caller uses at a time; a second caller gets an error instead of waiting.
///
/// Waiting would be wrong for two reasons: it would hold the interpreter's lock, and a signal handler that uses the
/// object in which its own thread is waiting would wait for ever.
#[derive(Debug)]
pub(crate) struct SingleCaller<T>(Mutex<T>);

impl<T> SingleCaller<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Locks the value. If it is in use, the error names it (`what`) and says what to do (`instead`).
    pub(crate) fn take(&self, what: &str, instead: &str) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Ok(guard),
            // A signal handler that raised unwound through a wait and poisoned the lock; a wait leaves nothing half
            // done.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err(format!("this {what} is in use by another call; {instead}")))
            }
        }
    }
}
