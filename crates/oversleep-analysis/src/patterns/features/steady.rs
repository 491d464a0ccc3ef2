//! Steady lateness: a cost, a slack, and a part that grows with the request.

use super::group::{Group, Sleep, View};
use super::robust::{line, median, mode, standard_error};
use super::share::{RATIOS, Share};
use super::threads::{self, ByThread};
use crate::patterns::system::Slacks;
use oversleep_recording::document::evidence::SlackBasis;

/// What the lateness of a group looks like when no tick rules it.
#[derive(Debug, Clone, PartialEq)]
pub struct Steady {
    /// Usual lateness (mode) of each cell: view, request, lateness, in ns; shortest request first.
    pub usual: Vec<UsualLateness>,
    /// Usual lateness of short sleeps, in ns.
    pub base: f64,
    /// Typical request of the sleeps from which `base` was computed, in ns.
    pub asked: f64,
    /// Least lateness of these sleeps, in ns: the cost of a wake-up is at most this.
    pub least: f64,
    /// Lateness of short sleeps in ns, sorted; at most `KEPT` of them.
    pub lates: Vec<f64>,
    /// How its threads differ.
    pub threads: ByThread,
    /// Whether the sleeps that ended much earlier than usual are those that asked for least: lateness that grows with the request
    /// up to a cap does that, and interrupts within a slack do not.
    pub early_are_short: bool,
    /// Least growth of lateness from the shortest to the longest request within a thread, in ns; `None` with one thread.
    pub grown: Option<f64>,
    /// Slack of the thread's timers, if known or inferred.
    pub slack: Option<Slack>,
    /// Share of the request by which sleeps are late, if any.
    pub share: Option<Share>,
    /// What waking up usually costs, in ns: the usual lateness of short sleeps without their slack ([`cost`]).
    pub cost: f64,
}

/// One cell's usual lateness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsualLateness {
    /// Index of the cell's view.
    pub view: usize,
    /// Its median request, in ns.
    pub requested: f64,
    /// The mode of its lateness, in ns.
    pub late: f64,
    /// Standard error of `late`, in ns.
    pub error: f64,
    /// Number of its sleeps.
    pub count: usize,
}

/// Timer slack, and how it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slack {
    /// Its size in ns.
    pub size: f64,
    /// Lower end of the 95 % interval of the size, in ns.
    pub low: f64,
    /// Upper end of the 95 % interval of the size, in ns.
    pub high: f64,
    /// Confidence, 0 to 1, that it is slack rather than a cost of the same size.
    pub confidence: f64,
    /// How it is known.
    pub basis: SlackBasis,
}

/// Most latenesses kept to examine their distribution.
const KEPT: usize = 2_000;

/// Measures the usual lateness of a group's cells; `None` where lateness has no usual value.
pub fn measure(views: &[View<'_>], group: &Group) -> Option<Steady> {
    let mut usual: Vec<UsualLateness> = group.views.iter().filter_map(|&at| usual(&views[at], at)).collect();
    usual.sort_by(|a, b| a.requested.total_cmp(&b.requested));
    let short: Vec<Sleep> = short(group).collect();
    let asked = median(&short.iter().map(|sleep| sleep.requested).collect::<Vec<_>>())?;
    let mut lates: Vec<f64> = short.iter().map(|sleep| sleep.late).collect();
    lates.sort_by(f64::total_cmp);
    let least = lates.first().copied()?;
    let base = mode(&lates).filter(|base| concentrated(&lates, *base)).or_else(|| by_cell(views, &usual))?;
    let kept = lates.iter().step_by(lates.len().div_ceil(KEPT).max(1)).copied().collect();
    let threads = threads::compare(&short, base);
    let ends = usual.first().zip(usual.last());
    let grown = ends.and_then(|(first, last)| threads::growth(&group.sleeps, first.view, last.view));
    let early_are_short = early_are_short(&short, base);
    Some(Steady {
        usual,
        base,
        asked,
        least,
        lates: kept,
        threads,
        early_are_short,
        grown,
        slack: None,
        share: None,
        cost: base,
    })
}

/// Returns whether nearly all sleeps that were later than four fifths of the usual asked for more than those that were not.
fn early_are_short(sleeps: &[Sleep], usual: f64) -> bool {
    let is_early = |sleep: &&Sleep| sleep.late < 0.8 * usual;
    let longest = sleeps.iter().filter(is_early).map(|sleep| sleep.requested).fold(0.0, f64::max);
    let (mut others, mut longer) = (0, 0);
    for sleep in sleeps.iter().filter(|sleep| !is_early(sleep)) {
        others += 1;
        longer += usize::from(sleep.requested > longest);
    }
    longest > 0.0 && longer * 20 >= others * 19
}

/// Returns the usual lateness of the shortest request, in ns, where each request has its own. In 80 % of the cells or
/// more the range of the middle half must be at most half their median and 20 µs, and requests must differ by a factor
/// of 20. Waiting for ticks spreads lateness by as much as its median.
fn by_cell(views: &[View<'_>], usual: &[UsualLateness]) -> Option<f64> {
    let close = |cell: &&UsualLateness| {
        let view = &views[cell.view];
        let (low, middle, high) = (view.quantile(0.25), view.quantile(0.5), view.quantile(0.75));
        (high - low) as f64 <= 0.5 * middle.abs() as f64 + 20_000.0
    };
    let wide = usual.last()?.requested >= 20.0 * usual.first()?.requested;
    let near = usual.iter().filter(close).count();
    (wide && usual.len() >= 5 && near * 10 >= usual.len() * 8).then(|| usual[0].late)
}

/// Returns the sleeps of at most 20 ms, if there are at least eight, otherwise all: in short sleeps, what grows with
/// the request is still small.
fn short(group: &Group) -> impl Iterator<Item = Sleep> + '_ {
    let timed = group.sleeps.iter().filter(|sleep| sleep.requested > 0.0);
    let enough = timed.clone().filter(|sleep| sleep.requested <= 20e6).count() >= 8;
    timed.filter(move |sleep| !enough || sleep.requested <= 20e6).copied()
}

fn usual(view: &View<'_>, at: usize) -> Option<UsualLateness> {
    if view.sorted.len() < 3 || view.requested <= 0 {
        return None;
    }
    let lates: Vec<f64> = view.sorted.iter().map(|&late| (late - view.unit) as f64).collect();
    let late = mode(&lates)?;
    let error = standard_error(&lates, late);
    Some(UsualLateness { view: at, requested: (view.requested + view.unit) as f64, late, error, count: lates.len() })
}

/// Returns whether lateness is concentrated: three in ten within 5 % of the mode and 2 µs, or the range of the middle
/// half at most half the mode or 100 µs.
fn concentrated(sorted: &[f64], mode: f64) -> bool {
    let near = sorted.iter().filter(|late| (**late - mode).abs() <= 0.05 * mode.abs() + 2_000.0).count();
    let quarter = sorted.len() / 4;
    let middle = sorted[sorted.len() - 1 - quarter] - sorted[quarter];
    near * 10 >= sorted.len() * 3 || middle <= (0.5 * mode.abs()).max(100_000.0)
}

/// Slacks that systems and programs use, in ns: Linux' default of 50 µs (kernel/fork.c, since 2.6.28) and round values.
const SLACKS: &[f64] = &[
    50e3, 100e3, 150e3, 200e3, 250e3, 300e3, 400e3, 500e3, 600e3, 700e3, 800e3, 900e3, 1e6, 1.5e6, 2e6, 2.5e6, 3e6,
    4e6, 5e6, 6e6, 7e6, 8e6, 9e6, 10e6, 15e6, 20e6, 25e6, 30e6, 40e6, 50e6, 100e6,
];

/// The slacks of these that lateness alone may show: as costs are up to 50 µs, half of all latenesses below a
/// millisecond would look like one of the others.
const ROUND: &[f64] =
    &[50e3, 100e3, 200e3, 500e3, 1e6, 2e6, 3e6, 4e6, 5e6, 10e6, 15e6, 20e6, 25e6, 30e6, 40e6, 50e6, 100e6];

/// Lateness above this, in ns, needs evidence to be called a cost or a short slack.
const LONGEST_COST: f64 = 200e3;
/// Linux' default slack, in ns.
const DEFAULT: f64 = 50e3;

/// Infers the slack of a group's sleeps from their lateness.
///
/// `free`: the method that is least late under the same conditions. `read`: cost of reading a pair of clocks in ns,
/// where known, as a measure of how slow the machine is. `known`: what the recording's system does about slack.
pub(super) fn slack(steady: &Steady, free: Option<&Steady>, read: Option<f64>, known: Slacks) -> Option<Slack> {
    // Half of all costs lie just above some round number, and programs add a millisecond to a request. So lateness alone
    // shows only a slack within which other interrupts end some sleeps early, and on systems known to have slack one
    // longer than costs, or the default. Where the system is not
    // known, two costs look like a short slack that was ended early, and a capped share like a longer one.
    let usual = known == Slacks::Usual;
    let ended_early = |size: f64| steady.ended_early(size);
    let telling = |slack: &Slack| {
        (usual && (slack.size <= DEFAULT || steady.is_all_beyond(slack.size)))
            || (ended_early(slack.size)
                && (known != Slacks::Unknown || (slack.size > DEFAULT && !steady.early_are_short)))
    };
    contrast(steady, free, read).or_else(|| nominal(steady, read).filter(telling))
}

/// Infers slack by contrast with a method without slack, within a tolerance for what the two calls cost.
fn contrast(steady: &Steady, free: Option<&Steady>, read: Option<f64>) -> Option<Slack> {
    // The calls themselves differ by a few clock readings.
    let calls = (7.0 * read.unwrap_or(0.0)).max(2_000.0);
    let difference = steady.beyond(free?, calls)?;
    let give = 0.15 * difference + calls;
    let off = |slack: &f64| (difference - slack).abs();
    let size = SLACKS.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).filter(|slack| off(slack) <= give)?;
    (difference > 0.2 * steady.base).then_some(Slack {
        size,
        low: difference - give,
        high: difference + give,
        confidence: 0.97,
        basis: SlackBasis::Contrast,
    })
}

/// Infers slack from lateness just above a slack in use, by the cost of a wake-up, which the machine's speed bounds.
fn nominal(steady: &Steady, read: Option<f64>) -> Option<Slack> {
    let read = read.unwrap_or(300.0);
    // Wake-ups cost 50 to 80 clock pairs where time was counted in instructions (`tests/data/kernels`), and up to
    // 50 µs on machines with fast clocks and slow idle.
    let slow = read > 1_000.0;
    let dearest = if slow { 110.0 * read } else { (110.0 * read).max(50e3) };
    let cheapest = if slow { 30.0 * read } else { 1_000.0 };
    // On a slow machine the cost alone may look like 50 µs of slack: only lateness above any cost is slack there.
    if steady.base < 110.0 * read || steady.like_a_share() {
        return None;
    }
    let costs = |slack: &f64| {
        let cost = steady.base - slack;
        (cheapest..=dearest).contains(&cost) && (slow || cost < 1.2 * slack)
    };
    let size = ROUND.iter().copied().find(|slack| costs(slack) && steady.edge_at(*slack))?;
    // For a single request, a share of it looks like any slack but the default.
    if size > DEFAULT && steady.near_a_share(60e3) {
        return None;
    }
    // Twice the default may also be the default and an equal cost: only a size far beyond that names the slack.
    if size > DEFAULT && size < DEFAULT + 2.0 * dearest {
        return None;
    }
    // A single request of whole milliseconds that is late by whole milliseconds may also have waited for a tick.
    let whole = |ns: f64| (ns * 1e-6).fract() == 0.0;
    let same = |cell: &UsualLateness| (cell.requested - steady.asked).abs() < 1.0 && whole(cell.requested);
    if whole(size) && steady.usual.iter().all(same) {
        return None;
    }
    // Sleeps that other interrupts ended early show that the rest of the lateness was not cost.
    let low = (steady.base - dearest).max(0.0).min(0.95 * size);
    let confidence = if steady.ended_early(size) { 0.95 } else { 0.8 };
    Some(Slack { size, low, high: steady.base.max(1.05 * size), confidence, basis: SlackBasis::Nominal })
}

/// Returns what waking up usually costs, in ns, once slack and share are known; each sleep's part that grows with its
/// request is subtracted.
pub fn cost(steady: &Steady, group: &Group) -> f64 {
    let beyond_slack = steady.base - steady.slack.map_or(0.0, |slack| slack.size);
    if steady.share.is_none() {
        return beyond_slack.max(0.0);
    }
    let mut rests: Vec<f64> = short(group).map(|sleep| sleep.late - steady.stretched(sleep.requested)).collect();
    rests.sort_by(f64::total_cmp);
    mode(&rests).unwrap_or(beyond_slack).max(0.0)
}

/// Lateness that grows with the length of sleep, up to a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatenessGrowth {
    /// Usual lateness of the shortest sleeps, in ns.
    pub shallow: f64,
    /// Usual lateness of the longest, in ns.
    pub deep: f64,
}

/// Fewest sleeps whose distribution of lateness may show a slack.
const SHAPED: usize = 20;

impl Steady {
    /// Counts the latenesses in the range `from` (included) to `to` (excluded), in ns.
    fn between(&self, from: f64, to: f64) -> usize {
        self.lates.partition_point(|late| *late < to).saturating_sub(self.lates.partition_point(|late| *late < from))
    }

    /// Returns whether there are enough sleeps to see an edge at this lateness, in ns; above any cost, fewer suffice.
    fn has_enough_sleeps(&self, size: f64) -> bool {
        self.lates.len() >= if size >= 1e6 { 10 } else { SHAPED }
    }

    /// Returns whether lateness begins the way a slack of this size, in ns, would let it: almost no sleep just before,
    /// at least a third within the cost of a wake-up after, and their usual lateness near the least of those.
    fn edge_at(&self, size: f64) -> bool {
        let cost = self.base - size;
        let width = cost.clamp(1_000.0, 0.2 * size);
        let (before, after) = (self.between(size - width, size), self.between(size, self.base + width));
        let least = self.lates.get(self.lates.partition_point(|late| *late < size) + after / 20);
        let sharp = least.is_some_and(|least| self.base - least < 0.25 * cost + 1_500.0);
        let one_kind = !self.early_alike(size) && self.threads.least.is_none_or(|least| least >= size);
        self.has_enough_sleeps(size) && one_kind && after * 3 >= self.lates.len() && before * 30 <= after && sharp
    }

    /// Returns whether some sleeps ended so much earlier than usual that another interrupt ended them within a slack:
    /// at least three, and spread over the slack as interrupts are, not only near its end as scattering wake-ups are.
    fn ended_early(&self, size: f64) -> bool {
        let beyond = &self.threads.beyond;
        let by = |part: f64| beyond.partition_point(|late| *late < -part * size);
        let (early, far) = (by(0.2), by(0.5));
        early >= 3 && early * 50 >= beyond.len() && far * 5 >= early * 2 && !self.early_alike(size)
    }

    /// Returns whether the sleeps that ended much earlier than usual, if they are not few, ended about equally early: a
    /// second kind of wake-up does that, and interrupts within a slack do not.
    fn early_alike(&self, size: f64) -> bool {
        let early = &self.lates[..self.lates.partition_point(|late| *late < self.base - 0.2 * size)];
        let quarter = early.len() / 4;
        early.len() >= 8
            && early.len() * 20 >= self.lates.len()
            && early[early.len() - 1 - quarter] - early[quarter] < 0.15 * size
    }

    /// Returns the cell of this group whose request equals that of another group's cell, to 1 %.
    fn at_request_of(&self, cell: &UsualLateness) -> Option<&UsualLateness> {
        self.usual.iter().find(|own| (own.requested / cell.requested - 1.0).abs() < 0.01)
    }

    /// Returns how much later than another group these sleeps usually are, in ns: at equal requests, since waking costs
    /// more after longer sleeps; over all, where none are equal. `None` where the difference depends on the request.
    fn beyond(&self, other: &Self, calls: f64) -> Option<f64> {
        let short = self.usual.iter().filter(|cell| cell.requested <= 20e6);
        let more: Vec<f64> = short.filter_map(|cell| Some(cell.late - other.at_request_of(cell)?.late)).collect();
        let Some(middle) = median(&more) else { return Some(self.base - other.base) };
        let alike = more.iter().filter(|more| (**more - middle).abs() < 0.2 * middle + calls).count();
        (alike * 10 >= more.len() * 7).then_some(middle)
    }

    /// Returns how much later than another group these sleeps are, in ns: by the lower quartiles at equal requests,
    /// which vary less by chance than the mode; where no requests are equal, by the usual lateness of all.
    pub fn later_than(&self, other: &Self, views: &[View<'_>]) -> f64 {
        let quartile = |cell: &UsualLateness| (views[cell.view].quantile(0.25) - views[cell.view].unit) as f64;
        let beyond = |cell: &UsualLateness| Some(quartile(cell) - quartile(other.at_request_of(cell)?));
        let more: Vec<f64> = self.usual.iter().filter_map(beyond).collect();
        median(&more).unwrap_or(self.base - other.base)
    }

    /// Returns whether the usual lateness may be a share in use of the usual request: for a single request, slack and
    /// share cannot be distinguished. A share that comes to 300 µs or less counts as slack.
    pub fn like_a_share(&self) -> bool {
        self.near_a_share(3e5)
    }

    /// Returns whether the usual lateness (50 to 200 µs) may be a short slack and the cost of a wake-up.
    pub fn like_slack(&self) -> bool {
        (DEFAULT..LONGEST_COST).contains(&self.base)
    }

    /// Returns whether the usual lateness may be a share in use of the usual request, from 20 µs on.
    pub fn near_any_share(&self) -> bool {
        self.near_a_share(20e3)
    }

    /// Returns whether a single short request is late by what may be the default slack, or by FreeBSD's share of it.
    pub fn slack_or_share(&self) -> bool {
        let part = RATIOS[2] * self.asked;
        let short = part >= DEFAULT && (0.0..DEFAULT).contains(&(self.base - part)) && self.base < 2.5 * DEFAULT;
        short && self.is_of_one_request()
    }

    /// Returns whether a slack is longer than costs, and nearly no sleep is less late than half of it: what waits for other
    /// threads has its round numbers, too, and ends some sleeps at once.
    fn is_all_beyond(&self, slack: f64) -> bool {
        let before = self.lates.partition_point(|late| *late < 0.5 * slack);
        slack >= 1e6 && before * 20 <= self.lates.len()
    }

    /// Returns whether all cells have about the same request, so that nothing shows how lateness grows with it.
    pub fn is_of_one_request(&self) -> bool {
        self.usual.iter().all(|cell| (cell.requested / self.asked - 1.0).abs() < 0.2)
    }

    /// Returns whether the usual lateness may be a share in use of the usual request that comes to more than `least`
    /// ns, and up to 150 µs for the cost of a wake-up.
    fn near_a_share(&self, least: f64) -> bool {
        let mut parts = RATIOS[..3].iter().map(|ratio| ratio * self.asked);
        parts.any(|part| part > least && (0.0..150e3).contains(&(self.base - part)))
    }

    /// Returns whether more than a third of the cells are much later than slack, share and cost explain, and no idle
    /// exit does. The cost of waking up does not grow with the request.
    pub fn grows_unexplained(&self) -> bool {
        let known = |requested: f64| 1.5 * self.stretched(requested) + 3.0 * self.cost + 50_000.0;
        let beyond = |cell: &&UsualLateness| cell.late > known(cell.requested);
        self.growth().is_none() && 3 * self.usual.iter().filter(beyond).count() > self.usual.len()
    }

    /// Returns the slack at a request, in ns: the constant slack, or the share of the request where that is more.
    pub fn stretched(&self, requested: f64) -> f64 {
        let slack = self.slack.map_or(0.0, |slack| slack.size);
        self.share.map_or(slack, |share| (share.ratio * requested).min(share.cap.unwrap_or(f64::INFINITY)).max(slack))
    }

    /// Returns the growth of lateness from short sleeps to long, if it at least doubles the cost, is 5 µs or more, and
    /// less than idle states differ by (1 ms). Smaller growth is seen on every kernel that stops its tick in idle.
    pub fn growth(&self) -> Option<LatenessGrowth> {
        let [first, .., last] = self.usual[..] else { return None };
        let slack = self.slack.map_or(0.0, |slack| slack.size);
        let cost = (first.late - slack).max(1_000.0);
        let growth = last.late - first.late;
        let monotone = self.usual.windows(2).filter(|pair| pair[1].late >= pair[0].late - 0.2 * growth).count();
        let chance = 8.0 * first.error.max(last.error);
        let enough = self.usual.iter().all(|cell| cell.count >= 10);
        // Growth in proportion to the request means a timer that runs slow against the clock, not a deeper idle state.
        let points: Vec<(f64, f64)> = self.usual.iter().map(|cell| (cell.requested, cell.late)).collect();
        let straight = line(&points).is_some_and(|line| line.slope > 0.0 && line.residual < 0.15 * growth);
        let grows = !straight
            && enough
            && growth > chance
            && self.share.is_none()
            && (5_000.0..1e6).contains(&growth)
            && growth > cost;
        let in_threads = self.grown.is_none_or(|grown| grown > 0.5 * growth);
        // Idle states add less and less; what grows as fast in the longest sleeps is a share of them.
        let slope = |from: &UsualLateness| (last.late - from.late) / (last.requested - from.requested);
        let flattens = self.usual.iter().nth_back(1).is_some_and(|before| slope(before) < slope(&first));
        (grows && flattens && in_threads && self.usual.len() >= 4 && monotone + 1 >= self.usual.len())
            .then_some(LatenessGrowth { shallow: first.late, deep: last.late })
    }
}
