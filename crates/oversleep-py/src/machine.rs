//! The machine of the package's waits: it holds the interpreter's lock at the end of a wait, and its waits can be ended.
//!
//! The library runs with the lock, and each wait of this machine releases it. So the library's own readings of the clock,
//! from which it learns how early to wake and reports how late it was, are made with the lock held again: they are what
//! the calling Python code sees.

use oversleep::clock::WallTime;
use oversleep::machine::{Machine, ThisMachine};
use oversleep::{Moment, Nanos, now};
use oversleep_py_common::signals::{check_signals, hears_signals, with_interpreter};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wait longer than twice this is slept in parts of this length, and between two parts it is checked whether the wait
/// is to end. So Ctrl-C takes effect within 100 ms. The last part is never shorter than this, so that taking the
/// interpreter's lock for a check cannot make a wait late: other threads release it after 5 ms
/// (`sys.getswitchinterval()`).
const PART: Nanos = Nanos::from_millis(50);

/// How long before the deadline a fine wait takes the interpreter's lock again, and keeps it. Taking it costs 1 to 10 µs
/// if nobody has it; no other thread is kept off for longer than this.
const HELD: Nanos = Nanos::from_micros(50);

/// A Python function that sleeps until a time long past and takes a tick that is overdue.
static REHEARSAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

thread_local! {
    /// Whether the present call has released the lock already.
    static RELEASED: Cell<bool> = const { Cell::new(false) };
    /// What ends the waits of the present call, besides signals.
    static STOPS: RefCell<Vec<Arc<AtomicBool>>> = const { RefCell::new(Vec::new()) };
}

/// The payload of the unwinding of a wait that was stopped.
pub(crate) struct Stopped;

/// Marks the beginning of a call that waits.
pub(crate) fn begin() {
    RELEASED.set(false);
}

/// Calls `wait`, whose waits end within 100 ms, by unwinding with [`Stopped`], after one of `stops` was set.
pub(crate) fn with_stops<T>(stops: &[&Arc<AtomicBool>], wait: impl FnOnce() -> T) -> T {
    /// Restores what a signal handler's own wait found.
    struct Restore(Vec<Arc<AtomicBool>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            STOPS.replace(std::mem::take(&mut self.0));
        }
    }
    let _restore = Restore(STOPS.replace(stops.iter().map(|&stop| Arc::clone(stop)).collect()));
    wait()
}

/// The machine on which the program runs, with waits that release the interpreter's lock and end when a signal handler
/// of Python raises, or when they are stopped.
///
/// The library's waits cannot return an error, so they are left by unwinding, and `sleep::waited` catches it. A wait left
/// in this way has changed only what its sleeper learned from the parts it slept.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PythonMachine;

impl Machine for PythonMachine {
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
        slept(deadline, |until| ThisMachine.sleep_until(until));
    }

    fn sleep_until_tight(&self, deadline: Moment) {
        slept(deadline, |until| ThisMachine.sleep_until_tight(until));
    }

    fn sleep_until_among_busy(&self, deadline: Moment) {
        slept(deadline, |until| ThisMachine.sleep_until_among_busy(until));
    }

    fn pause(&self) {
        released(|| ThisMachine.pause());
    }

    /// The last part is waited for with the lock. Half of a wait is without, if the call has not released it before.
    fn spin_until(&self, deadline: Moment) -> Moment {
        let rest = deadline.saturating_since(now());
        let half = Nanos::new(rest.get() / 2);
        let held = if RELEASED.get() { HELD } else { HELD.min(half) };
        if rest > held {
            in_parts(deadline.saturating_sub(held), |until| {
                ThisMachine.spin_until(until);
            });
        }
        ThisMachine.spin_until(deadline)
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

/// Prepares what [`rehearse`] calls.
pub(crate) fn prepare(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Its ticks are a nanosecond apart, so the next one is always overdue.
    let rehearsal = c"(lambda sleeper, ticker, now_ns: lambda:
        now_ns() - sleeper.sleep_until(ns=0).ns - ticker.tick().deadline_ns
    )(Sleeper(), Ticker(ns=1, start=0, missed='burst'), now_ns)";
    let _ = REHEARSAL.set(py, py.eval(rehearsal, None, Some(&module.dict()))?.unbind());
    Ok(())
}

/// Does in advance what follows a wait: makes an object, returns, runs some Python code. The sleep has displaced the
/// interpreter from the caches, and without this the caller would go on 5 to 40 µs after the deadline. It belongs to
/// the sleep in the kernel, so that the library learns to wake as much earlier.
fn rehearse() {
    let released = RELEASED.get();
    with_interpreter(|py| REHEARSAL.get(py).map_or(Ok(()), |rehearsal| rehearsal.call0(py).map(drop)));
    RELEASED.set(released);
}

/// Calls `wait` without the interpreter's lock.
pub(crate) fn released<T: Send>(wait: impl FnOnce() -> T + Send) -> T {
    RELEASED.set(true);
    Python::attach(|py| py.detach(wait))
}

/// Sleeps in the kernel without the interpreter's lock, and does in advance what follows.
fn slept(deadline: Moment, sleep: impl Fn(Moment) + Sync) {
    in_parts(deadline, sleep);
    rehearse();
}

/// Waits without the interpreter's lock, in parts if the wait is long and something may end it.
fn in_parts(deadline: Moment, wait: impl Fn(Moment) + Sync) {
    let mut ends = None;
    loop {
        let now = now();
        let rest = deadline.saturating_since(now);
        if rest <= PART.saturating_mul(2) || !*ends.get_or_insert_with(may_end) {
            return released(|| wait(deadline));
        }
        let until = now.saturating_add(PART);
        released(|| wait(until));
        check();
    }
}

/// Returns whether something can end a wait of this thread.
fn may_end() -> bool {
    STOPS.with_borrow(|stops| !stops.is_empty()) || hears_signals()
}

/// Ends the wait, by unwinding, if a signal handler raises or the wait was stopped.
fn check() {
    check_signals();
    if STOPS.with_borrow(|stops| stops.iter().any(|stop| stop.load(Ordering::Relaxed))) {
        resume_unwind(Box::new(Stopped));
    }
}

/// Sleeps while `rest` returns more than 100 ms, in parts, with checks for Ctrl-C in between; not at all where nothing
/// can end the wait.
pub(crate) fn approach(rest: impl Fn() -> Nanos) {
    if !may_end() {
        return;
    }
    while rest() > PART.saturating_mul(2) {
        let until = now().saturating_add(PART);
        released(|| ThisMachine.sleep_until(until));
        check();
    }
}
