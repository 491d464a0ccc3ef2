//! What the three tickers have in common: one user at a time, closing, iteration.

use crate::attentive::detached;
use crate::once::Once;
use crate::tick::Tick;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A ticker and whether it was closed.
#[derive(Debug)]
pub(crate) struct Clocked<T> {
    ticker: Once<T>,
    closed: AtomicBool,
}

impl<T: Iterator<Item = oversleep::Tick> + Send> Clocked<T> {
    pub(crate) fn new(ticker: T) -> Self {
        Self { ticker: Once::new(ticker), closed: AtomicBool::new(false) }
    }

    /// Something about the ticker.
    pub(crate) fn ask<A>(&self, of: impl FnOnce(&T) -> A) -> PyResult<A> {
        self.ticker.take("ticker", "ask between two ticks").map(|ticker| of(&ticker))
    }

    /// The next tick; `None` where iteration ends: the ticker was closed, by now or while this waited.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Tick>> {
        if self.is_closed() {
            return Ok(None);
        }
        let mut guard = self.ticker.take("ticker", "make one per thread")?;
        let ticker = &mut *guard;
        let Some(tick) = detached(py, || ticker.next())? else {
            return Err(PyOverflowError::new_err("the clock's range is over"));
        };
        Ok((!self.is_closed()).then_some(Tick(tick)))
    }

    /// The same for somebody who asks for one tick.
    pub(crate) fn tick(&self, py: Python<'_>) -> PyResult<Tick> {
        self.next(py)?.ok_or_else(|| PyValueError::new_err("the ticker is closed"))
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
