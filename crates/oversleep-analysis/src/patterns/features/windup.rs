//! Kernels that time sleeps with a clock refreshed every few ticks: where each sleep ends follows from its beginning.
//!
//! FreeBSD until 9 (`sys/kern/kern_time.c`, `kern_nanosleep`; `kern_clock.c`, `tc_tick = (hz + 500) / 1000` above 1
//! kHz): the requested time is added to the clock as of its last refresh. The thread sleeps ceil(rest / tick) ticks, or
//! one more, from the tick in progress, reads that clock again, and repeats this until the clock has reached the sum.

use super::grid::Grid;
use super::group::Sleep;

/// The refresh period that explains the sleeps best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windup {
    /// Ticks from refresh to refresh.
    pub ticks: i64,
    /// Sleeps used.
    pub sleeps: usize,
    /// Share of sleeps, 0 to 1, that end at exactly the tick this refresh predicts.
    pub share: f64,
    /// The same share for the best rule with a clock that is always fresh, or refreshed at every tick.
    pub share_without: f64,
}

/// Returns the number of ticks from refresh to refresh of a kernel with this rate in Hz, unless it is set otherwise.
#[allow(clippy::cast_possible_truncation)] // rates are at most 50 kHz
pub fn usual_ticks(hz: f64) -> i64 {
    (hz.round() as i64 + 500) / 1_000
}

/// Longest refresh period tried, in ticks.
pub const COARSEST: i64 = 40;
/// Most sleeps used.
const ENOUGH: usize = 300;

/// A sleep in ticks.
#[derive(Debug, Clone, Copy)]
struct Ticks {
    /// The tick in progress when it began, counted on the grid.
    began: i64,
    /// Its beginning within that tick, 0 to 1.
    past: f64,
    /// The request, in ticks as the kernel believes them to be.
    asked: f64,
    /// The tick at which it ended.
    ended: i64,
}

/// Returns the refresh that explains these sleeps best. `nominal`: the tick's length as the kernel believes it, in ns.
/// `None` without sleeps.
pub fn measure(sleeps: &[Sleep], grid: &Grid, nominal: f64) -> Option<Windup> {
    let sampled: Vec<Sleep> = sleeps.iter().step_by(sleeps.len().div_ceil(ENOUGH).max(1)).copied().collect();
    // Threads run some time after their tick, and the grid lies there: how long after is not known in advance.
    let costs = [0.0, 0.15, 0.3, 0.45, 0.6, 0.8].map(|part| part * grid.tick).into_iter().filter(|cost| *cost < 150e3);
    costs
        .filter_map(|cost| {
            let ticks: Vec<Ticks> = sampled.iter().map(|sleep| in_ticks(sleep, grid, nominal, cost)).collect();
            best(&ticks)
        })
        .max_by(|a, b| a.share.total_cmp(&b.share))
}

#[allow(clippy::cast_possible_truncation)] // saturating
fn in_ticks(sleep: &Sleep, grid: &Grid, nominal: f64, cost: f64) -> Ticks {
    let began = grid.place(sleep.start + cost);
    Ticks {
        began: began.floor() as i64,
        past: began - began.floor(),
        asked: sleep.requested / nominal,
        ended: grid.place(sleep.end).round() as i64,
    }
}

fn best(sleeps: &[Ticks]) -> Option<Windup> {
    let share = |ends: &dyn Fn(&Ticks) -> i64| {
        sleeps.iter().filter(|sleep| ends(sleep) == sleep.ended).count() as f64 / sleeps.len().max(1) as f64
    };
    let fresh = [
        share(&|sleep| sleep.began + up(sleep.past + sleep.asked)),
        share(&|sleep| sleep.began + up(sleep.asked)),
        share(&|sleep| sleep.began + up(sleep.asked) + 1),
        share(&|sleep| sleep.began + up(sleep.past + sleep.asked) + 1),
    ];
    let every_tick = [0, 1].map(|extra| share(&|sleep| looped(sleep, 1, 0, extra)));
    let share_without = fresh.into_iter().chain(every_tick).fold(0.0, f64::max);
    let of = |ticks: i64| {
        let places = (0..ticks).flat_map(|place| [(place, 0), (place, 1)]);
        let shares = places.map(|(place, extra)| share(&|sleep| looped(sleep, ticks, place, extra)));
        Windup { ticks, sleeps: sleeps.len(), share: shares.fold(0.0, f64::max), share_without }
    };
    // Of equally good periods, the shortest.
    (2..=COARSEST).map(of).reduce(|best, next| if next.share > best.share { next } else { best })
}

/// Rounds up to whole ticks, at least one; tolerates the rounding of a request that is meant to be whole.
#[allow(clippy::cast_possible_truncation)] // saturating
fn up(ticks: f64) -> i64 {
    (ticks - 1e-6).ceil().max(1.0) as i64
}

/// Returns the tick at which a sleep ends whose clock is refreshed every `every` ticks, at those congruent to `place`.
/// `extra`: ticks that each round adds.
fn looped(sleep: &Ticks, every: i64, place: i64, extra: i64) -> i64 {
    let refreshed = |tick: i64| (tick - (tick - place).rem_euclid(every)) as f64;
    let target = refreshed(sleep.began) + sleep.asked;
    let mut at = sleep.began + up(sleep.asked) + extra;
    // Each round takes at least one tick, and after the first less than one refresh is missing.
    for _ in 0..=2 * every {
        let rest = target - refreshed(at);
        if rest <= 1e-6 {
            break;
        }
        at += up(rest) + extra;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_goes_on_until_the_clock_has_moved() {
        // Refreshed at 0, 5, 10, …: begins at 3, where the clock reads 0, for 7 ticks; at tick 10 the clock reads 10.
        let sleep = |began, asked| Ticks { began, past: 0.5, asked, ended: 0 };
        assert_eq!(looped(&sleep(3, 7.0), 5, 0, 0), 10);
        // Begins at 1: at tick 8 the clock reads 5, 2 short; two ticks later it reads 10.
        assert_eq!(looped(&sleep(1, 7.0), 5, 0, 0), 10);
        // Begins at 0, for 6: at 6 the clock reads 5; then one tick at a time up to 10. With an extra tick: 7, 9, 11.
        assert_eq!(looped(&sleep(0, 6.0), 5, 0, 0), 10);
        assert_eq!(looped(&sleep(0, 6.0), 5, 0, 1), 11);
        // Always fresh: nothing to wait for.
        assert_eq!(looped(&sleep(3, 7.0), 1, 0, 0), 10);
    }
}
