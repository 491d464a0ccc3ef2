//! From keywords to a plan.

use super::fitting;
use super::words::{self, each, lasting, wrong};
use crate::number::{whole_called, within};
use oversleep::Nanos;
use oversleep_recording::catalog::{MethodId, Mode, Row};
use oversleep_recording::plan::build::{self, DEFAULT_METHODS, Grid};
use oversleep_recording::plan::{Cell, Conditions, Load, LoadKind, Pattern, Plan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What `measure` and `simulate` have in common, read from their keywords.
struct Told {
    rows: Asked,
    requests: Vec<Pattern>,
    repeats: Option<u64>,
    period: Option<Nanos>,
    conditions: Vec<Conditions>,
    loads: Vec<u16>,
    kind: LoadKind,
    seed: u64,
}

/// The methods asked for, if any were.
struct Asked(Option<Vec<&'static Row>>);

impl Asked {
    fn or(&self, default: &[MethodId]) -> Vec<&'static Row> {
        self.0.clone().unwrap_or_else(|| default.iter().map(|id| id.row()).collect())
    }

    fn one(&self, default: MethodId) -> PyResult<&'static Row> {
        match self.or(&[default])[..] {
            [row] => Ok(row),
            _ => Err(wrong("this experiment takes one method")),
        }
    }
}

/// The keywords of a call, each taken once; what is left over is unknown.
struct Keywords<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Keywords<'_, 'py> {
    /// `None` where it was not given, or given as None.
    fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// A whole number within `from` to `to`.
    fn whole(&self, name: &str, from: i64, to: i64) -> PyResult<Option<i64>> {
        self.take(name)?.map(|value| whole(&value, name, from, to)).transpose()
    }

    fn flag(&self, name: &str) -> PyResult<Option<bool>> {
        let given = self.take(name)?.map(|value| value.is_truthy()).transpose()?;
        Ok(given.filter(|&flag| flag))
    }

    /// A single word.
    fn word<T>(&self, name: &str, read: impl Fn(&str) -> PyResult<T>) -> PyResult<Option<T>> {
        self.take(name)?.map(|value| words::word(&value, name).and_then(|text| read(&text))).transpose()
    }

    fn words<T>(&self, name: &str, read: impl Fn(&str) -> PyResult<T>) -> PyResult<Vec<T>> {
        let values = each(self.take(name)?.as_ref(), name)?;
        values.iter().map(|value| words::word(value, name).and_then(|text| read(&text))).collect()
    }
}

fn whole(value: &Bound<'_, PyAny>, name: &str, from: i64, to: i64) -> PyResult<i64> {
    within(whole_called(value, name)?, name, from.into(), to.into())
}

/// The plan of an experiment, or of any methods × requests × conditions without one. The names of the keywords are
/// checked by the callers' signatures.
pub(super) fn planned(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<Plan> {
    let told = told(keywords)?;
    fitting::check(experiment, keywords)?;
    told.plan(experiment)
}

fn told(keywords: &Bound<'_, PyDict>) -> PyResult<Told> {
    let given = Keywords(keywords);
    let method = given.take("method")?;
    let requests = each(given.take("request")?.as_ref(), "request")?;
    let loads = each(given.take("load")?.as_ref(), "load")?;
    let loads = loads.iter().map(|load| whole(load, "load", 0, 1_024)).collect::<PyResult<Vec<_>>>()?;
    let kind = given.word("load_kind", words::load_kind)?.unwrap_or(LoadKind::Spin);
    let loads: Vec<u16> = loads.into_iter().filter_map(|load| u16::try_from(load).ok()).collect();
    Ok(Told {
        rows: Asked(method.map(|method| words::methods(&method)).transpose()?),
        requests: requests.iter().map(words::request).collect::<PyResult<_>>()?,
        repeats: given.whole("repeats", 1, i64::MAX)?.map(i64::unsigned_abs),
        period: given.take("period")?.map(|period| lasting(&period, "period")).transpose()?,
        conditions: conditions(&given, &loads, kind)?,
        loads,
        kind,
        seed: given.whole("seed", 0, i64::MAX)?.unwrap_or(1).unsigned_abs(),
    })
}

/// Every combination of the conditions that were given as lists.
fn conditions(given: &Keywords<'_, '_>, loads: &[u16], kind: LoadKind) -> PyResult<Vec<Conditions>> {
    let slacks = each(given.take("slack")?.as_ref(), "slack")?;
    let slacks = slacks.iter().map(|slack| lasting(slack, "slack")).collect::<PyResult<Vec<_>>>()?;
    let cpus = each(given.take("affinity")?.as_ref(), "affinity")?;
    let cpus = cpus.iter().map(|cpu| whole(cpu, "affinity", 0, 65_534)).collect::<PyResult<Vec<_>>>()?;
    let cpus: Vec<u32> = cpus.into_iter().filter_map(|cpu| u32::try_from(cpu).ok()).collect();
    let threads = given.whole("threads", 1, 1_024)?.and_then(|threads| u16::try_from(threads).ok());
    let hold = given.take("latency_hold")?;
    let one_cpu_each = given.flag("one_cpu_each")?;
    if one_cpu_each.is_some() && cpus.is_empty() {
        return Err(wrong("one_cpu_each needs affinity: the processors to give out"));
    }
    let all = vec![Conditions {
        policy: None,
        nice: given.whole("nice", -20, 19)?.and_then(|nice| i32::try_from(nice).ok()),
        affinity: (!cpus.is_empty()).then_some(cpus),
        one_cpu_each,
        timer_slack: None,
        memory_locked: given.flag("mlock")?,
        latency_hold: hold.map(|hold| words::time(&hold, "latency_hold")).transpose()?,
        load: None,
        threads: threads.filter(|&threads| threads > 1),
        phase: given.word("phase", words::plain)?,
    }];
    let all = crossed(all, &given.words("policy", words::plain)?, |c, &policy| c.policy = Some(policy));
    let all = crossed(all, &slacks, |c, &slack| c.timer_slack = Some(slack));
    Ok(crossed(all, loads, |c, &threads| c.load = Some(Load { threads, kind })))
}

fn crossed<T>(base: Vec<Conditions>, values: &[T], set: impl Fn(&mut Conditions, &T)) -> Vec<Conditions> {
    if values.is_empty() {
        return base;
    }
    let with = |value: &T, conditions: &Conditions| {
        let mut conditions = conditions.clone();
        set(&mut conditions, value);
        conditions
    };
    values.iter().flat_map(|value| base.iter().map(move |conditions| with(value, conditions))).collect()
}

impl Told {
    fn plan(&self, experiment: Option<&str>) -> PyResult<Plan> {
        let one = |default| self.rows.one(default);
        let first = &self.conditions[0];
        let seed = self.seed;
        let plan = match experiment {
            None => self.grid(),
            Some("checkup") => build::checkup(oversleep_os::method::entries().map(|entry| entry.id.row()), seed),
            Some("herman") => build::herman(one(DEFAULT_METHODS.herman)?, self.repeats.unwrap_or(200), first, seed),
            Some("rizzo") => self.rizzo()?,
            Some("oneill") => {
                let loads = if self.loads.is_empty() { vec![0, 1, 2, 3, 4, 5] } else { self.loads.clone() };
                build::oneill(one(DEFAULT_METHODS.oneill)?, self.repeats.unwrap_or(50), &loads, self.kind, first, seed)
            }
            Some("periodic") => self.periodic()?,
            Some(other) => {
                return Err(wrong(format!(
                    "no experiment is called '{other}'; there are checkup, herman, rizzo, oneill and periodic"
                )));
            }
        };
        guard_real_time(&plan)?;
        Ok(plan)
    }

    fn grid(&self) -> Plan {
        let rows = self.rows.or(&[DEFAULT_METHODS.measure]);
        let default = [Pattern::fixed(Nanos::MILLISECOND)];
        let requests = if self.requests.is_empty() { &default[..] } else { &self.requests };
        let grid = Grid { rows: &rows, requests, conditions: &self.conditions };
        build::measure(&grid, self.repeats.unwrap_or(1_000), self.seed)
    }

    fn rizzo(&self) -> PyResult<Plan> {
        let fixed = |pattern: &Pattern| pattern.requested().ok_or_else(|| wrong("a sweep takes single requests"));
        let requests = match self.requests.as_slice() {
            [] => build::rizzo_requests(Nanos::MICROSECOND, Nanos::from_secs(10)),
            some => some.iter().map(fixed).collect::<PyResult<_>>()?,
        };
        let rows = self.rows.or(DEFAULT_METHODS.rizzo);
        Ok(build::rizzo(&rows, &requests, self.repeats.unwrap_or(20), &self.conditions[0], self.seed))
    }

    fn periodic(&self) -> PyResult<Plan> {
        let row = self.rows.one(DEFAULT_METHODS.periodic)?;
        if row.mode == Mode::Yield {
            return Err(wrong(format!("{} takes no time, so it can keep no schedule", row.name)));
        }
        let period = self.period.unwrap_or(Nanos::MILLISECOND);
        let ten_seconds = (Nanos::from_secs(10).get() / period.get()).max(1).unsigned_abs();
        let count = self.repeats.unwrap_or(ten_seconds);
        if i64::try_from(count).ok().and_then(|count| period.checked_mul(count)).is_none() {
            return Err(wrong(format!("{count} periods of {period} last longer than 292 years")));
        }
        Ok(build::periodic(row, period, count, &self.conditions[0], self.seed))
    }
}

/// A real-time thread that never sleeps would keep everything else off its processor for as long as it runs.
fn guard_real_time(plan: &Plan) -> PyResult<()> {
    let real_time = |cell: &&Cell| cell.conditions.is_real_time();
    match plan.cells.iter().filter(real_time).find(|cell| cell.row().is_some_and(Row::spins)) {
        Some(cell) => Err(wrong(format!(
            "{} never gives its processor up: under a real-time policy it would starve the machine; leave one of them out",
            cell.method
        ))),
        None => Ok(()),
    }
}
