//! Waits and computations without the interpreter's lock, which signal handlers of Python can end.
//!
//! Most of what is waited for cannot return an error, so it is left by unwinding: [`check_signals`] starts it and
//! [`detached`] or [`caught`] catches it.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyDelta;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between two checks for signals while a computation runs.
const LISTEN_EVERY: Duration = Duration::from_millis(50);

/// The payload of the unwinding: the exception that a signal handler raised.
struct Raised(PyErr);

/// Imports now what the first wait would import: if a signal handler raised during `PyO3`'s own import of datetime,
/// `PyO3` would panic.
pub fn import_early(py: Python<'_>) -> PyResult<()> {
    py.import("threading")?;
    PyDelta::type_object(py);
    Ok(())
}

/// Returns whether this is the thread in which Python runs signal handlers: the main one.
pub fn hears_signals() -> bool {
    with_interpreter(is_main_thread).unwrap_or(false)
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let here: u64 = threading.call_method0("get_ident")?.extract()?;
    let main: u64 = threading.call_method0("main_thread")?.getattr("ident")?.extract()?;
    Ok(here == main)
}

/// Runs the handlers of signals that have come. If one raises, this unwinds, for [`caught`] to catch. It does nothing
/// in threads other than the main one.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is for one lifetime only
pub fn check_signals() {
    with_interpreter(|py| py.check_signals());
}

/// Calls `ask` with the interpreter's lock. Unwinds if that raises (a handler may run in any Python code). Returns
/// `None` if the interpreter is shutting down.
pub fn with_interpreter<T>(ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
    match Python::try_attach(ask)? {
        Ok(answer) => Some(answer),
        Err(raised) => resume_unwind(Box::new(Raised(raised))),
    }
}

/// Calls `wait` without the interpreter's lock; returns its result, or the exception that a signal handler raised.
pub fn detached<T: Send>(py: Python<'_>, wait: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| caught(wait))
}

/// Calls `wait`; returns its result, or the exception that a signal handler raised.
pub fn caught<T>(wait: impl FnOnce() -> T) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(wait)) {
        Ok(answer) => Ok(answer),
        Err(thrown) => match thrown.downcast::<Raised>() {
            Ok(raised) => Err(raised.0),
            Err(panic) => resume_unwind(panic),
        },
    }
}

/// Runs a computation that cannot be interrupted in a thread of its own. If a signal handler raises, the wait ends with
/// that exception; the thread goes on to its end, and its result is dropped.
pub fn computed<T: Send + 'static>(py: Python<'_>, compute: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    if !is_main_thread(py)? {
        return detached(py, compute);
    }
    // Nothing is ever sent: the channel closes when the computation is over.
    let (open, closed) = mpsc::channel::<()>();
    let computing = move || {
        let _open = open;
        compute()
    };
    let thread = thread::Builder::new().name("oversleep".to_owned()).spawn(computing)?;
    let answer = detached(py, move || {
        while closed.recv_timeout(LISTEN_EVERY) == Err(RecvTimeoutError::Timeout) {
            check_signals();
        }
        thread.join()
    })?;
    answer.or_else(|panic| resume_unwind(panic))
}
