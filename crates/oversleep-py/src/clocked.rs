//! What the three tickers have in common: one user at a time, closing, iteration, callbacks.

use crate::number::units;
use crate::once::Once;
use crate::signals::detached;
use crate::tick::Tick;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A ticker and whether it was closed.
#[derive(Debug)]
pub(crate) struct Clocked<T> {
    ticker: Once<T>,
    closed: AtomicBool,
}

impl<T: Iterator<Item: Into<Tick> + Send> + Send> Clocked<T> {
    pub(crate) fn new(ticker: T) -> Self {
        Self { ticker: Once::new(ticker), closed: AtomicBool::new(false) }
    }

    /// Asks something of the ticker.
    pub(crate) fn ask<A>(&self, of: impl FnOnce(&T) -> A) -> PyResult<A> {
        self.ticker.take("ticker", "ask between two ticks").map(|ticker| of(&ticker))
    }

    /// Returns the next tick; `None` where iteration ends: the ticker was closed, by now or while this waited.
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

    /// Returns the same for somebody who asks for one tick.
    pub(crate) fn tick(&self, py: Python<'_>) -> PyResult<Tick> {
        self.next(py)?.ok_or_else(|| PyValueError::new_err("the ticker is closed"))
    }

    /// Hands ticks to `callback` until `count` of them are done or the ticker is closed, and answers how many were.
    ///
    /// Nobody holds the ticker while `callback` runs: it may ask about it, close it, even wait for the next tick itself.
    pub(crate) fn run(&self, py: Python<'_>, callback: &Bound<'_, PyAny>, count: Option<i128>) -> PyResult<u64> {
        if !callback.is_callable() {
            let kind = callback.get_type().name()?;
            return Err(PyTypeError::new_err(format!("run takes a function of one tick, not {kind}")));
        }
        let wanted = count.map_or(Ok(u64::MAX), |count| units(count, "count"))?;
        let mut done = 0;
        while done < wanted {
            // A callback that is not written in Python, and waits too short to be looked into, would hear no Ctrl-C.
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
