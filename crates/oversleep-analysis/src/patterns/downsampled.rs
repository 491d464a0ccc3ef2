//! Diagnosis of long recordings: their first sleeps, completed by what only the whole run shows.

use super::budget;
use super::cause::Cause;
use super::features::{Features, LatenessRule};
use super::{diagnose, of_features};
use crate::downsample::{Downsampled, SpreadSample};
use oversleep_figures::CellSummary;
use oversleep_recording::document::Figures;
use oversleep_recording::document::evidence::{ChangePoint, ClockDrift, DriftBasis, EarlyWake, TickQuantised};
use oversleep_recording::document::{CellDiagnosis, Diagnosis, Finding};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns what the pattern of a recording's samples shows, however long it is. `cells`: the figures of them all.
///
/// For a recording that was kept whole this is exactly what [`diagnose`] returns. For a longer one, the rules of
/// lateness (tick, slack, queue) and the shares come from the first sleeps of every cell; changes, clusters, stalls,
/// early wake-ups, slow rhythms and the drift from sleeps spread over the run; counts, and the median and 99th
/// percentile that budgets split, from all samples.
pub fn diagnose_downsampled(downsampled: &Downsampled, cells: &[CellSummary]) -> Diagnosis {
    let Some(spread) = &downsampled.spread else { return diagnose(&downsampled.first) };
    let first = downsampled.first.untraced();
    let mut features = Features::new(&first);
    let whole: BTreeMap<u32, &CellSummary> = cells.iter().map(|summary| (summary.cell.id, summary)).collect();
    for view in &mut features.views {
        if let Some((least, count)) = whole.get(&view.cell.id).and_then(|summary| least(summary)) {
            (view.least, view.count) = (least, count);
        }
    }
    let mut diagnosis = of_features(&features);
    let later = later(&features, spread, &whole);
    machine(&mut diagnosis.machine, later.machine);
    for (view, (cell, seen)) in features.views.iter().zip(&mut diagnosis.cells).enumerate() {
        let Some(summary) = whole.get(&cell.cell.id) else { continue };
        if (cell.series.len() as u64) < usable(summary) {
            let Figures { p50, p99, .. } = summary.raw;
            seen.budget = budget::of_quantiles(&features, view, p50, p99);
            seen.findings.iter_mut().for_each(|finding| size_of_all(finding, p50));
        }
        if let Some(later) = later.cells.iter().find(|later| later.cell == seen.cell) {
            beside(&mut seen.findings, &later.findings);
        }
        super::by_share(&mut seen.findings);
    }
    diagnosis
}

fn usable(summary: &CellSummary) -> u64 {
    summary.raw.n.saturating_sub(summary.interrupted)
}

/// Returns the least lateness of all sleeps, in ns, and their number. `None` where signals ended some: the figures count
/// these too.
fn least(summary: &CellSummary) -> Option<(i64, usize)> {
    let count = usize::try_from(summary.raw.n).unwrap_or(usize::MAX);
    summary.raw.min.filter(|_| summary.interrupted == 0).map(|least| (least.get(), count))
}

/// Sets a finding's size, where it is the cell's median lateness, to the median of all sleeps.
fn size_of_all(finding: &mut Finding, p50: Option<Nanos>) {
    let median = matches!(finding.cause(), Cause::TickQuantised | Cause::TimerWheel | Cause::RunQueue);
    if let Some(p50) = p50.filter(|_| median) {
        finding.size = p50.as_f64().max(0.0);
    }
}

/// Causes that only sleeps spread over the run can show.
const OF_THE_RUN: &[Cause] = &[Cause::ChangePoint, Cause::Bimodal, Cause::Stopped, Cause::EarlyWake, Cause::HostSteal];

/// Returns what the sleeps spread over the run show, without the findings that would need neighbouring sleeps.
fn later(features: &Features<'_>, spread: &SpreadSample, whole: &BTreeMap<u32, &CellSummary>) -> Diagnosis {
    let mut diagnosis = diagnose(&spread.recording);
    let ruled = |cell: &CellDiagnosis| {
        let view = features.views.iter().find(|view| view.cell.id == cell.cell);
        view.map(|view| &features.rules[view.group])
    };
    for cell in &mut diagnosis.cells {
        // Without their neighbours, sleeps that wait for a queue or a tick look like clusters or changes.
        let (queue, tick) = match ruled(cell) {
            Some(LatenessRule::Queue(_) | LatenessRule::Waits) | None => (true, true),
            Some(LatenessRule::Tick(_)) => (false, true),
            Some(_) => (false, false),
        };
        cell.findings.retain(|finding| match finding.cause() {
            Cause::ChangePoint | Cause::Bimodal => !tick,
            Cause::Stopped | Cause::PeriodicInterference => !queue,
            _ => true,
        });
        let places = spread.places.get(&cell.cell);
        for finding in &mut cell.findings {
            match finding.cause() {
                Cause::ChangePoint => number_in_run(finding, places.map_or(&[], Vec::as_slice)),
                Cause::EarlyWake => count_all(finding, whole.get(&cell.cell).copied()),
                _ => {}
            }
        }
    }
    if features.rules.iter().any(|rule| matches!(rule, LatenessRule::Queue(_) | LatenessRule::Waits)) {
        diagnosis.machine.retain(|finding| finding.cause() != Cause::HostSteal);
    }
    diagnosis
}

/// Replaces the findings of causes that only the whole run shows; adds a rhythm where the first sleeps show none.
fn beside(findings: &mut Vec<Finding>, later: &[Finding]) {
    findings.retain(|finding| !OF_THE_RUN.contains(&finding.cause()));
    let rhythm = findings.iter().any(|finding| finding.cause() == Cause::PeriodicInterference);
    let wanted = |finding: &&Finding| {
        OF_THE_RUN.contains(&finding.cause()) || (finding.cause() == Cause::PeriodicInterference && !rhythm)
    };
    findings.extend(later.iter().filter(wanted).cloned());
}

/// Completes the machine's findings: stalls from the whole run, and the same tick's drift if the run shows it better.
fn machine(findings: &mut Vec<Finding>, later: Vec<Finding>) {
    findings.retain(|finding| !OF_THE_RUN.contains(&finding.cause()));
    let rate = |among: &[Finding]| {
        among.iter().find_map(|finding| finding.evidence.get::<TickQuantised>()).and_then(|tick| *tick.hz)
    };
    let same_tick = rate(findings).is_some_and(|hz| rate(&later).is_some_and(|other| (other - hz).abs() < 1e-9));
    let in_parts = |finding: &Finding| finding.evidence.get::<ClockDrift>().is_some_and(|drift| drift.from_s.is_some());
    if findings.iter().any(in_parts) || later.iter().any(in_parts) {
        // Only the whole run can show a rate that changes in mid-run.
        findings.retain(|finding| !matches!(finding.cause(), Cause::ClockDrift | Cause::Calibration));
        findings.extend(
            later.into_iter().filter(|finding| finding.cause() == Cause::HostSteal || (same_tick && in_parts(finding))),
        );
        return;
    }
    for finding in later {
        match finding.cause() {
            Cause::HostSteal => findings.push(finding),
            Cause::ClockDrift if same_tick => {
                let old = findings.iter_mut().find(|old| old.cause() == Cause::ClockDrift && better(&finding, old));
                if let Some(old) = old {
                    *old = finding;
                }
            }
            _ => {}
        }
    }
}

/// Returns whether both drifts were measured by wake-ups on the tick's grid and `one` has the narrower interval.
fn better(one: &Finding, other: &Finding) -> bool {
    let on_grid =
        |finding: &Finding| finding.evidence.get::<ClockDrift>().is_some_and(|drift| drift.basis == DriftBasis::Tick);
    let width = |finding: &Finding| finding.low.zip(finding.high).map_or(f64::INFINITY, |(low, high)| high - low);
    on_grid(one) && on_grid(other) && width(one) < width(other)
}

/// Makes the `sleep` of a change point a number among all sleeps of the cell.
fn number_in_run(finding: &mut Finding, places: &[u64]) {
    let Some(change) = finding.evidence.get_mut::<ChangePoint>() else { return };
    let place = usize::try_from(change.sleep).ok().and_then(|at| places.get(at));
    change.sleep = place.copied().unwrap_or(change.sleep);
}

/// Counts early wake-ups among all sleeps of the cell.
fn count_all(finding: &mut Finding, whole: Option<&CellSummary>) {
    let (Some(whole), Some(evidence)) = (whole, finding.evidence.get_mut::<EarlyWake>()) else { return };
    evidence.early = whole.values.counts(&[-super::cause::EARLY_LEAST])[0];
    evidence.sleeps = whole.raw.n;
    if let Some(least) = whole.raw.min {
        evidence.earliest_ns = least.get();
        finding.low = Some(least.as_f64());
    }
}
