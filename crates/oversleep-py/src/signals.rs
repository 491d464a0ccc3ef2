//! Waits that release the interpreter's lock and check for signals.

use oversleep::clock::{Clock, Time, WallTime};
use oversleep::machine::{Machine, ThisMachine};
use oversleep::{Moment, Nanos, now};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A wait longer than twice this is slept in parts of this length, and signals are checked between two parts. So Ctrl-C
/// takes effect within 100 ms. The last part is never shorter than this, so that taking the interpreter's lock for a
/// check cannot make a wait late: other threads release it after 5 ms (`sys.getswitchinterval()`).
const PART: Nanos = Nanos::from_millis(50);

/// Time between two checks for signals while a computation runs.
const LISTEN_EVERY: Duration = Duration::from_millis(50);

/// The machine on which the program runs, with sleeps that end when a signal handler of Python raises.
///
/// The library's waits cannot return an error, so they are left by unwinding: [`check_signals`] starts it and
/// [`detached`] catches it. A wait left in this way has changed only what its sleeper learned from the parts it slept.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SignalAware;

/// The payload of the unwinding: the exception that a signal handler raised.
struct Raised(PyErr);

impl Machine for SignalAware {
    fn now(&self) -> Moment {
        ThisMachine.now()
    }

    fn wall(&self) -> WallTime {
        ThisMachine.wall()
    }

    fn suspended(&self) -> Nanos {
        ThisMachine.suspended()
    }

    fn sleep_until(&self, deadline: Moment) {
        in_parts(deadline, |until| ThisMachine.sleep_until(until));
    }

    fn sleep_until_tight(&self, deadline: Moment) {
        in_parts(deadline, |until| ThisMachine.sleep_until_tight(until));
    }

    fn pause(&self) {
        ThisMachine.pause();
    }

    fn spin_until(&self, deadline: Moment) -> Moment {
        in_parts(deadline, |until| {
            ThisMachine.spin_until(until);
        });
        ThisMachine.now()
    }

    fn is_real_time(&self) -> bool {
        ThisMachine.is_real_time()
    }

    fn budget(&self) -> Option<Nanos> {
        ThisMachine.budget()
    }

    fn processor_time(&self) -> Option<Nanos> {
        ThisMachine.processor_time()
    }
}

fn in_parts(deadline: Moment, wait: impl Fn(Moment)) {
    let mut hears = None;
    loop {
        let now = now();
        let rest = deadline.saturating_since(now);
        if rest <= PART * 2 || !*hears.get_or_insert_with(hears_signals) {
            return wait(deadline);
        }
        wait(now.saturating_add(PART));
        check_signals();
    }
}

/// Returns whether this is the thread in which Python runs signal handlers: the main one.
fn hears_signals() -> bool {
    with_interpreter(is_main_thread).unwrap_or(false)
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let here: u64 = threading.call_method0("get_ident")?.extract()?;
    let main: u64 = threading.call_method0("main_thread")?.getattr("ident")?.extract()?;
    Ok(here == main)
}

/// Runs the handlers of signals that have come. If one raises, this unwinds, for [`detached`] to catch. It does nothing
/// in threads other than the main one.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is for one lifetime only
pub(crate) fn check_signals() {
    with_interpreter(|py| py.check_signals());
}

/// Calls `ask` with the interpreter's lock. Unwinds if that raises (a handler may run in any Python code). Returns
/// `None` if the interpreter is shutting down.
fn with_interpreter<T>(ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
    match Python::try_attach(ask)? {
        Ok(answer) => Some(answer),
        Err(raised) => resume_unwind(Box::new(Raised(raised))),
    }
}

/// Calls `wait` without the interpreter's lock; returns its result, or the exception that a signal handler raised.
pub(crate) fn detached<T: Send>(py: Python<'_>, wait: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| match catch_unwind(AssertUnwindSafe(wait)) {
        Ok(answer) => Ok(answer),
        Err(thrown) => match thrown.downcast::<Raised>() {
            Ok(raised) => Err(raised.0),
            Err(panic) => resume_unwind(panic),
        },
    })
}

/// Runs a computation that cannot be interrupted in a thread of its own. If a signal handler raises, the wait ends with
/// that exception; the thread goes on to its end, and its result is dropped.
pub(crate) fn computed<T: Send + 'static>(py: Python<'_>, compute: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
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

/// Sleeps towards `deadline` in parts, with checks for Ctrl-C in between, and leaves the last part to the caller; all
/// of it if the system does not have the clock, or if this is not the main thread.
pub(crate) fn approach<C: Clock>(deadline: Time<C>) {
    if !hears_signals() {
        return;
    }
    while deadline.saturating_since(Time::now().unwrap_or(deadline)) > PART * 2 {
        ThisMachine.sleep_until(now().saturating_add(PART));
        check_signals();
    }
}
