//! Objects that one thread uses at a time.

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Something that is used by one caller at a time; a second one is told so instead of waiting.
///
/// Waiting would be wrong twice: it would hold the interpreter's lock, and a signal handler that uses the object its
/// own thread is waiting in would wait for ever.
#[derive(Debug)]
pub(crate) struct Once<T>(Mutex<T>);

impl<T> Once<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Returns the thing itself, or why not: `what` names it, `instead` says what to do.
    pub(crate) fn take(&self, what: &str, instead: &str) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Ok(guard),
            // A signal handler that raised unwound through a wait, which leaves nothing half done.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err(format!("this {what} is in use by another call; {instead}")))
            }
        }
    }
}
