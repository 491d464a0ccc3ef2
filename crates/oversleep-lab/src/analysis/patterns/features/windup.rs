//! Kernels that time sleeps with a clock they refresh every few ticks: where each sleep ends follows from where it
//! began.
//!
//! FreeBSD until 9 (`sys/kern/kern_time.c`, `kern_nanosleep`; `kern_clock.c`, `tc_tick = (hz + 500) / 1000` above
//! 1 kHz): the time asked for is added to the clock as of the last refresh; the thread sleeps ceil(rest / tick) ticks,
//! or one more, from the tick in progress, looks at that clock again, and goes on until it has got there.

use super::grid::Grid;
use super::group::Sleep;

/// Which refreshes explain the sleeps best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windup {
    /// Ticks from refresh to refresh.
    pub ticks: i64,
    /// Sleeps looked at.
    pub sleeps: usize,
    /// Share of sleeps that end at the very tick it predicts.
    pub share: f64,
    /// The same for the best of the rules with a clock that is always fresh, or refreshed at every tick.
    pub share_without: f64,
}

/// Coarsest refresh looked for, in ticks.
pub const COARSEST: i64 = 40;
/// Sleeps looked at.
const ENOUGH: usize = 300;

/// A sleep in ticks.
#[derive(Debug, Clone, Copy)]
struct Ticks {
    /// The tick in progress when it began.
    began: i64,
    /// How far into that.
    past: f64,
    /// The request, in ticks as the kernel believes them to be.
    asked: f64,
    /// The tick at which it ended.
    ended: i64,
}

/// What explains these sleeps best; `nominal` is the tick's length as the kernel believes it. `None` without sleeps.
pub fn measure(sleeps: &[Sleep], grid: &Grid, nominal: f64) -> Option<Windup> {
    let sampled: Vec<Sleep> = sleeps.iter().step_by(sleeps.len().div_ceil(ENOUGH).max(1)).copied().collect();
    // Threads run some time after their tick, and the grid lies there: how long is not known beforehand.
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
    // Of equals the finest.
    (2..=COARSEST).map(of).reduce(|best, next| if next.share > best.share { next } else { best })
}

/// Whole ticks for some, give or take the rounding of a request that is meant to be whole.
#[allow(clippy::cast_possible_truncation)] // saturating
fn up(ticks: f64) -> i64 {
    (ticks - 1e-6).ceil().max(1.0) as i64
}

/// The tick at which a sleep ends that looks at a clock refreshed every `every` ticks, at tick `place` first.
fn looped(sleep: &Ticks, every: i64, place: i64, extra: i64) -> i64 {
    let refreshed = |tick: i64| (tick - (tick - place).rem_euclid(every)) as f64;
    let target = refreshed(sleep.began) + sleep.asked;
    let mut at = sleep.began + up(sleep.asked) + extra;
    // Each round gains a tick at least, and the first lacks less than one refresh.
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
        // Refreshed at 0, 5, 10 …: began at 3 on the clock's 0, 7 ticks asked; at tick 10 the clock reads 10.
        let sleep = |began, asked| Ticks { began, past: 0.5, asked, ended: 0 };
        assert_eq!(looped(&sleep(3, 7.0), 5, 0, 0), 10);
        // Began at 1: at tick 8 the clock reads 5, 2 short; two ticks later it reads 10.
        assert_eq!(looped(&sleep(1, 7.0), 5, 0, 0), 10);
        // Began at 0, 6 asked: at 6 it reads 5; one tick at a time up to 10. With an extra tick: 7, 9, 11.
        assert_eq!(looped(&sleep(0, 6.0), 5, 0, 0), 10);
        assert_eq!(looped(&sleep(0, 6.0), 5, 0, 1), 11);
        // Always fresh: nothing to wait for.
        assert_eq!(looped(&sleep(3, 7.0), 1, 0, 0), 10);
    }
}
