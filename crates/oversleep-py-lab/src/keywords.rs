//! Keyword arguments as a request and as a plan.

use crate::arguments::{self, items, lasting, wrong};
use oversleep_lab::session::{self, Interface, MeasureRequest, RequestError};
use oversleep_py_common::number::{in_range, whole_called};
use oversleep_recording::plan::{CONDITIONS, Condition, Kind, Plan, RequestedConditions, Typed, Value, ValueKind};
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

    /// Returns the values asked of a condition.
    fn condition(&self, row: &Condition) -> PyResult<Vec<Value>> {
        let name = row.keyword;
        let given = self.take(name)?;
        // A set of processors is one value.
        let many = row.several || matches!(row.kind, ValueKind::Cpus);
        let values = if many { items(given.as_ref(), name)? } else { given.into_iter().collect() };
        let values = values.iter().map(|value| match row.kind {
            ValueKind::Truth => value.is_truthy().map(Value::Truth),
            ValueKind::Number { from, to, .. } => whole(value, name, from, to).map(Value::Number),
            ValueKind::Time { zero: true } => arguments::time(value, name).map(Value::Time),
            ValueKind::Time { zero: false } => lasting(value, name).map(Value::Time),
            ValueKind::Cpus => whole(value, name, 0, 65_535).map(Value::Number),
            ValueKind::Name { .. } | ValueKind::Text | ValueKind::Policy | ValueKind::Phase => {
                row.kind.parse(&arguments::word(value, name)?).map_err(wrong)
            }
        });
        let mut values = values.collect::<PyResult<Vec<_>>>()?;
        values.retain(|value| *value != Value::Truth(false));
        if matches!(row.kind, ValueKind::Cpus) && !values.is_empty() {
            values = vec![Value::Cpus(values.iter().filter_map(u32::from_value).collect())];
        }
        Ok(values)
    }

    fn words<T>(&self, name: &str, read: impl Fn(&str) -> PyResult<T>) -> PyResult<Vec<T>> {
        let values = items(self.take(name)?.as_ref(), name)?;
        values.iter().map(|value| arguments::word(value, name).and_then(|text| read(&text))).collect()
    }
}

fn whole(value: &Bound<'_, PyAny>, name: &str, from: i64, to: i64) -> PyResult<i64> {
    in_range(whole_called(value, name)?, name, from.into(), to.into())
}

/// Returns the plan of an experiment, or without one of methods × requests × conditions. The callers' signatures check
/// the names of the keywords.
pub(crate) fn planned(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<Plan> {
    session::plan(&request(experiment, keywords)?).map_err(|error| refused(&error))
}

fn request(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<MeasureRequest> {
    let given = Keywords(keywords);
    let requests = items(given.take("request")?.as_ref(), "request")?;
    let mut conditions = RequestedConditions::default();
    for row in CONDITIONS.iter().filter(|row| !row.option.is_empty()) {
        conditions.ask(row, given.condition(row)?);
    }
    Ok(MeasureRequest {
        experiment: experiment.map(named).transpose()?,
        methods: given.words("method", |name| Ok(name.to_owned()))?,
        requests: requests.iter().map(arguments::request).collect::<PyResult<_>>()?,
        repeats: given.whole("repeats", 1, i64::MAX)?.map(i64::unsigned_abs),
        period: given.take("period")?.map(|period| lasting(&period, "period")).transpose()?,
        duration: None,
        from: None,
        to: None,
        conditions,
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
