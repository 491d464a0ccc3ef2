//! Converts traced sleeps, part by part, to the causes that the other witnesses know.

use crate::attribution::{Breakdown, ExaminedSleeps, SEEN_ONLY, by_cause, traced_cell};
use oversleep_figures::interval::{median_difference, median_ranks};
use oversleep_figures::quantile::{Fraction, of_sorted, rank, supports_quantile};
use oversleep_recording::document::{Cause, Corroboration, Diagnosis, Finding, Unit, Witness};
use oversleep_recording::plan::Cell;
use oversleep_recording::trace::Tier;
use oversleep_recording::{Recording, Traced, TracedPart};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet};

use super::estimates::UNEXPLAINED;

/// Returns the trace's figures of a cell, from its traced sleeps.
pub(super) fn of_cell(recording: &Recording, cell: &Cell) -> Option<Traced> {
    let twin = recording.meta.plan.traced_twin(cell);
    let facts = twin.and_then(|(beside, own)| traced_cell(recording, beside, own))?;
    Some(traced(cell.id, facts.tracing.tier.name(), &facts.breakdowns, &facts.untraced, &facts.shifts))
}

/// Least share of the lateness of traced sleeps for a finding of its own.
const LEAST_SHARE: f64 = 0.05;

/// Returns findings of what only kernel events show of a cell's traced sleeps, without the causes that are `known`.
pub(super) fn findings(recording: &Recording, cell: &Cell, known: &[Finding]) -> Vec<Finding> {
    let traced = recording.meta.plan.traced_twin(cell).and_then(|(beside, own)| traced_cell(recording, beside, own));
    let Some(examined) = traced.and_then(|of| ExaminedSleeps::new(0, Witness::Trace, of.breakdowns)) else {
        return Vec::new();
    };
    let sums = examined.sums();
    let all: i64 = sums.values().sum();
    let share = |cause: Cause| sums.get(&Some(cause)).copied().unwrap_or(0) as f64 / all.max(1) as f64;
    let new = SEEN_ONLY.into_iter().filter(|cause| known.iter().all(|finding| finding.cause() != *cause));
    let found = new.filter(|cause| share(*cause) >= LEAST_SHARE).filter_map(|cause| {
        let finding = examined.finding(cause)?;
        Some(Finding { share: Some(share(cause).min(1.0)), ..finding })
    });
    found.collect()
}

/// Gives the findings in traced cells the sizes and shares that kernel events show: they are measured, those of the pattern inferred. What
/// events tell apart is no longer confused with something else.
pub fn prefer_events(diagnosis: &mut Diagnosis, corroboration: &Corroboration) {
    for side in &corroboration.cells {
        let Some(traced) = side.trace.as_ref().filter(|traced| traced.tier == Tier::Events.name()) else { continue };
        let Some(cell) = diagnosis.cells.iter_mut().find(|cell| cell.cell == side.cell) else { continue };
        for finding in cell.findings.iter_mut().filter(|finding| finding.unit == Unit::Nanoseconds) {
            let Some(part) = traced.parts.iter().find(|part| part.cause == finding.cause().name()) else { continue };
            finding.share = Some(part.share.clamp(0.0, 1.0));
            finding.confounders.clear();
            // A finding of examined sleeps has its size there.
            if finding.evidence.examined().is_none() {
                finding.size = part.p50.as_f64();
                (finding.low, finding.high) = (Some(part.low.as_f64()), Some(part.high.as_f64()));
            }
        }
        cell.findings.sort_by(|a, b| b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)));
    }
}

/// Returns the figures of a cell's traced sleeps. `untraced`: oversleeps of the untraced blocks. `shifts`: how much
/// later each traced block was than the untraced block beside it.
pub fn traced(cell: u32, tier: &str, breakdowns: &[Breakdown], untraced: &[Nanos], shifts: &[Nanos]) -> Traced {
    let mut complete: Vec<&Breakdown> = breakdowns.iter().filter(|breakdown| breakdown.is_complete()).collect();
    complete.sort_by_key(|breakdown| breakdown.oversleep());
    let named = |cause: Option<Cause>| cause.map_or(UNEXPLAINED, Cause::name);
    let split: Vec<BTreeMap<&str, i64>> = complete
        .iter()
        .map(|breakdown| by_cause(breakdown).into_iter().map(|(cause, ns)| (named(cause), ns)).collect())
        .collect();
    let late = |all: &[Nanos]| median(all.iter().map(|late| late.get()).collect());
    Traced {
        cell,
        tier: tier.to_owned(),
        sleeps: breakdowns.len() as u64,
        complete: complete.len() as u64,
        traced_p50: late(&breakdowns.iter().map(Breakdown::oversleep).collect::<Vec<_>>()),
        untraced_p50: late(untraced),
        shift: median_difference(shifts),
        parts: parts(&split),
    }
}

fn parts(split: &[BTreeMap<&str, i64>]) -> Vec<TracedPart> {
    let n = split.len() as u64;
    let Some((low, high)) = median_ranks(n) else { return Vec::new() };
    let total: i128 = split.iter().flat_map(BTreeMap::values).map(|&ns| i128::from(ns)).sum();
    let last = supports_quantile(n, Fraction::P99).then(|| usize::try_from(rank(n, Fraction::P99) - 1).unwrap_or(0));
    let causes: BTreeSet<&str> = split.iter().flat_map(BTreeMap::keys).copied().collect();
    let part = |cause: &str| {
        let of = |sleep: &BTreeMap<&str, i64>| sleep.get(cause).copied().unwrap_or(0);
        let mut sorted: Vec<i64> = split.iter().map(of).collect();
        let sum: i128 = sorted.iter().map(|&ns| i128::from(ns)).sum();
        sorted.sort_unstable();
        let at =
            |rank: u64| Nanos::new(usize::try_from(rank - 1).ok().and_then(|at| sorted.get(at)).copied().unwrap_or(0));
        TracedPart {
            cause: cause.to_owned(),
            p50: at(rank(n, Fraction::P50)),
            low: at(low),
            high: at(high),
            // The sleeps are sorted by oversleep.
            at_p99: last.and_then(|last| split.get(last)).map(|sleep| Nanos::new(of(sleep))),
            share: if total > 0 { sum as f64 / total as f64 } else { 0.0 },
        }
    };
    causes.into_iter().map(part).collect()
}

fn median(mut values: Vec<i64>) -> Option<Nanos> {
    values.sort_unstable();
    supports_quantile(values.len() as u64, Fraction::P50)
        .then(|| of_sorted(&values, Fraction::P50))
        .flatten()
        .map(Nanos::new)
}
