//! `cached-clock`: the kernel times sleeps with a clock it refreshes every few ticks (FreeBSD above 1 kHz:
//! `tc_tick = (hz + 500) / 1000`), so wake-ups crowd on a coarser grid than the tick's.

use super::{At, Cause, Seen};
use crate::analysis::diagnose::features::grid::{Grid, resultant, thin};
use crate::analysis::diagnose::features::group::Sleep;
use crate::analysis::diagnose::features::rounding::Rounding;
use crate::analysis::diagnose::features::tick::{Design, Tick};
use crate::analysis::diagnose::features::{Features, Rule};
use crate::analysis::diagnose::finding::{Finding, Unit};

/// Coarsest grid looked for, in ticks.
const COARSEST: u32 = 40;

pub(super) fn look(features: &Features<'_>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (rule, group) in features.rules.iter().zip(&features.groups) {
        let Rule::Tick(tick) = rule else { continue };
        // Slower ticks are windups themselves; other designs have a rhythm of their own.
        let Some((grid, hz)) = tick.grid.zip(tick.hz).filter(|(_, hz)| tick.design == Design::Diverse && *hz > 1_024.0)
        else {
            continue;
        };
        let timed = group.timed();
        let ends: Vec<f64> = thin(&timed.iter().map(|sleep| sleep.end).collect::<Vec<_>>());
        let ruled: Vec<f64> =
            thin(&timed.iter().map(|sleep| predicted(sleep, tick, &grid, 1e9 / hz)).collect::<Vec<_>>());
        let lengths = (2..=COARSEST).map(|ticks| (ticks, resultant(&ends, 1.0 / (f64::from(ticks) * grid.tick)).0));
        let Some((ticks, length)) = lengths.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        // Requests of whole milliseconds from one wake-up to the next keep a coarse grid without any cached clock.
        let anyway = resultant(&ruled, 1.0 / (f64::from(ticks) * grid.tick)).0;
        if length < 0.25 || ends.len() as f64 * length * length < 25.0 || length < anyway + 0.2 {
            continue;
        }
        let granularity = f64::from(ticks) * grid.tick;
        let finding = Finding::new(Cause::CachedClock, granularity, Unit::Nanoseconds)
            .sure(0.9)
            .with("granularity_ns", granularity)
            .with("ticks", ticks)
            .with("rayleigh", length)
            .with("rayleigh_by_rule", anyway)
            .with("hz", hz);
        seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
    }
    seen
}

/// Where the rounding rule alone would have ended a sleep.
fn predicted(sleep: &Sleep, tick: &Tick, grid: &Grid, nominal: f64) -> f64 {
    let in_progress = sleep.start - grid.past(sleep.start);
    let after = |time: f64| time + (grid.tick - grid.past(time)).rem_euclid(grid.tick);
    match tick.rounding {
        Some(Rounding::UpPlusOne) => in_progress + ((sleep.requested / nominal - 1e-6).ceil() + 1.0) * grid.tick,
        Some(Rounding::Early) => after(in_progress + sleep.requested),
        Some(Rounding::Up) | None => after(sleep.due),
    }
}
