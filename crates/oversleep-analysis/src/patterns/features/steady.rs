//! Steady lateness: a cost, a slack, and a part that grows with the request.

use super::group::{Group, Sleep, View};
use super::predicted::HIGHEST;
use super::robust::{line, median, mode, standard_error};
use super::share::Share;
use super::threads;
use oversleep_model::Addition;
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

impl UsualLateness {
    /// Returns the scatter of its lateness (1 σ), in ns.
    fn scatter(&self) -> f64 {
        self.error * (self.count as f64).sqrt()
    }
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
    let ends = usual.first().zip(usual.last());
    let grown = ends.and_then(|(first, last)| threads::growth(&group.sleeps, first.view, last.view));
    Some(Steady { usual, base, asked, least, grown, slack: None, share: None, cost: base })
}

/// Number of parts into which sleeps are divided by the length of the request.
const PARTS: usize = 8;

/// Returns what remains of a group's lateness, and its growth with the request, where a share of it, up to a limit in ns, is
/// added; `None` where requests do not vary from sleep to sleep.
pub(super) fn under_share(group: &Group, (ratio, most): (f64, f64)) -> Option<Steady> {
    let mut sleeps = group.timed();
    sleeps.sort_by(|a, b| a.requested.total_cmp(&b.requested));
    let mut requests: Vec<f64> = sleeps.iter().map(|sleep| sleep.requested).collect();
    requests.dedup();
    if requests.len() * 2 < sleeps.len() {
        return None;
    }
    let asked = *requests.first()?;
    let stretch = |requested: f64| (ratio * requested).min(most);
    let mut rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - stretch(sleep.requested)).collect();
    rests.sort_by(f64::total_cmp);
    let base = mode(&rests)?;
    let part = |sleeps: &[Sleep]| {
        let middle = sleeps.get(sleeps.len() / 2)?;
        let rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - stretch(sleep.requested)).collect();
        let level = median(&rests)?;
        let error = standard_error(&rests, level);
        let late = level + stretch(middle.requested);
        Some(UsualLateness { view: middle.view, requested: middle.requested, late, error, count: sleeps.len() })
    };
    let usual = sleeps.chunks(sleeps.len().div_ceil(PARTS)).filter_map(part).collect();
    Some(Steady { usual, base, asked, least: *rests.first()?, grown: None, slack: None, share: None, cost: base })
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

/// Returns the slack that the decided law adds.
pub(super) fn decided_slack(decided: Option<(Addition, f64)>, steady: &Steady) -> Option<Slack> {
    let (size, probability) = match decided? {
        (Addition::Slack(size) | Addition::Share { least: size, .. }, probability) => (size, probability),
        (Addition::Nothing, _) => return None,
    };
    let high = steady.base.max(1.05 * size);
    let slack =
        Slack { size, low: 0.95 * size, high, confidence: probability.min(HIGHEST), basis: SlackBasis::Nominal };
    (size > 0.0).then_some(slack)
}

/// Infers slack by contrast with a method without slack, within a tolerance for what the two calls cost.
pub(super) fn contrast(steady: &Steady, free: Option<&Steady>, read: Option<f64>) -> Option<Slack> {
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

/// Largest scatter of the longest sleeps' lateness, as a part of its growth: leaving one idle state takes about as long each
/// time, while what other interrupts cut short scatters as much as it grows.
const LEVEL: f64 = 0.4;

/// Lateness that grows with the length of sleep, up to a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatenessGrowth {
    /// Usual lateness of the shortest sleeps, in ns.
    pub shallow: f64,
    /// Usual lateness of the longest, in ns.
    pub deep: f64,
}

impl Steady {
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
            && last.scatter() < LEVEL * growth
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
