//! Doubts about the rate of a tick that is stated: other rates that the wake-ups keep as well.

use super::{CLEAR, KEPT, REACH, USUAL, bent, divisors};
use crate::patterns::features::grid::{COMMON, downsample, resultant};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::tick::Tick;

/// Share of the sleeps whose very tick a rule names, from which the rate explains whatever coarser grid some keep.
pub(super) const EXPLAINED: f64 = 0.9;

/// Leaves the rate of a tick open where wake-ups keep other rates too. `best`: the likeliest rate, in Hz; `predicted`: the
/// share of the sleeps whose very tick the rule names.
pub(super) fn about(sleeps: &[Sleep], tick: Tick, best: f64, predicted: f64) -> Tick {
    let tick = moved(sleeps, tick, best);
    let tick = if predicted >= EXPLAINED { tick } else { multiple(sleeps, tick) };
    parts(sleeps, finer(sleeps, tick))
}

/// Leaves the rate open where wake-ups keep another rate from stretch to stretch: the phase of its ticks moved.
fn moved(sleeps: &[Sleep], tick: Tick, best: f64) -> Tick {
    let clear = tick.grid.is_some_and(|grid| grid.wakes >= CLEAR && COMMON.contains(&best));
    let mut others = if clear { Vec::new() } else { bent::rates(sleeps, best, REACH) };
    others.retain(|hz| tick.hz.is_none_or(|named| (named - hz).abs() > 1e-9));
    if others.is_empty() {
        return tick;
    }
    doubted(&tick, others)
}

/// Leaves the rate open where wake-ups keep slower ones from stretch to stretch.
fn multiple(sleeps: &[Sleep], tick: Tick) -> Tick {
    let slower = tick.grid.map_or_else(Vec::new, |grid| divisors::from_stretch_to_stretch(sleeps, &grid));
    if slower.is_empty() { tick } else { doubted(&tick, slower) }
}

/// Most parts of a tick that are examined, and by how much longer the wake-ups' mean vector must be on them.
const MOST_PARTS: u32 = 8;
const FINER: f64 = 0.08;

/// Leaves the rate open where wake-ups keep parts of the tick better than the tick: the grid of a faster one, which most
/// sleeps meet at every few ticks, as where a clock by which they are judged moves only then.
fn finer(sleeps: &[Sleep], tick: Tick) -> Tick {
    let (Some(hz), Some(grid)) = (tick.hz, tick.grid) else { return tick };
    let ends = downsample(&sleeps.iter().map(|sleep| sleep.end).collect::<Vec<_>>());
    let kept = |parts: u32| resultant(&ends, f64::from(parts) / grid.tick).0;
    let own = kept(1);
    let finer: Vec<f64> =
        (2..=MOST_PARTS).filter(|parts| kept(*parts) > own + FINER).map(|parts| f64::from(parts) * hz).collect();
    if finer.is_empty() { tick } else { doubted(&tick, finer) }
}

/// Leaves the rate open between these, in Hz, and those that the tick had.
fn doubted(tick: &Tick, mut rates: Vec<f64>) -> Tick {
    let own = tick.candidates.iter().copied().filter(|hz| !rates.contains(hz)).collect::<Vec<f64>>();
    rates.extend(own);
    Tick { hz: None, candidates: rates, rounding: None, rules: Vec::new(), ..tick.clone() }
}

/// Leaves a rare rate open where sleeps begin at one place within its ticks and a usual rate is a multiple of it:
/// several ticks of the latter then look like one of the former.
fn parts(sleeps: &[Sleep], tick: Tick) -> Tick {
    let (Some(hz), Some(grid)) = (tick.hz, tick.grid) else { return tick };
    let starts: Vec<f64> = sleeps.iter().map(|sleep| sleep.start).collect();
    let multiples = [2.0, 3.0, 4.0, 5.0].map(|times| times * hz);
    let usual: Vec<f64> = multiples.into_iter().filter(|multiple| USUAL.contains(multiple)).collect();
    if USUAL.contains(&hz) || usual.is_empty() || resultant(&starts, 1.0 / grid.tick).0 < KEPT {
        return tick;
    }
    let candidates = usual.into_iter().chain([hz]).collect();
    Tick { hz: None, candidates, rounding: None, rules: Vec::new(), ..tick }
}
