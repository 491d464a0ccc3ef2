//! What the three classes of tickers share: one caller at a time, closing, iteration, callbacks.

use crate::machine::{PythonMachine, Stopped, with_stops};
use crate::single_caller::SingleCaller;
use crate::sleep::waited;
use crate::tick::Tick;
use oversleep::ticker::LockedTicker;
use oversleep::{OptionError, Period, SleepStats, Ticker, WallTicker};
use oversleep_py_common::number::units;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A ticker, and whether it was closed.
#[derive(Debug)]
pub(crate) struct Closable<T> {
    ticker: SingleCaller<T>,
    closed: Arc<AtomicBool>,
}

/// Ends one wait for a tick, within 100 ms.
#[pyclass(frozen, module = "oversleep._native")]
#[derive(Debug)]
pub(crate) struct Cancel(Arc<AtomicBool>);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// Ends the wait that was given this object, or will be.
    fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What the three kinds of tickers have in common.
pub(crate) trait Schedule: Iterator<Item: Into<Tick> + Send> + Send {
    fn period(&self) -> Period;
    fn stats(&self) -> SleepStats;
    fn reset(&mut self);
    fn set_period(&mut self, period: Period) -> Result<(), OptionError>;
}

macro_rules! schedules {
    ($($ticker:ident: |$own:ident, $period:ident| $set:expr;)+) => {$(
        impl Schedule for $ticker<PythonMachine> {
            fn period(&self) -> Period {
                self.period()
            }

            fn stats(&self) -> SleepStats {
                self.sleeper().stats()
            }

            fn reset(&mut self) {
                self.reset();
            }

            fn set_period(&mut self, $period: Period) -> Result<(), OptionError> {
                let $own = self;
                $set
            }
        }
    )+};
}

schedules! {
    Ticker: |ticker, period| { ticker.set_period(period); Ok(()) };
    WallTicker: |ticker, period| ticker.try_set_period(period);
    LockedTicker: |ticker, period| { ticker.set_period(period); Ok(()) };
}

impl<T: Schedule> Closable<T> {
    pub(crate) fn new(ticker: T) -> Self {
        Self { ticker: SingleCaller::new(ticker), closed: Arc::default() }
    }

    /// Returns `read(&ticker)`. Fails while another call uses the ticker.
    pub(crate) fn ask<A>(&self, read: impl FnOnce(&T) -> A) -> PyResult<A> {
        self.ticker.take("ticker", "ask between two ticks").map(|ticker| read(&ticker))
    }

    /// Changes the schedule. Fails if the ticker is closed, or while another call uses it.
    pub(crate) fn change<A>(&self, change: impl FnOnce(&mut T) -> A) -> PyResult<A> {
        if self.is_closed() {
            return Err(closed());
        }
        self.ticker.take("ticker", "change it between two ticks").map(|mut ticker| change(&mut ticker))
    }

    /// Describes the ticker, of the class `name`.
    pub(crate) fn shown(&self, name: &str) -> String {
        let period = self.ask(|ticker| ticker.period().to_string());
        let closed = if self.is_closed() { ", closed" } else { "" };
        format!("<{name}: {}{closed}>", period.as_deref().unwrap_or("waiting"))
    }

    /// Waits for the next tick. `None` ends the iteration: the ticker was closed, before or during the wait.
    pub(crate) fn next(&self) -> PyResult<Option<Tick>> {
        self.next_unless(None)
    }

    /// Waits for the next tick. `None`: the ticker was closed or the wait cancelled, before or during it.
    pub(crate) fn next_unless(&self, cancel: Option<&Cancel>) -> PyResult<Option<Tick>> {
        if self.is_closed() || cancel.is_some_and(|cancel| cancel.0.load(Ordering::Relaxed)) {
            return Ok(None);
        }
        let mut ticker = self.ticker.take("ticker", "make one per thread")?;
        let stops: Vec<_> = std::iter::once(&self.closed).chain(cancel.map(|cancel| &cancel.0)).collect();
        let outcome = waited(|| unless_stopped(|| with_stops(&stops, || ticker.next())))?;
        match outcome {
            None => Ok(None),
            // At the end of the clock's range nothing can follow.
            Some(None) => {
                self.close();
                Ok(None)
            }
            Some(Some(_)) if self.is_closed() => Ok(None),
            Some(Some(tick)) => {
                drop(ticker);
                Ok(Some(Tick::now(tick.into())))
            }
        }
    }

    /// Waits for the next tick, outside an iteration: a closed ticker is an error.
    pub(crate) fn tick(&self) -> PyResult<Tick> {
        self.next()?.ok_or_else(closed)
    }

    /// Calls `callback` with each tick, `count` times or until the ticker is closed; returns how many calls there were.
    ///
    /// The ticker is not locked while `callback` runs: it may query the ticker, close it, or wait for the next tick.
    pub(crate) fn run(&self, py: Python<'_>, callback: &Bound<'_, PyAny>, count: Option<i128>) -> PyResult<u64> {
        if !callback.is_callable() {
            let kind = callback.get_type().name()?;
            return Err(PyTypeError::new_err(format!("run takes a function of one tick, not {kind}")));
        }
        let wanted = count.map_or(Ok(u64::MAX), |count| units(count, "count"))?;
        let mut done = 0;
        while done < wanted {
            // Without this, Ctrl-C would have no effect if the callback is not Python code and all waits are short.
            py.check_signals()?;
            let Some(tick) = self.next()? else { break };
            callback.call1((tick,))?;
            done += 1;
        }
        Ok(done)
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the ticker is closed")
}

/// Returns what `wait` returns; `None` if it was stopped.
fn unless_stopped<T>(wait: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(wait)) {
        Ok(answer) => Some(answer),
        Err(thrown) if thrown.is::<Stopped>() => None,
        Err(thrown) => resume_unwind(thrown),
    }
}
