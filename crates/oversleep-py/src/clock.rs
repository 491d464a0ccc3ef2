//! The class `CounterClock`.

use oversleep::Nanos;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// Monotonic time from the processor's counter, kept to the system's clock while it runs.
///
/// Falls back to the system's clock by itself where the counter is not to be trusted. In order across threads.
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug)]
pub(crate) struct CounterClock(Which);

#[derive(Debug)]
enum Which {
    /// Boxed because it is aligned to a cache line, and Python's objects are not.
    Own(Box<oversleep::clock::CounterClock>),
    Shared(&'static oversleep::clock::CounterClock),
}

impl CounterClock {
    fn clock(&self) -> &oversleep::clock::CounterClock {
        match &self.0 {
            Which::Own(clock) => clock,
            Which::Shared(clock) => clock,
        }
    }
}

#[pymethods]
impl CounterClock {
    #[new]
    fn new() -> Self {
        Self(Which::Own(Box::default()))
    }

    /// Returns the clock that the whole process shares, sleepers included.
    #[staticmethod]
    fn shared(py: Python<'_>) -> PyResult<Py<Self>> {
        static SHARED: OnceLock<Py<CounterClock>> = OnceLock::new();
        if let Some(shared) = SHARED.get() {
            return Ok(shared.clone_ref(py));
        }
        let fresh = Py::new(py, Self(Which::Shared(oversleep::clock::CounterClock::shared())))?;
        // If another thread was first, its object is the shared one.
        Ok(SHARED.get_or_init(|| fresh).clone_ref(py))
    }

    /// Returns the time in nanoseconds, comparable with `now_ns()`.
    fn now_ns(&self) -> i64 {
        self.clock().now().as_nanos().get()
    }

    /// Returns the time in seconds, comparable with `now()`.
    fn now(&self) -> f64 {
        self.clock().now().as_nanos().as_secs_f64()
    }

    /// Whether the counter is in use; False while the system's clock is used instead.
    #[getter]
    fn is_counter(&self) -> bool {
        self.clock().is_counter()
    }

    /// Returns what the clock knows of its own rate and errors.
    fn calibration(&self) -> Calibration {
        Calibration(self.clock().calibration())
    }
}

/// What a counter clock knows of itself.
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug)]
pub(crate) struct Calibration(oversleep::clock::Calibration);

#[pymethods]
impl Calibration {
    /// The counter's rate in Hz; None while the system's clock is used instead.
    #[getter]
    fn rate_hz(&self) -> Option<f64> {
        self.0.rate.map(oversleep::Hertz::as_f64)
    }

    /// How often the counter was compared with the system's clock.
    #[getter]
    fn comparisons(&self) -> u64 {
        self.0.comparisons
    }

    /// The largest difference from the system's clock that a comparison found, nanoseconds.
    #[getter]
    fn worst_difference_ns(&self) -> i64 {
        Nanos::get(self.0.worst_difference)
    }

    /// The possible error of the last comparison, nanoseconds.
    #[getter]
    fn reading_error_ns(&self) -> i64 {
        Nanos::get(self.0.reading_error)
    }

    /// How often a difference was larger than steering of the system's clock and the reading error explain.
    #[getter]
    fn disagreements(&self) -> u64 {
        self.0.disagreements
    }

    fn __repr__(&self) -> String {
        let rate = self.rate_hz().map_or_else(|| "the system's clock".to_owned(), |hz| format!("{:.6} MHz", hz / 1e6));
        format!("<Calibration: {rate}, {} comparisons, worst {}>", self.0.comparisons, self.0.worst_difference)
    }
}
