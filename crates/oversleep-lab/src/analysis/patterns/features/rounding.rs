//! How a tick-driven kernel turns a request into ticks.

use super::grid::Grid;
use super::group::Sleep;
pub use oversleep_recording::document::evidence::Rounding;

/// How many sleeps each rule predicts, on one grid.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Votes {
    /// Sleeps tested.
    pub tested: usize,
    /// Late by 0 to 1 tick.
    pub up: f64,
    /// Ended at ceil(request / tick) + 1 ticks from the tick in progress.
    pub counted: f64,
    /// Late by 1 to 2 ticks.
    pub second: f64,
    /// Late by −1 to 0 ticks, or on time to a tick either way.
    pub early: f64,
    /// Late by more than one tick.
    pub later: f64,
    /// Sleeps for which `up` and `counted` predict different ticks.
    pub telling: usize,
    /// Of those, how many ended where `up` says.
    pub telling_up: usize,
    /// Of those, how many ended where `counted` says.
    pub telling_counted: usize,
    /// Sleeps early by more than a tenth of a tick.
    pub before: usize,
    /// Sleeps for which `early` predicts another tick than the others.
    pub telling_time: usize,
    /// Of those, how many ended where `early` says.
    pub telling_early: usize,
    /// Of those, how many ended where the others say.
    pub telling_late: usize,
}

impl Votes {
    /// The largest share of sleeps that one rule predicts.
    pub fn share(&self) -> f64 {
        // `early` allows twice the range of the others: it counts only where sleeps were early.
        let early = if self.some_before() { self.early } else { 0.0 };
        self.on_time().max(early)
    }

    /// The largest share of sleeps that one rule predicts which never ends them early.
    pub fn on_time(&self) -> f64 {
        self.up.max(self.counted).max(self.second)
    }

    /// Whether most sleeps end at the first tick and nearly all others at later ones: busy threads hold a woken
    /// thread up until a tick takes the processor from them.
    pub fn held_up(&self) -> bool {
        self.up >= 0.5 && self.up + self.later >= 0.97
    }

    /// Whether more sleeps end a good part of a tick before their time than chance explains: by the other rules none
    /// does. Requests of whole ticks are rarely early by any rule, so few are enough.
    fn some_before(&self) -> bool {
        (self.before >= 3 && self.before * 50 >= self.tested) || self.by_early()
    }

    /// Whether the sleeps that tell `early` from the rest say that it is.
    fn by_early(&self) -> bool {
        let told = self.telling_early + self.telling_late;
        told >= 3 && self.telling_early * 5 >= told * 4 && told * 2 >= self.telling_time
    }

    /// Whether the few sleeps that tell `early` from the rest speak for it.
    pub fn like_early(&self) -> bool {
        self.telling_early > self.telling_late || (self.before > 0 && self.before * 50 >= self.tested)
    }

    /// The rule, if the sleeps tell.
    pub fn verdict(&self) -> Option<Rounding> {
        if self.second >= 0.8 && self.up < 0.3 {
            return Some(Rounding::UpPlusOne);
        }
        if self.some_before() {
            return (self.early >= 0.8).then_some(Rounding::Early);
        }
        if self.telling < 3 {
            return None;
        }
        let (up, counted) = (self.telling_up as f64, self.telling_counted as f64);
        let told = up + counted;
        // A few sleeps that only NT's rule would end where they ended are too few to name it, and enough to doubt the
        // others.
        if self.like_early() {
            return None;
        }
        match (told * 5.0 >= self.telling as f64 * 3.0, up >= 0.8 * told, counted >= 0.8 * told) {
            (true, true, _) => Some(Rounding::Up),
            (true, _, true) => Some(Rounding::UpPlusOne),
            _ => None,
        }
    }
}

/// Requests from this many ticks on may meet a coarser timer wheel (Linux ≥ 4.8: steps of 8 ticks from 63 on).
pub const WHEEL_FROM: f64 = 60.0;

/// Ticks at least that long, in ns, are long beside what a wake-up costs.
const SLOWER_THAN_COSTS: f64 = 400_000.0;

/// Tests the rules on sleeps whose grid is known. `nominal` is the tick's length as the kernel believes it.
///
/// Threads wake some time after the tick that ends their sleep, and the grid lies where they wake. That cost is not
/// known beforehand: the one up to 200 µs that lets some rule predict most sleeps is taken, the least among equals.
pub fn votes(sleeps: &[Sleep], grid: &Grid, nominal: f64) -> Votes {
    let most = 200_000f64.min(0.95 * grid.tick);
    let step = (0.05 * grid.tick).clamp(5_000.0, 25_000.0);
    let sampled: Vec<Sleep> = sleeps.iter().step_by(sleeps.len().div_ceil(2_000).max(1)).copied().collect();
    let mut best = votes_at(&sampled, grid, nominal, 0.0);
    let mut cost = step;
    while cost <= most {
        let votes = votes_at(&sampled, grid, nominal, cost);
        if votes.on_time() > best.on_time() + 0.005 {
            best = votes;
        }
        cost += step;
    }
    best
}

/// A number of ticks.
#[allow(clippy::cast_possible_truncation)] // saturating: sleeps of more ticks are beyond all rules
fn whole(ticks: f64) -> i64 {
    ticks as i64
}

/// In how many ticks from the one in progress each rule ends a sleep; `None` where it is a close call.
struct Predicted {
    /// The first tick at or after the time, which runs on the clock.
    up: Option<i64>,
    /// Nominal ticks of the request, and one more.
    counted: i64,
    /// The first tick at or after the time counted from the tick in progress.
    early: Option<i64>,
}

impl Predicted {
    /// `past`: how far the start lies into its tick; `asked`: the request; both in ticks of the clock. `need`: the
    /// request in whole nominal ticks.
    fn of(past: f64, asked: f64, need: f64, slop: f64) -> Self {
        let sure = |ticks: f64| ((ticks - ticks.round()).abs() > slop).then(|| whole(ticks.ceil()));
        Self { up: sure(past + asked), counted: whole(need) + 1, early: sure(asked) }
    }
}

/// The votes if waking costs `cost` ns.
fn votes_at(sleeps: &[Sleep], grid: &Grid, nominal: f64, cost: f64) -> Votes {
    let tick = grid.tick;
    let truncated = ((nominal / 1e3).floor() * 1e3).max(1e3);
    let slop = (3.0 * grid.jitter / tick).clamp(0.05, 0.15);
    let mut votes = Votes { tested: sleeps.len(), ..Votes::default() };
    let (mut up, mut counted, mut second, mut early, mut later) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for sleep in sleeps {
        let past = grid.past(sleep.start + cost);
        let ticks = ((sleep.end - cost - sleep.start + past) / tick).round();
        // A time in nanoseconds that is meant to be a whole number of ticks may be off by the rounding.
        let need = (sleep.requested / nominal - 1e-6).ceil();
        // Some count in ticks truncated to whole microseconds (BSD; socket timeouts on Linux): 3333 µs at 300 Hz.
        let need_truncated = (sleep.requested / truncated - 1e-6).ceil();
        let late = (sleep.late - cost) / tick;
        let as_up = late > -slop && late < 1.0 + slop;
        // A start just before a tick may be of either.
        let near = past / tick > 1.0 - slop;
        let excess = ticks - need - 1.0;
        let other = ticks - need_truncated - 1.0;
        let as_counted = excess.abs() < 0.5
            || other.abs() < 0.5
            || (near && excess.abs() < 1.5 && late > -slop && late < 2.0 + slop);
        up += usize::from(as_up);
        later += usize::from(late >= 1.0 + slop);
        counted += usize::from(as_counted);
        second += usize::from(late > 1.0 - slop && late < 2.0 + slop);
        early += usize::from(late > -1.0 - slop && late < 1.0 + slop);
        // Ticks that come too fast end a counted sleep early, by as much as they are off.
        let fast = (1.0 - tick / nominal).max(0.0) * sleep.requested;
        votes.before += usize::from(sleep.late < -0.1 * tick - 1.1 * fast);
        let told = Predicted::of(past / tick, sleep.requested / tick, need, slop);
        if !near && need_truncated <= need && told.up.is_some_and(|up| up != told.counted) {
            votes.telling += 1;
            votes.telling_up += usize::from(told.up == Some(whole(ticks)));
            votes.telling_counted += usize::from(told.counted == whole(ticks));
        }
        // Costs of a good part of a tick blur what a part of a tick decides.
        let apart = told.up == Some(told.counted) && told.early.is_some_and(|early| early != told.counted);
        if tick >= SLOWER_THAN_COSTS && !near && apart {
            votes.telling_time += 1;
            votes.telling_early += usize::from(told.early == Some(whole(ticks)));
            votes.telling_late += usize::from(told.counted == whole(ticks));
        }
    }
    let n = sleeps.len().max(1) as f64;
    [votes.up, votes.counted, votes.second, votes.early, votes.later] =
        [up, counted, second, early, later].map(|count| count as f64 / n);
    votes
}
