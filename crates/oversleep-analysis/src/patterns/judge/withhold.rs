//! When a tick is not stated, although it predicts the sleeps best.

use super::doubts::EXPLAINED;
use super::posterior::Left;
use super::ticks::Scored;
use super::{Known, RULED, coincidence, is_sure, premature, walk};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::tick::{Design, Tick};
use crate::patterns::features::windup;
use std::cell::LazyCell;

/// Rate above which kernels refresh their clock less often than at every tick, in Hz.
const CACHED_ABOVE: f64 = 1_024.0;
/// Largest relative distance from its nominal length of a tick that no rule confirms: steering and divisors.
const STEERED: f64 = 700e-6;

/// Least share of the wake-ups that lie at ticks, where these are so long, in ns, that the cost of waking scatters wake-ups
/// little.
const MOSTLY: f64 = 0.75;
const SCATTERED: f64 = 900_000.0;
/// The same where no rule says at which ticks: some delays are as many ticks of a slow rate as of a fast one, which wake-ups
/// then keep as well.
const UNRULED: f64 = 0.93;

/// Number of sleeps below which a fast tick needs a larger share of them at ticks: a few delays by other threads lie on the
/// grid of some rate.
const FEW: usize = 50;
const OF_FEW: f64 = 0.6;

/// Rate, in Hz, above which no kernel's tick is known to be (FreeBSD 7 was run at 40 kHz).
const FASTEST: f64 = 50_000.0;

/// How much larger a share of the sleeps a clock refreshed every few ticks must explain.
const MORE: f64 = 0.15;

/// Returns whether the best tick remains a possibility only. `proposed`: what an estimator proposed, if one did.
pub(super) fn is_withheld(sleeps: &[Sleep], left: &Left, proposed: Option<&Tick>, known: Known) -> bool {
    is_coincidence(sleeps, left, proposed)
        || walk::is_seen(sleeps, &left.best)
        || (!known.counted && is_doubted(sleeps, left, proposed, known.from_last))
}

/// Returns whether something else can explain wake-ups at ticks: one place within the tick or one lateness, if no estimator
/// proposed the tick; a share of the request that comes to as many ticks, if no rule names them.
fn is_coincidence(sleeps: &[Sleep], left: &Left, proposed: Option<&Tick>) -> bool {
    let found_alone =
        proposed.is_none() && (coincidence::at_one_place(sleeps, &left.best) || coincidence::always_alike(sleeps));
    found_alone || (left.hz().is_none() && coincidence::like_a_share(sleeps, &left.best))
}

/// Returns whether the wake-ups lie at ticks in a way in which no kernel is known to place them.
fn is_doubted(sleeps: &[Sleep], left: &Left, proposed: Option<&Tick>, from_last: Option<bool>) -> bool {
    let best = &left.best;
    let rule = left.rule();
    let is_ruled = rule.is_some_and(|rule| is_sure(rule, sleeps, best, from_last));
    let is_slow = best.grid.tick >= SCATTERED;
    let is_fast = best.hz > CACHED_ABOVE;
    let may_refresh = is_fast && !coincidence::mostly_at_one_place(sleeps, best);
    // Trying the periods of a clock takes far longer than all other questions here.
    let is_refreshed = LazyCell::new(|| is_refreshed(sleeps, best));

    // With all sleeps at one place within the tick, and no rule, any grid that divides the rhythm would do. Otherwise
    // only a clock refreshed every few ticks makes sleeps end at ticks without a rule.
    let is_locked = proposed.is_some_and(|tick| tick.design == Design::Locked);
    let lacks_rule = best.rule.is_none() && (is_locked || (left.rules.is_empty() && !may_refresh));
    let is_off_its_rate = rule.is_none() && is_fast && (best.grid.tick * best.hz * 1e-9 - 1.0).abs() > STEERED;
    let on_grid = best.grid.on_grid;
    let is_scattered =
        if is_ruled { is_slow && on_grid < MOSTLY } else { on_grid < UNRULED && !(may_refresh && *is_refreshed) };
    let is_chance = is_fast && sleeps.len() < FEW && on_grid < OF_FEW;
    let is_explained = is_ruled || best.predicted >= EXPLAINED;
    let is_unexplained = is_fast && best.grid.tick >= RULED && !is_explained && !*is_refreshed;
    let is_unknown = best.hz > FASTEST;
    let is_impossible = is_slow && premature::are_several(sleeps, best);
    lacks_rule || is_off_its_rate || is_scattered || is_chance || is_unexplained || is_unknown || is_impossible
}

/// Returns whether a clock refreshed every few ticks says at which ticks sleeps end.
fn is_refreshed(sleeps: &[Sleep], best: &Scored) -> bool {
    windup::measure(sleeps, &best.grid, 1e9 / best.hz).is_some_and(|windup| {
        windup.ticks == windup::usual_ticks(best.hz) && windup.share > windup.share_without + MORE
    })
}
