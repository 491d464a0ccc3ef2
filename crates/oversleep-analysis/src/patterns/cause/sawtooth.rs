//! `sawtooth`: the tick slides against the clock's seconds, so that lateness climbs or falls and jumps back by a tick.

use super::{At, Detection};
use crate::patterns::features::tick::Design;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::Sawtooth;
use oversleep_recording::document::{Finding, Unit};

/// Names what would slide the same: known only where sleeps are due at a steady rhythm.
pub(super) const GROWING_COST: &str =
    "a cost that grows from sleep to sleep and is reset, as the work of a program after waking";

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (at, group) in features.groups.iter().enumerate() {
        let (Some(slide), LatenessRule::Tick(tick)) = (features.slides[at], &features.rules[at]) else { continue };
        // Where the rate changes in mid-run, no single slope describes the run.
        if tick.design != Design::Sliding || slide.pieces(&group.timed()).len() > 1 {
            continue;
        }
        let length = tick.hz.map(|hz| tick.grid.map_or(1e9 / hz, |grid| grid.tick));
        let slope = slide.slope * 1e-3;
        let margin = 2.0 * slide.error * 1e-3;
        let evidence = Sawtooth {
            slope_us_per_s: slope,
            period_s: length.map(|length| length / slide.slope.abs()),
            jumps: slide.jumps,
            jump_ns: slide.jump,
            range_ns: [slide.range.0, slide.range.1],
        };
        let finding = Finding::new(evidence, slope, Unit::MicrosPerSecond).between(slope - margin, slope + margin);
        let mut finding = finding.sure(if slide.jump.is_some() { 0.97 } else { 0.85 });
        finding.confounders.push(GROWING_COST.into());
        seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
    }
    seen
}
