//! `host-steal`: several processors were stopped at the same time.

use super::{At, Detection};
use crate::analysis::patterns::features::{Features, LatenessRule};
use crate::figures::quantile::place;
use oversleep_recording::document::evidence::HostSteal;
use oversleep_recording::document::{Finding, Unit};
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
    let stalls = stalls(features);
    let shared = shared(&stalls);
    let (from, to) = stalls.iter().fold((f64::INFINITY, 0.0f64), |(from, to), s| (from.min(s.due), to.max(s.end)));
    // The number of unrelated stalls that overlap by chance.
    let busy: f64 = stalls.iter().map(|stall| stall.end - stall.due).sum();
    let expected = stalls.len() as f64 * busy / (to - from).max(1.0);
    if shared.len() < ENOUGH || (shared.len() as f64) < 5.0 * expected {
        return Vec::new();
    }
    let mut lengths: Vec<f64> = shared.iter().map(|stall| stall.end - stall.due).collect();
    lengths.sort_by(f64::total_cmp);
    let evidence = HostSteal { stalls: shared.len(), expected_by_chance: expected, ends_ns: ends(features, &shared) };
    let finding = Finding::new(evidence, lengths[place(lengths.len(), 0.5)], Unit::Nanoseconds)
        .between(lengths[0], lengths[lengths.len() - 1])
        .sure(0.85);
    vec![(At::Machine, finding)]
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
