//! Keyword arguments as a request and as a plan.

use crate::arguments::{self, each, lasting, wrong};
use oversleep_lab::session::{self, Interface, MeasureRequest, RequestError};
use oversleep_py_common::number::{whole_called, within};
use oversleep_recording::plan::{Kind, Plan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The keyword arguments of a call.
struct Keywords<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Keywords<'_, 'py> {
    /// Returns an argument; `None` if it was not given, or given as None.
    fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// Returns a whole number within `from` to `to`.
    fn whole(&self, name: &str, from: i64, to: i64) -> PyResult<Option<i64>> {
        self.take(name)?.map(|value| whole(&value, name, from, to)).transpose()
    }

    /// Returns whole numbers within `from` to `to`, given as one number or a list.
    fn wholes<T: TryFrom<i64>>(&self, name: &str, from: i64, to: i64) -> PyResult<Vec<T>> {
        let values = each(self.take(name)?.as_ref(), name)?;
        let values = values.iter().map(|value| whole(value, name, from, to)).collect::<PyResult<Vec<_>>>()?;
        Ok(values.into_iter().filter_map(|value| T::try_from(value).ok()).collect())
    }

    fn flag(&self, name: &str) -> PyResult<bool> {
        self.take(name)?.map_or(Ok(false), |value| value.is_truthy())
    }

    /// Returns a single text argument, parsed by `read`.
    fn word<T>(&self, name: &str, read: impl Fn(&str) -> PyResult<T>) -> PyResult<Option<T>> {
        self.take(name)?.map(|value| arguments::word(&value, name).and_then(|text| read(&text))).transpose()
    }

    fn words<T>(&self, name: &str, read: impl Fn(&str) -> PyResult<T>) -> PyResult<Vec<T>> {
        let values = each(self.take(name)?.as_ref(), name)?;
        values.iter().map(|value| arguments::word(value, name).and_then(|text| read(&text))).collect()
    }
}

fn whole(value: &Bound<'_, PyAny>, name: &str, from: i64, to: i64) -> PyResult<i64> {
    within(whole_called(value, name)?, name, from.into(), to.into())
}

/// Returns the plan of an experiment, or without one of methods × requests × conditions. The callers' signatures check
/// the names of the keywords.
pub(crate) fn planned(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<Plan> {
    session::plan(&request(experiment, keywords)?).map_err(|error| refused(&error))
}

fn request(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<MeasureRequest> {
    let given = Keywords(keywords);
    let requests = each(given.take("request")?.as_ref(), "request")?;
    let slacks = each(given.take("slack")?.as_ref(), "slack")?;
    let resolutions = each(given.take("timer_resolution")?.as_ref(), "timer_resolution")?;
    let cpus = given.wholes("affinity", 0, 65_534)?;
    Ok(MeasureRequest {
        experiment: experiment.map(named).transpose()?,
        methods: given.words("method", |name| Ok(name.to_owned()))?,
        requests: requests.iter().map(arguments::request).collect::<PyResult<_>>()?,
        repeats: given.whole("repeats", 1, i64::MAX)?.map(i64::unsigned_abs),
        period: given.take("period")?.map(|period| lasting(&period, "period")).transpose()?,
        duration: None,
        from: None,
        to: None,
        policies: given.words("policy", arguments::plain)?,
        nice: given.whole("nice", -20, 19)?.and_then(|nice| i32::try_from(nice).ok()),
        affinity: (!cpus.is_empty()).then_some(cpus),
        one_cpu_each: given.flag("one_cpu_each")?,
        slacks: slacks.iter().map(|slack| lasting(slack, "slack")).collect::<PyResult<_>>()?,
        lock_memory: given.flag("mlock")?,
        latency_hold: given.take("latency_hold")?.map(|hold| arguments::time(&hold, "latency_hold")).transpose()?,
        timer_resolutions: resolutions
            .iter()
            .map(|resolution| lasting(resolution, "timer_resolution"))
            .collect::<PyResult<_>>()?,
        priority_class: given.word("priority_class", arguments::plain)?,
        multimedia_task: given.word("multimedia_task", |task| Ok(task.to_owned()))?,
        qos: given.word("qos", arguments::plain)?,
        unthrottled: given.flag("no_throttling")?,
        loads: given.wholes("load", 0, 1_024)?,
        load_kind: given.word("load_kind", arguments::load_kind)?,
        threads: given.whole("threads", 1, 1_024)?.and_then(|threads| u16::try_from(threads).ok()),
        phase: given.word("phase", arguments::plain)?,
        seed: given.whole("seed", 0, i64::MAX)?.map(i64::unsigned_abs),
        trace: None,
    })
}

/// Returns the kinds that the argument `experiment` names.
fn named_kinds() -> impl Iterator<Item = Kind> {
    [Kind::CheckUp].into_iter().chain(Kind::EXPERIMENTS.iter().copied())
}

/// Returns every name that the argument `experiment` takes.
#[pyfunction]
pub(crate) fn experiments() -> Vec<&'static str> {
    named_kinds().map(Kind::name).collect()
}

fn named(experiment: &str) -> PyResult<Kind> {
    named_kinds()
        .find(|kind| kind.name() == experiment)
        .ok_or_else(|| wrong(format!("no experiment is called '{experiment}'; there are {}", experiments().join(", "))))
}

fn refused(error: &RequestError) -> PyErr {
    wrong(error.text(Interface::Python))
}
