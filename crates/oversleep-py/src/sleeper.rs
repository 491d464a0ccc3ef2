//! The classes `Sleeper`, `SleepStats` and `Limit`.

use crate::lateness::Lateness;
use crate::machine::PythonMachine;
use crate::rational::refused;
use crate::single_caller::SingleCaller;
use crate::sleep::{deadline_of, waited};
use oversleep::{Moment, Nanos};
use oversleep_py_common::interval::{TimeArgument, keyword};
use oversleep_py_common::number::{real, real_if_any};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Sleeps on time: coarsely to a learned margin before the deadline, finely from there.
///
/// The margin is learned from this thread's sleeps, so make one per thread; using one from two at once is a
/// ``RuntimeError``.
///
/// ``on_time``: the share of sleeps to be awake before their deadline, 0.5 to 0.9999; unless given, sleeps are on time
/// as often as is worth the processor time. A given share is kept in
/// the long run, whatever the machine does, unless a ceiling stands in the way: ``stats().limited_by`` names it.
/// Its price is processor time: ``stats().spun_per_sleep_ns``. ``cpu_ceiling``: the most of the time slept to spend
/// in fine waiting, 0 to 1 (0.02, or 0.5 with ``on_time``). ``eco``: near the deadline at next to no cost instead. ``spin_ceiling``: the longest
/// single fine wait (0.2 ms, or 20 ms with ``on_time``). ``real_time_ceiling``: the same under a real-time policy (1 ms). ``early_window``: sleeps
/// may end so long before their deadline (0). ``leave_slack``: leave the thread's timer slack as it is; otherwise it is
/// 1 ns during a wait, and put back (``eco`` never touches it).
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug)]
pub(crate) struct Sleeper(SingleCaller<oversleep::Sleeper<PythonMachine>>);

impl Sleeper {
    fn inner(&self) -> PyResult<std::sync::MutexGuard<'_, oversleep::Sleeper<PythonMachine>>> {
        self.0.take("sleeper", "make one per thread")
    }

    /// Returns a copy of the sleeper, with its settings and what it has learned, whose counts begin at zero.
    pub(crate) fn copied(&self) -> PyResult<oversleep::Sleeper<PythonMachine>> {
        let mut copy = self.inner()?.clone();
        copy.take_stats();
        Ok(copy)
    }
}

#[pymethods]
impl Sleeper {
    #[new]
    #[pyo3(signature = (*, on_time=None, cpu_ceiling=None, eco=false, spin_ceiling=None, real_time_ceiling=None,
        early_window=None, leave_slack=false))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn new(
        #[pyo3(from_py_with = real_if_any)] on_time: Option<f64>,
        #[pyo3(from_py_with = real_if_any)] cpu_ceiling: Option<f64>,
        eco: bool,
        spin_ceiling: Option<&Bound<'_, PyAny>>,
        real_time_ceiling: Option<&Bound<'_, PyAny>>,
        early_window: Option<&Bound<'_, PyAny>>,
        leave_slack: bool,
    ) -> PyResult<Self> {
        if eco && on_time.is_some() {
            return Err(PyValueError::new_err("eco costs almost nothing, on_time what it needs: give one of them"));
        }
        let mut asked = oversleep::Sleeper::builder();
        if let Some(value) = on_time {
            asked = asked.on_time(value);
        }
        if let Some(value) = cpu_ceiling {
            asked = asked.cpu_ceiling(value);
        }
        if eco {
            asked = asked.eco();
        }
        if let Some(ceiling) = keyword(spin_ceiling, "spin_ceiling")? {
            asked = asked.spin_ceiling(ceiling);
        }
        if let Some(ceiling) = keyword(real_time_ceiling, "real_time_ceiling")? {
            asked = asked.real_time_ceiling(ceiling);
        }
        if let Some(window) = keyword(early_window, "early_window")? {
            asked = asked.early_window(window);
        }
        if leave_slack {
            asked = asked.leave_slack();
        }
        Ok(Self(SingleCaller::new(asked.try_build_on(PythonMachine).map_err(refused)?)))
    }

    /// Sleeps for a duration from now: seconds, a timedelta, or ns=. Returns how late the sleep ended.
    #[pyo3(signature = (duration=None, *, ns=None))]
    fn sleep(&self, duration: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Lateness> {
        let now = oversleep::now();
        let duration = TimeArgument { what: "duration", value: duration, ns }.any()?;
        self.until(now.saturating_add(duration))
    }

    /// Sleeps until the monotonic clock reads `deadline`: seconds, or ns=. Returns how late the sleep ended.
    #[pyo3(signature = (deadline=None, *, ns=None))]
    fn sleep_until(&self, deadline: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Lateness> {
        self.until(deadline_of(TimeArgument { what: "deadline", value: deadline, ns })?)
    }

    /// Returns the statistics of all sleeps so far.
    fn stats(&self) -> PyResult<SleepStats> {
        self.inner().map(|inner| SleepStats(inner.stats()))
    }

    /// Returns the statistics of all sleeps so far and resets them. What was learned stays.
    fn take_stats(&self) -> PyResult<SleepStats> {
        self.inner().map(|mut inner| SleepStats(inner.take_stats()))
    }

    /// Returns how long before the deadline the sleeper would now wake from a sleep of this length, in nanoseconds.
    #[pyo3(signature = (duration=None, *, ns=None))]
    fn margin_ns(&self, duration: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        let duration = TimeArgument { what: "duration", value: duration, ns }.any()?;
        self.inner().map(|inner| inner.margin(duration).get())
    }

    /// Forgets everything that was learned.
    fn forget(&self) -> PyResult<()> {
        self.inner().map(|mut inner| inner.forget())
    }

    fn __repr__(&self) -> String {
        match self.stats() {
            Ok(stats) => format!("<Sleeper: {}>", stats.words()),
            Err(_) => "<Sleeper: asleep>".to_owned(),
        }
    }
}

impl Sleeper {
    fn until(&self, deadline: Moment) -> PyResult<Lateness> {
        let mut inner = self.inner()?;
        waited(|| inner.sleep_until(deadline)).map(|_| Lateness::now(deadline))
    }
}

/// The statistics of a sleeper.
#[pyclass(frozen, eq, module = "oversleep")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SleepStats(pub(crate) oversleep::SleepStats);

#[pymethods]
impl SleepStats {
    /// Number of sleeps whose deadline had not passed when they were requested.
    #[getter]
    fn sleeps(&self) -> u64 {
        self.0.sleeps()
    }

    /// The share of sleeps that were awake before the deadline, 0 to 1; None without sleeps.
    #[getter]
    fn on_time(&self) -> Option<f64> {
        self.0.on_time()
    }

    /// The share on time that was asked for, 0 to 1; None for an eco sleeper, which promises none.
    #[getter]
    fn asked(&self) -> Option<f64> {
        self.0.asked()
    }

    /// The share of sleeps that ended at most 1 µs after the deadline, 0 to 1; None without sleeps.
    #[getter]
    fn punctual(&self) -> Option<f64> {
        self.0.punctual()
    }

    /// Number of sleeps that were awake before their deadline but ended more than 1 µs after it, because something else
    /// had the processor.
    #[getter]
    fn interrupted(&self) -> u64 {
        self.0.interrupted()
    }

    /// The ceilings that reduced the margin of any sleep; first the one under which most sleeps were late.
    #[getter]
    fn limits(&self) -> Vec<Limit> {
        self.0.limits().into_iter().map(Limit).collect()
    }

    /// The ceiling that prevented the share asked for from being reached; None if it was reached.
    #[getter]
    fn limited_by(&self) -> Option<Limit> {
        self.0.limited_by().map(Limit)
    }

    /// The mean fine wait of a sleep by the clock, nanoseconds: an upper limit of the processor time that being on time
    /// cost. None without sleeps.
    #[getter]
    fn spun_per_sleep_ns(&self) -> Option<i64> {
        self.0.spun_per_sleep().map(Nanos::get)
    }

    /// The mean processor time of a sleep, nanoseconds: its wake-ups, measured at one sleep in 16 of those that wake before their
    /// deadline, and its fine wait by the clock. None without sleeps, and until a wake-up was measured.
    #[getter]
    fn processor_time_per_sleep_ns(&self) -> Option<i64> {
        self.0.processor_time_per_sleep().map(Nanos::get)
    }

    /// How many times the kernel was asked to sleep and woke the thread.
    #[getter]
    fn wake_ups(&self) -> u64 {
        self.0.wake_ups()
    }

    /// Number of requests whose deadline had already passed.
    #[getter]
    fn overdue(&self) -> u64 {
        self.0.overdue()
    }

    /// Fine waiting by the clock as a share of the requested time; above 1 if busy threads interrupted it; None without
    /// sleeps.
    #[getter]
    fn spun_share(&self) -> Option<f64> {
        self.0.spun_share()
    }

    /// Total time of fine waiting, nanoseconds.
    #[getter]
    fn spun_ns(&self) -> i64 {
        self.0.spun().get()
    }

    /// The worst lateness, also of requests that were overdue.
    #[getter]
    fn worst(&self) -> Lateness {
        Lateness(self.0.worst())
    }

    /// Returns a lateness in nanoseconds that this share of sleeps (0 to 1) did not exceed: the quantile, or up to
    /// twice as much. None without sleeps.
    fn lateness_at_most_ns(&self, #[pyo3(from_py_with = real)] at: f64) -> PyResult<Option<i64>> {
        if !(0.0..=1.0).contains(&at) {
            return Err(PyValueError::new_err(format!("at must be from 0 to 1, not {at:?}")));
        }
        Ok(self.0.lateness_at_most(at).map(Nanos::get))
    }

    fn __repr__(&self) -> String {
        format!("<SleepStats: {}>", self.words())
    }
}

/// A ceiling and the sleeps whose margin it cut.
#[pyclass(frozen, eq, module = "oversleep")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limit(oversleep::Limit);

#[pymethods]
impl Limit {
    /// The ceiling's name: worth, processor, short-sleep, fine-wait, real-time, policy-budget or interruptions.
    #[getter]
    fn ceiling(&self) -> &'static str {
        self.0.ceiling.name()
    }

    /// Number of sleeps whose margin the ceiling reduced.
    #[getter]
    fn sleeps(&self) -> u64 {
        self.0.sleeps
    }

    /// The share of those sleeps that were still on time, 0 to 1: what can be reached under this ceiling.
    #[getter]
    fn attainable(&self) -> f64 {
        self.0.attainable()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Limit: {}>", self.0)
    }
}

impl SleepStats {
    fn words(&self) -> String {
        let worst = self.0.worst();
        let overdue = match self.0.overdue() {
            0 => String::new(),
            overdue => format!(", {overdue} overdue"),
        };
        let Some(on_time) = self.0.on_time() else {
            return if overdue.is_empty() {
                "no sleeps yet".to_owned()
            } else {
                format!("no sleeps{overdue}, worst {worst}")
            };
        };
        let spun = 100.0 * self.0.spun_share().unwrap_or(0.0);
        let limited = self.0.limited_by().map_or_else(String::new, |limit| format!("; {limit}"));
        let sleeps = self.0.sleeps();
        format!("{sleeps} sleeps{overdue}, {:.1} % on time, worst {worst}, {spun:.1} % spun{limited}", 100.0 * on_time)
    }
}
