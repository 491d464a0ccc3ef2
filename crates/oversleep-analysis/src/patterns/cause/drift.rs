//! `clock-drift`: the timer runs at another rate than the clock. A positive drift means that the tick is longer than
//! nominal, so that lateness climbs. Where the recorded rates of counters explain it, `calibration` is found as well.

use super::sawtooth::GROWING_COST;
use super::systems::System;
use super::{At, Detection, calibration};
use crate::patterns::features::grid::{Grid, centred, fit};
use crate::patterns::features::group::Group;
use crate::patterns::features::pieces::{self, Piece};
use crate::patterns::features::robust::{median, standard_error};
use crate::patterns::features::slide::Slide;
use crate::patterns::features::tick::{Design, REACH, Tick};
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::{ClockDrift, DriftBasis};
use oversleep_recording::document::{Finding, Unit};

/// Smaller drifts, in ppm, count as none: a clock's own steering changes as much within minutes.
pub(super) const LEAST: f64 = 0.5;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    if let Some(parts) = in_parts(features) {
        return parts.into_iter().map(|finding| (At::Machine, finding)).collect();
    }
    let of_ticks = || of_tick(features).filter(|_| !features.unsettled);
    let drift = of_slide(features).or_else(of_ticks).or_else(|| of_quantum(features));
    // Windows' resolution of 1 ms is often one of 0.997 ms: that is the timer's own length, not a drift.
    let windows = System::new(features) == Some(System::Windows);
    let drift = drift.filter(|drift| !windows || drift.ppm.abs() < 2_000.0);
    let Some(drift) = drift.filter(Drift::significant) else { return Vec::new() };
    let mut finding = drift.finding();
    steered(features, &mut finding);
    let calibration = calibration::explain(features, &mut finding);
    std::iter::once(finding).chain(calibration).map(|finding| (At::Machine, finding)).collect()
}

/// Adds how much the clock was steered: a clock that is sped up lengthens each tick by the same ratio.
fn steered(features: &Features<'_>, finding: &mut Finding) {
    let Some(ntp) = features.recording.meta.machine.ntp.as_ref() else { return };
    let ppm = finding.size;
    if let Some(evidence) = finding.evidence.get_mut::<ClockDrift>() {
        evidence.ntp_ppm = Some(ntp.frequency.get());
        evidence.calibration_ppm = evidence.alias_ppm.is_none().then(|| ppm - ntp.frequency.get());
    }
}

/// What one more tick per period of the rhythm would add to a drift, in ppm, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alias {
    ppm: f64,
    error: f64,
}

/// A drift in ppm with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Drift {
    /// Parts per million; positive: the tick is longer than nominal.
    pub(super) ppm: f64,
    /// Standard error, in ppm.
    pub(super) error: f64,
    /// What one more tick per period would add without changing these samples; `None` where the rate itself was seen.
    pub(super) alias: Option<Alias>,
    /// What it was measured by.
    pub(super) basis: DriftBasis,
}

impl Drift {
    /// Returns whether the drift differs from zero: by more than five standard errors and 0.5 ppm.
    pub(super) fn significant(&self) -> bool {
        self.ppm.abs() > (5.0 * self.error).max(LEAST)
    }

    /// Returns whether a stretch between changes of the rate says something: its drift differs from zero, or is known to
    /// be zero as precisely as that.
    fn is_known(&self) -> bool {
        self.significant() || 5.0 * self.error <= LEAST
    }

    fn finding(self) -> Finding {
        let margin = 4.0 * self.error + 0.05;
        let evidence = ClockDrift {
            drift_ppm: self.ppm,
            basis: self.basis,
            alias_ppm: self.alias.map(|alias| alias.ppm),
            alias_error_ppm: self.alias.map(|alias| alias.error).filter(|error| *error > 0.0),
            ntp_ppm: None,
            calibration_ppm: None,
            side_by_side: None,
            from_s: None,
            to_s: None,
            to_error_s: None,
        };
        let mut finding = Finding::new(evidence, self.ppm, Unit::Ppm)
            .between(self.ppm - margin, self.ppm + margin)
            .sure(if self.alias.is_some() { 0.85 } else { 0.97 });
        if self.basis == DriftBasis::Slide {
            finding.confounders.push(GROWING_COST.into());
        }
        finding
    }
}

/// Returns the drift before and after each change of the rate, where there is one; `None` if the rate does not change.
fn in_parts(features: &Features<'_>) -> Option<Vec<Finding>> {
    let slides = features.slides.iter().zip(&features.rules).zip(&features.groups);
    let bent = slides.filter_map(|((slide, rule), group)| match (slide, rule) {
        (Some(slide), LatenessRule::Tick(tick)) if tick.design == Design::Sliding => {
            Some((slide.pieces(&group.timed()), Some(whole_ticks(slide, tick)), DriftBasis::Slide))
        }
        (_, LatenessRule::Tick(tick)) if tick.design == Design::Diverse && !features.unsettled => {
            Some((of_a_tick(group, tick)?, None, DriftBasis::Tick))
        }
        _ => None,
    });
    let (pieces, alias, basis) =
        bent.max_by_key(|(pieces, ..)| pieces.len()).filter(|(pieces, ..)| pieces.len() > 1)?;
    Some(of_pieces(&pieces, alias, basis))
}

/// Returns the drift of each piece that has one, or has none for certain.
fn of_pieces(pieces: &[Piece], alias: Option<Alias>, basis: DriftBasis) -> Vec<Finding> {
    let last = pieces.len() - 1;
    let drifts = pieces.iter().enumerate().filter_map(|(at, piece)| {
        let drift = Drift { ppm: piece.slope * 1e-3, error: piece.error * 1e-3, alias, basis };
        let mut finding = drift.is_known().then(|| drift.finding())?;
        if let Some(evidence) = finding.evidence.get_mut::<ClockDrift>() {
            evidence.from_s = Some(piece.from);
            evidence.to_s = Some(piece.to);
            evidence.to_error_s = (at < last).then_some(piece.to_error);
        }
        Some(finding)
    });
    drifts.collect()
}

/// Returns how wake-ups move against a tick of nominal length, as pieces of constant slope (ns per second).
fn of_a_tick(group: &Group, tick: &Tick) -> Option<Vec<Piece>> {
    let (hz, grid) = (tick.hz?, tick.grid?);
    let timed = group.timed();
    let begin = timed.first()?.end;
    // Measured against the grid that was found; the drift of that grid is added to each slope.
    let own = (grid.tick * hz * 1e-9 - 1.0) * 1e9;
    let points: Vec<(f64, f64)> =
        timed.iter().map(|sleep| ((sleep.end - begin) * 1e-9, centred(grid.past(sleep.end), grid.tick))).collect();
    Some(pieces::fit(&points).into_iter().map(|piece| Piece { slope: piece.slope + own, ..piece }).collect())
}

/// Measures the drift by the slide of lateness at a steady rhythm.
fn of_slide(features: &Features<'_>) -> Option<Drift> {
    // On Windows, a tick of about 1 ms whose length is open slides because of its length, not because of a drift.
    let windows = System::new(features) == Some(System::Windows);
    let slides = features.slides.iter().zip(&features.rules).filter_map(|(slide, rule)| match rule {
        LatenessRule::Tick(tick) if tick.design == Design::Sliding && !(windows && tick.grid.is_none()) => {
            slide.as_ref().map(|slide| (slide, tick))
        }
        _ => None,
    });
    let (slide, tick) = slides.min_by(|a, b| a.0.error.total_cmp(&b.0.error))?;
    let alias = Some(whole_ticks(slide, tick));
    Some(Drift { ppm: slide.slope * 1e-3, error: slide.error * 1e-3, alias, basis: DriftBasis::Slide })
}

/// Returns what one more tick per period of the rhythm would add to a slide's drift: the slide itself does not show it.
/// Where the rate is open, the tick is taken to be as long as the jumps, or else the shortest that kernels have.
fn whole_ticks(slide: &Slide, tick: &Tick) -> Alias {
    let known = tick.hz.map(|hz| (1e9 / hz, 0.0));
    let (length, error) = known.or(slide.jump.map(|jump| (jump, slide.jump_error))).unwrap_or((SHORTEST, 0.0));
    Alias { ppm: 1e6 * length / slide.rhythm, error: 1e6 * error / slide.rhythm }
}

/// The shortest tick that kernels are built with, in ns.
const SHORTEST: f64 = 100_000.0;

/// Least part of wake-ups that are at a tick whose length is measured: other lengths bring together fewer of them too.
const MOST: f64 = 0.5;

/// Measures the drift by the tick's length, with all methods' wake-ups together where they keep one grid. Methods on
/// the timer wheel keep the same tick.
pub(super) fn of_tick(features: &Features<'_>) -> Option<Drift> {
    let ticks: Vec<(usize, f64, Grid)> = features
        .rules
        .iter()
        .enumerate()
        .filter_map(|(at, rule)| match rule {
            LatenessRule::Tick(tick) => {
                let grid = tick.grid.filter(|grid| grid.on_grid >= MOST);
                named(tick).zip(grid).map(|(hz, grid)| (at, hz, grid))
            }
            _ => None,
        })
        .collect();
    let &(first, hz, best) = ticks.iter().min_by(|a, b| a.2.error.total_cmp(&b.2.error))?;
    let clock = features.groups[first].clock;
    let mut times: Vec<(f64, f64)> = Vec::new();
    for &(at, own, _) in &ticks {
        let group = &features.groups[at];
        if (own - hz).abs() < 1e-9 && group.clock == clock {
            let shift = group.origin.saturating_sub(features.groups[first].origin) as f64;
            times.extend(group.timed().iter().map(|sleep| (sleep.end + shift, sleep.due + shift)));
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ends: Vec<f64> = times.iter().map(|time| time.0).collect();
    let dues: Vec<f64> = times.iter().map(|time| time.1).collect();
    // If the tick found is of this rate, search near it: further off, pauses of equal length let wake-ups fit others.
    let near = (best.tick * hz * 1e-9 - 1.0).abs() < 0.01;
    let (about, reach) = if near { (1e9 / best.tick, 300.0) } else { (hz, REACH) };
    let joint = fit(&ends, &dues, about, reach).filter(|grid| grid.on_grid > 0.8).unwrap_or(best);
    let ppm = (joint.tick * hz * 1e-9 - 1.0) * 1e6;
    // Wake-up costs vary with the idle states, so their scatter does not average out as chance would; on a kernel that
    // idles deeply between the timer wheel's timeouts, they vary by some 10 µs within a recording.
    let span = (ends.last()? - ends.first()?).max(1.0);
    let wheels = ticks.iter().all(|&(at, ..)| features.wheels[at]);
    let wander = if wheels { 10_000.0 } else { 0.5 * joint.jitter } / span * 1e6;
    // The first wake-ups meet cold caches, and with random requests others cost more after longer sleeps: over a few seconds,
    // this looks like a drift.
    let random = |at: usize| matches!(&features.rules[at], LatenessRule::Tick(tick) if tick.design == Design::Diverse);
    let part = if ticks.iter().any(|&(at, ..)| random(at)) { 1.0 } else { (6.0 * FIRST / ends.len() as f64).min(1.0) };
    let cold = part * COLD / span * 1e6;
    let wander = wander.max(0.5 * cost_range(features, &ticks, first, &joint) / span * 1e6).max(cold);
    let wander = wander.max(bend(&ends, &joint) / span * 1e6);
    Some(Drift { ppm, error: (joint.error * hz * 1e-3).max(wander), alias: None, basis: DriftBasis::Tick })
}

/// What the first wake-ups cost more than later ones, in ns, and how many do: of n points of a line, the first ones bend its slope
/// by six times their share.
const COLD: f64 = 3_000.0;
const FIRST: f64 = 3.0;

/// Number of stretches, and fewest wake-ups in each.
const STRETCHES: usize = 10;
const IN_EACH: usize = 12;

/// Returns how far, in ns, whole stretches of wake-ups lie beside the grid: by little if ticks keep one length, by parts of
/// a tick if their phase moved, which a line through them would take for a drift.
fn bend(ends: &[f64], grid: &Grid) -> f64 {
    let size = ends.len().div_ceil(STRETCHES).max(IN_EACH);
    let usual = |stretch: &[f64]| {
        let past: Vec<f64> = stretch.iter().map(|end| centred(grid.past(*end), grid.tick)).collect();
        // Without the scatter of the stretch's own centre.
        median(&past).map(|middle| (middle, 3.0 * standard_error(&past, middle)))
    };
    let all: Vec<(f64, f64)> = ends.chunks(size).filter(|part| part.len() >= IN_EACH).filter_map(usual).collect();
    let least = all.iter().map(|(middle, error)| middle + error).fold(f64::INFINITY, f64::min);
    let most = all.iter().map(|(middle, error)| middle - error).fold(f64::NEG_INFINITY, f64::max);
    (most - least).max(0.0)
}

/// Returns the rate of a tick's grid in Hz. Back to back, rates that fit are fractions of each other and drift alike.
fn named(tick: &Tick) -> Option<f64> {
    tick.hz.or_else(|| tick.candidates.first().copied().filter(|_| tick.design == Design::Locked))
}

/// Returns by how much the usual distance from the tick differs between cells, in ns. Waking costs more after long
/// sleeps and with some methods; a plan that takes them in order makes that look like a drift.
fn cost_range(features: &Features<'_>, ticks: &[(usize, f64, Grid)], first: usize, grid: &Grid) -> f64 {
    let mut usual: Vec<f64> = Vec::new();
    for &(at, ..) in ticks {
        let group = &features.groups[at];
        let shift = group.origin.saturating_sub(features.groups[first].origin) as f64;
        for &view in &group.views {
            let own = group.sleeps.iter().filter(|sleep| sleep.view == view && sleep.requested > 0.0);
            let past: Vec<f64> = own.map(|sleep| centred(grid.past(sleep.end + shift), grid.tick)).collect();
            usual.extend(median(&past).filter(|_| past.len() >= 3));
        }
    }
    let (least, most) = usual.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
    (most - least).max(0.0)
}

/// Measures the drift by the quantum of a run queue, which ends at ticks, against the nearest whole millisecond.
pub(super) fn of_quantum(features: &Features<'_>) -> Option<Drift> {
    let queue = features.queues.iter().min_by(|a, b| (a.error / a.quantum).total_cmp(&(b.error / b.quantum)))?;
    let named = (queue.quantum / 1e6).round() * 1e6;
    let ppm = (queue.quantum / named - 1.0) * 1e6;
    (named > 0.0 && ppm.abs() < 1_500.0).then_some(Drift {
        ppm,
        error: queue.error / named * 1e6,
        alias: None,
        basis: DriftBasis::Quantum,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a stretch whose drift may as well be zero is not a finding unless it is zero for certain, and that the
    /// others keep their times.
    #[test]
    fn a_part_of_unknown_drift_is_not_reported() {
        let piece = |from, to, slope, error| Piece { from, to, to_error: 0.5, slope, error };
        assert_eq!(of_pieces(&[piece(0.0, 300.0, 0.0, 50.0)], None, DriftBasis::Tick).len(), 1);
        let pieces = [piece(0.0, 6.46, 360.0, 1_100.0), piece(6.46, 15.0, 30_000.0, 200.0)];
        let found = of_pieces(&pieces, None, DriftBasis::Tick);
        let [second] = &found[..] else { panic!("{found:?}") };
        assert!(second.low.is_some_and(|low| low > 0.0), "{second:?}");
        assert_eq!(second.evidence.get::<ClockDrift>().and_then(|drift| drift.from_s), Some(6.46));
    }
}
