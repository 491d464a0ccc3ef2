//! What each witness says of each cause.

use oversleep_recording::Traced;
use oversleep_recording::document::{Cause, CellDiagnosis, Estimate, Interventions, Unit};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Name of the row for what no cause explains.
pub(super) const UNEXPLAINED: &str = "unexplained";

/// The quantile of lateness that is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantile {
    P50,
    P99,
}

type Rows = BTreeMap<String, [Option<Estimate>; 3]>;

/// Returns a row for each cause: its sizes by pattern, intervention and trace; the largest first, the unexplained last.
pub(super) fn by_all(
    cell: &CellDiagnosis,
    interventions: Option<&Interventions>,
    traced: Option<&Traced>,
    at: Quantile,
) -> Vec<(String, [Option<Estimate>; 3])> {
    let mut rows = Rows::new();
    let mut put = |cause: &str, witness: usize, estimate: Estimate| {
        rows.entry(cause.to_owned()).or_insert([None; 3])[witness] = Some(estimate);
    };
    pattern(cell, at, |cause, estimate| put(cause, 0, estimate));
    if let Some(found) = interventions {
        intervention(cell.cell, found, at, |cause, estimate| put(cause, 1, estimate));
    }
    if let Some(traced) = traced {
        trace(traced, at, |cause, estimate| put(cause, 2, estimate));
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    let largest = |estimates: &[Option<Estimate>; 3]| {
        estimates.iter().flatten().map(|estimate| estimate.size.abs()).fold(0.0, f64::max)
    };
    rows.sort_by(|(a, of_a), (b, of_b)| {
        (a == UNEXPLAINED).cmp(&(b == UNEXPLAINED)).then(largest(of_b).total_cmp(&largest(of_a)))
    });
    rows
}

fn pattern(cell: &CellDiagnosis, at: Quantile, mut put: impl FnMut(&str, Estimate)) {
    let split = match at {
        Quantile::P50 => &cell.budget.p50_ns,
        Quantile::P99 => &cell.budget.p99_ns,
    };
    // The pattern always shows whether there is slack (it was read back, or other methods show it). Other causes that
    // it does not name may be a part of the cost of waking.
    if split.as_ref().is_some_and(|split| !split.contains_key(Cause::TimerSlack.name())) {
        put(Cause::TimerSlack.name(), Estimate::without_interval(0.0));
    }
    for (cause, &ns) in split.iter().flatten() {
        // A finding's interval is about its typical size, which is a part of the median.
        let finding = cell.findings.iter().find(|finding| {
            finding.cause().name() == cause && finding.unit == Unit::Nanoseconds && at == Quantile::P50
        });
        let (low, high) = finding.map_or((None, None), |finding| (finding.low, finding.high));
        let size = ns as f64;
        // The sleep at the median may have used less than the usual part.
        let (low, high) = (low.map(|low| low.min(size)), high.map(|high| high.max(size)));
        put(cause, Estimate { size, low, high, at_most: false });
    }
}

fn intervention(cell: u32, found: &Interventions, at: Quantile, mut put: impl FnMut(&str, Estimate)) {
    let total = match at {
        Quantile::P50 => found.base_p50_ns,
        Quantile::P99 => found.base_p99_ns,
    };
    let mut named = 0.0;
    for reading in found.readings.iter().filter(|reading| reading.cell == cell && reading.cause != Cause::ConstantCost)
    {
        let part = match at {
            Quantile::P50 => Some(reading.p50),
            Quantile::P99 => reading.p99,
        };
        if let Some(part) = part {
            named += if reading.seen { part.size } else { 0.0 };
            // What did not survive the correction for many tests is not said to exist, though its own interval may.
            let at_most = !reading.seen || part.low <= 0.0;
            put(reading.cause.name(), Estimate { at_most, ..part.into() });
        }
    }
    if let Some(total) = total.filter(|_| cell == found.base && at == Quantile::P50) {
        put(UNEXPLAINED, Estimate::without_interval(total as f64 - named));
    }
}

fn trace(traced: &Traced, at: Quantile, mut put: impl FnMut(&str, Estimate)) {
    for part in &traced.parts {
        let ns = |nanos: Nanos| nanos.as_f64();
        match at {
            Quantile::P50 => {
                // An interrupt that is late on an idle processor need not be late because of idling: under a hypervisor
                // it is late on a busy processor too.
                let at_most = part.cause == Cause::IdleExit.name();
                let (low, high) = (Some(ns(part.low)), Some(ns(part.high)));
                put(&part.cause, Estimate { size: ns(part.p50), low, high, at_most });
            }
            Quantile::P99 => {
                if let Some(at_p99) = part.at_p99 {
                    put(&part.cause, Estimate::without_interval(ns(at_p99)));
                }
            }
        }
    }
}
