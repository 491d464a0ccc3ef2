//! What the three classes of tickers share: one caller at a time, closing, iteration, callbacks.

use crate::number::units;
use crate::signals::detached;
use crate::single_caller::SingleCaller;
use crate::tick::Tick;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A ticker, and whether it was closed.
#[derive(Debug)]
pub(crate) struct Closable<T> {
    ticker: SingleCaller<T>,
    closed: AtomicBool,
}

impl<T: Iterator<Item: Into<Tick> + Send> + Send> Closable<T> {
    pub(crate) fn new(ticker: T) -> Self {
        Self { ticker: SingleCaller::new(ticker), closed: AtomicBool::new(false) }
    }

    /// Returns `of(&ticker)`. Fails while another call uses the ticker.
    pub(crate) fn ask<A>(&self, of: impl FnOnce(&T) -> A) -> PyResult<A> {
        self.ticker.take("ticker", "ask between two ticks").map(|ticker| of(&ticker))
    }

    /// Waits for the next tick. `None` ends the iteration: the ticker was closed, before or during the wait.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Tick>> {
        if self.is_closed() {
            return Ok(None);
        }
        let mut guard = self.ticker.take("ticker", "make one per thread")?;
        let ticker = &mut *guard;
        let Some(tick) = detached(py, || ticker.next())? else {
            return Err(PyOverflowError::new_err("the clock's range is over"));
        };
        Ok((!self.is_closed()).then(|| tick.into()))
    }

    /// Waits for the next tick, outside an iteration: a closed ticker is an error.
    pub(crate) fn tick(&self, py: Python<'_>) -> PyResult<Tick> {
        self.next(py)?.ok_or_else(|| PyValueError::new_err("the ticker is closed"))
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
            let Some(tick) = self.next(py)? else { break };
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
