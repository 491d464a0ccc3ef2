//! The question that late sleeps leave open: what ran while they should have.

use super::results::Results;
use crate::report::repeat;
use oversleep_recording::document::{Cause, CellDiagnosis, Diagnosis, Undecided};
use oversleep_recording::{Meta, Origin};
use oversleep_sys::units::Nanos;

/// Least part of the 99th percentile that no cause explains, for the question to be asked.
const LEAST: Nanos = Nanos::from_micros(100);
/// Least ratio of the 99th percentile to the median.
const TAIL: f64 = 5.0;

/// Returns the question of the cell with the most unexplained 99th percentile, if that is large. Only sleeps on Linux
/// can be examined when they are late.
pub(super) fn question(results: &Results, diagnosis: &Diagnosis) -> Option<Undecided> {
    let meta = &results.meta;
    if meta.origin != Origin::Live || meta.machine.system != "Linux" || results.note.late.is_some() {
        return None;
    }
    let (p50, p99, rest) = diagnosis.cells.iter().filter_map(|cell| tail(results, cell)).max_by_key(|tail| tail.2)?;
    let threshold = Nanos::from_f64((p50.as_f64() * p99.as_f64()).sqrt());
    Some(Undecided {
        question: "what makes the latest sleeps so late".to_owned(),
        why: format!(
            "{rest} of {p99} at the 99th percentile follow no pattern, and samples alone do not say what ran instead"
        ),
        experiment: command(meta, threshold)?,
        candidates: [Cause::RunQueue, Cause::PeriodicInterference, Cause::HostSteal]
            .map(|cause| cause.name().to_owned())
            .to_vec(),
    })
}

/// Returns the median, the 99th percentile, and the part of this that no cause explains, if it is a long tail.
fn tail(results: &Results, found: &CellDiagnosis) -> Option<(Nanos, Nanos, Nanos)> {
    let cell = results.cells.iter().find(|cell| cell.cell.id == found.cell)?;
    let (p50, p99) = (cell.raw.p50?, cell.raw.p99?);
    let rest = Nanos::new(*found.budget.p99_ns.as_ref()?.get("unexplained")?);
    let long = p99.as_f64() >= TAIL * p50.as_f64().max(1.0);
    (long && rest >= LEAST && rest.get() * 2 > p99.get()).then_some((p50, p99, rest))
}

/// Returns the command that measures again and examines sleeps later than this, in whole tens of microseconds.
fn command(meta: &Meta, threshold: Nanos) -> Option<String> {
    let micros = (threshold.get() / 10_000).max(1) * 10;
    Some(format!("{} --on-late {micros}us && oversleep explain", repeat::command(meta)?))
}
