//! How a tick-driven kernel turns a request into ticks.

use super::grid::Grid;
use super::group::Sleep;
pub use oversleep_recording::document::evidence::Rounding;

/// The shares of sleeps that the rules predict on one grid (0 to 1), and counts of sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Votes {
    /// Sleeps tested.
    pub tested: usize,
    /// Share of sleeps late by 0 to 1 tick.
    pub up: f64,
    /// Share of sleeps that ended ceil(request / tick) + 1 ticks after the tick in progress.
    pub counted: f64,
    /// Share of sleeps late by 1 to 2 ticks.
    pub second: f64,
    /// Share of sleeps late by −1 to 1 tick.
    pub early: f64,
    /// Sleeps for which `up` and `counted` predict different ticks.
    pub telling: usize,
    /// Of those, how many ended where `up` says.
    pub telling_up: usize,
    /// Of those, how many ended where `counted` says.
    pub telling_counted: usize,
    /// Sleeps early by more than a tenth of a tick.
    pub before: usize,
    /// Sleeps for which `early` predicts a different tick from the other rules.
    pub telling_time: usize,
    /// Of those, how many ended where `early` says.
    pub telling_early: usize,
    /// Of those, how many ended where the other rules say.
    pub telling_late: usize,
}

impl Votes {
    /// Returns the largest share of sleeps that one rule predicts, of the rules that never end a sleep early.
    pub fn on_time(&self) -> f64 {
        self.up.max(self.counted).max(self.second)
    }

    /// Returns whether more sleeps end a tenth of a tick or more before their time than chance explains: only `early`
    /// ends any there. Requests of whole ticks are rarely early by any rule, so few sleeps are enough.
    fn some_before(&self) -> bool {
        (self.before >= 3 && self.before * 50 >= self.tested) || self.by_early()
    }

    /// Returns whether the sleeps for which `early` differs from the other rules follow it.
    fn by_early(&self) -> bool {
        let told = self.telling_early + self.telling_late;
        told >= 3 && self.telling_early * 5 >= told * 4 && told * 2 >= self.telling_time
    }

    /// Returns whether sleeps hint at `early`, though they may be too few to name it.
    pub fn like_early(&self) -> bool {
        self.telling_early > self.telling_late || (self.before > 0 && self.before * 50 >= self.tested)
    }

    /// Returns the rule, if the sleeps decide.
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
        // A few sleeps that ended where only NT's rule (`early`) would end them are too few to name it, but enough to
        // doubt the other rules.
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

/// Requests from this many ticks on may meet a coarser timer wheel. It begins at more than 62 ticks ([`super::wheel`]);
/// the tick's length is not exactly known here.
pub const WHEEL_FROM: f64 = 60.0;

/// Ticks at least this long, in ns, are long compared with the cost of a wake-up.
const SLOWER_THAN_COSTS: f64 = 400_000.0;

/// Tests the rules on sleeps whose grid is known. `nominal`: the tick's length as the kernel believes it, in ns.
///
/// Threads wake some time after the tick that ends their sleep, and the grid lies where they wake. That cost is not
/// known in advance: of costs up to 200 µs, the one is taken with which some rule predicts most sleeps, and the least
/// of equally good ones.
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

/// Converts to a whole number of ticks.
#[allow(clippy::cast_possible_truncation)] // saturating: sleeps of more ticks are beyond all rules
fn whole(ticks: f64) -> i64 {
    ticks as i64
}

/// The number of ticks, from the one in progress, after which each rule ends a sleep; `None` if too close to a limit.
struct Predicted {
    /// To the first tick at or after the time on the clock.
    up: Option<i64>,
    /// The request in nominal ticks, and one more.
    counted: i64,
    /// To the first tick at or after the time counted from the tick in progress.
    early: Option<i64>,
}

impl Predicted {
    /// Predicts the ticks. `past`: how far into its tick the sleep starts; `asked`: the request; both in ticks of the
    /// clock. `need`: the request in whole nominal ticks. `slop`: distance from a whole tick, in ticks, that is too
    /// close.
    fn new(past: f64, asked: f64, need: f64, slop: f64) -> Self {
        let sure = |ticks: f64| ((ticks - ticks.round()).abs() > slop).then(|| whole(ticks.ceil()));
        Self { up: sure(past + asked), counted: whole(need) + 1, early: sure(asked) }
    }
}

/// Counts the votes if a wake-up costs `cost` ns.
fn votes_at(sleeps: &[Sleep], grid: &Grid, nominal: f64, cost: f64) -> Votes {
    let tick = grid.tick;
    let truncated = ((nominal / 1e3).floor() * 1e3).max(1e3);
    let slop = (3.0 * grid.jitter / tick).clamp(0.05, 0.15);
    let mut votes = Votes { tested: sleeps.len(), ..Votes::default() };
    let (mut up, mut counted, mut second, mut early) = (0usize, 0usize, 0usize, 0usize);
    for sleep in sleeps {
        let past = grid.past(sleep.start + cost);
        let ticks = ((sleep.end - cost - sleep.start + past) / tick).round();
        // A request in nanoseconds that is meant as a whole number of ticks may differ from it by rounding.
        let need = (sleep.requested / nominal - 1e-6).ceil();
        // Some kernels count in ticks truncated to whole microseconds (BSD; Linux' socket timeouts): 3333 µs at 300 Hz.
        let need_truncated = (sleep.requested / truncated - 1e-6).ceil();
        let late = (sleep.late - cost) / tick;
        let as_up = late > -slop && late < 1.0 + slop;
        // A start just before a tick may belong to either tick.
        let near = past / tick > 1.0 - slop;
        let excess = ticks - need - 1.0;
        let other = ticks - need_truncated - 1.0;
        let as_counted = excess.abs() < 0.5
            || other.abs() < 0.5
            || (near && excess.abs() < 1.5 && late > -slop && late < 2.0 + slop);
        up += usize::from(as_up);
        counted += usize::from(as_counted);
        second += usize::from(late > 1.0 - slop && late < 2.0 + slop);
        early += usize::from(late > -1.0 - slop && late < 1.0 + slop);
        // Ticks that are too short end a counted sleep early, by their relative error.
        let fast = (1.0 - tick / nominal).max(0.0) * sleep.requested;
        votes.before += usize::from(sleep.late < -0.1 * tick - 1.1 * fast);
        let told = Predicted::new(past / tick, sleep.requested / tick, need, slop);
        if !near && need_truncated <= need && told.up.is_some_and(|up| up != told.counted) {
            votes.telling += 1;
            votes.telling_up += usize::from(told.up == Some(whole(ticks)));
            votes.telling_counted += usize::from(told.counted == whole(ticks));
        }
        // A cost that is a good part of a tick hides a difference between rules of less than a tick.
        let apart = told.up == Some(told.counted) && told.early.is_some_and(|early| early != told.counted);
        if tick >= SLOWER_THAN_COSTS && !near && apart {
            votes.telling_time += 1;
            votes.telling_early += usize::from(told.early == Some(whole(ticks)));
            votes.telling_late += usize::from(told.counted == whole(ticks));
        }
    }
    let n = sleeps.len().max(1) as f64;
    [votes.up, votes.counted, votes.second, votes.early] = [up, counted, second, early].map(|count| count as f64 / n);
    votes
}
