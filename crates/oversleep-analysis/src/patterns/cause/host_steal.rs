//! `host-steal`: several processors were stopped at the same time.
//!
//! The threads of another program may all have been stopped by the program itself (to collect garbage), and those under a
//! quota by the kernel: there the question stays open.

use super::{At, Cause, Detection};
use crate::experiment;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_figures::quantile::place;
use oversleep_recording::Origin;
use oversleep_recording::document::evidence::HostSteal;
use oversleep_recording::document::{Finding, Undecided, Unit};
use oversleep_sys::units::Nanos;

/// Fewest stalls shared by two threads.
const ENOUGH: usize = 3;
/// Most stalls whose times are named.
const NAMED: usize = 64;

/// A very late sleep: times in ns, and the thread with its group.
#[derive(Debug, Clone, Copy)]
struct Stall {
    due: f64,
    end: f64,
    thread: (usize, u16),
    cpu: u16,
}

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    if may_be_the_process(features) {
        return Vec::new();
    }
    found(features).map(|finding| (At::Machine, finding)).into_iter().collect()
}

/// Returns the question about stalls of several processors at once that may be those of the sleepers' process alone.
pub(in crate::patterns) fn undecided(features: &Features<'_>) -> Option<Undecided> {
    let finding = found(features).filter(|_| may_be_the_process(features))?;
    let evidence = finding.evidence.get::<HostSteal>()?;
    Some(Undecided {
        question: "what stopped several threads at once".to_owned(),
        why: format!(
            "not enough to tell: {} stalls ended together on several processors, where chance ends {:.1}; the host, or a stop of \
             the whole process",
            evidence.stalls, evidence.expected_by_chance
        ),
        experiment: experiment::stalls(&features.recording.meta.origin),
        candidates: [Cause::HostSteal, Cause::Stopped, Cause::Throttled].map(|cause| cause.name().to_owned()).to_vec(),
    })
}

/// Returns whether all threads may have been stopped because they are of one process.
fn may_be_the_process(features: &Features<'_>) -> bool {
    let meta = &features.recording.meta;
    matches!(meta.origin, Origin::Imported { .. }) || meta.machine.quota.is_some()
}

fn found(features: &Features<'_>) -> Option<Finding> {
    let stalls = stalls(features);
    let shared = shared(&stalls);
    let (from, to) = stalls.iter().fold((f64::INFINITY, 0.0f64), |(from, to), s| (from.min(s.due), to.max(s.end)));
    // The number of unrelated stalls that overlap by chance.
    let busy: f64 = stalls.iter().map(|stall| stall.end - stall.due).sum();
    let expected = stalls.len() as f64 * busy / (to - from).max(1.0);
    if shared.len() < ENOUGH || (shared.len() as f64) < 5.0 * expected {
        return None;
    }
    let mut lengths: Vec<f64> = shared.iter().map(|stall| stall.end - stall.due).collect();
    lengths.sort_by(f64::total_cmp);
    let evidence = HostSteal { stalls: shared.len(), expected_by_chance: expected, ends_ns: ends(features, &shared) };
    let finding = Finding::new(evidence, lengths[place(lengths.len(), 0.5)], Unit::Nanoseconds);
    Some(finding.between(lengths[0], lengths[lengths.len() - 1]).sure(0.85))
}

/// Returns the ends of the longest of these stalls, ascending, on their clock.
fn ends(features: &Features<'_>, shared: &[Stall]) -> Vec<Nanos> {
    let origin = features.groups.first().map_or(0, |group| group.origin);
    let mut longest = shared.to_vec();
    longest.sort_by(|a, b| (b.end - b.due).total_cmp(&(a.end - a.due)));
    longest.truncate(NAMED);
    longest.sort_by(|a, b| a.end.total_cmp(&b.end));
    longest.iter().map(|stall| Nanos::new(origin).saturating_add(Nanos::from_f64(stall.end))).collect()
}

/// Returns sleeps late by more than twenty times their cell's median and 200 µs, of the groups on one clock.
fn stalls(features: &Features<'_>) -> Vec<Stall> {
    let Some(first) = features.groups.first() else { return Vec::new() };
    let mut stalls = Vec::new();
    for (at, group) in features.groups.iter().enumerate().filter(|(_, group)| group.clock == first.clock) {
        if matches!(features.rules[at], LatenessRule::Queue(_) | LatenessRule::Waits) {
            continue;
        }
        let shift = group.origin.saturating_sub(first.origin) as f64;
        for sleep in &group.sleeps {
            let usual = features.views[sleep.view].quantile(0.5) as f64;
            if sleep.late > (20.0 * usual).max(200_000.0) {
                let (due, end) = (sleep.due + shift, sleep.end + shift);
                stalls.push(Stall { due, end, thread: (at, sleep.thread), cpu: sleep.cpu });
            }
        }
    }
    stalls.sort_by(|a, b| a.end.total_cmp(&b.end));
    stalls
}

/// Returns the stalls that another thread on another processor shared: they ended within a tenth of their length.
fn shared(stalls: &[Stall]) -> Vec<Stall> {
    let together = |a: &Stall, b: &Stall| {
        a.thread != b.thread && a.cpu != b.cpu && (b.end - a.end).abs() < 0.1 * (a.end - a.due).min(b.end - b.due)
    };
    stalls.windows(2).filter(|pair| together(&pair[0], &pair[1])).map(|pair| pair[1]).collect()
}
