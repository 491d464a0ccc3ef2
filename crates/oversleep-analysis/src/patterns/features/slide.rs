//! Sleeps due at a steady rhythm, such as every whole second. Their lateness slides as the tick's rate differs from the
//! clock's, and jumps back by one tick when it has slid by that much.

use super::fold::{self, Folded};
use super::grid::{COMMON, centred, fit};
use super::group::Sleep;
use super::jumps::{calmed, jumps, refined, steps, unwrapped};
use super::pieces::{self, Piece};
use super::robust::{line, median, spread, standard_error};
use super::rounding::{Rounding, votes};
use super::steady::Steady;
use super::tick::{Design, Tick};
use oversleep_model::KNOWN_RATES;

/// How lateness changes from sleep to sleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// Change of lateness in ns per second, jumps left out.
    pub slope: f64,
    /// Standard error of `slope`, in ns per second.
    pub error: f64,
    /// Height of the jumps in ns: one tick.
    pub jump: Option<f64>,
    /// Standard error of `jump`, in ns.
    pub jump_error: f64,
    /// Number of jumps.
    pub jumps: usize,
    /// Least and most lateness in ns, without the extreme 2 % on either side.
    pub range: (f64, f64),
    /// Period of the rhythm, from due time to due time, in ns.
    pub rhythm: f64,
}

/// Steepest slide of a timer against the clock, in ns per second: steering and divisors come to 1200 ppm.
const STEEPEST: f64 = 2e6;

/// Least step, as a share of the tick, that is a jump; its largest distance from whole ticks, and in scatters beside that.
const JUMP: f64 = 0.3;
const WHOLE: f64 = 0.01;
const SCATTERS: f64 = 6.0;

/// Measures the slide of a steady rhythm; `None` where there is no steady rhythm, or lateness does not move.
pub fn measure(sleeps: &[Sleep]) -> Option<Slide> {
    let slide = by_one_line(sleeps)?;
    // One line through slopes that differ makes the jumps too high or too low.
    let local = slide.jump.filter(|_| slide.pieces(sleeps).len() > 1);
    let local = local.and_then(|jump| height(sleeps.get(1..)?, jump));
    Some(local.map_or(slide, |(jump, jump_error)| Slide { jump: Some(jump), jump_error, ..slide }))
}

/// Sleeps on either side of a jump whose steps show the slope there; farthest from a nominal tick that a jump is one.
const BESIDE: usize = 5;
const NAMED: f64 = 1e-3;

/// Returns the height of the jumps, each beside the slope around it, with its standard error.
fn height(sleeps: &[Sleep], about: f64) -> Option<(f64, f64)> {
    let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let steps = steps(&lates);
    let of = |at: usize| {
        let around = &steps[at.saturating_sub(BESIDE)..(at + BESIDE + 1).min(steps.len())];
        (steps[at] - median(around).unwrap_or(0.0)).abs()
    };
    let jumps: Vec<f64> = (0..steps.len()).map(of).filter(|jump| (jump / about - 1.0).abs() < 0.2).collect();
    let middle = median(&jumps)?;
    let error = standard_error(&jumps, middle);
    let named = 1e9 / nearest(1e9 / middle);
    let is_named = (middle - named).abs() < NAMED * named + 3.0 * error + 10_000.0 / (jumps.len() as f64).sqrt();
    Some(if is_named { (named, 0.0) } else { (middle, error) })
}

/// Measures the slide as one line, or as a bent one.
fn by_one_line(sleeps: &[Sleep]) -> Option<Slide> {
    // The first sleep starts anywhere; the others start where the previous one woke.
    let sleeps = sleeps.get(1..).filter(|rest| rest.len() >= 20)?;
    let rhythm = rhythm(sleeps)?;
    let raw: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let stepped = by_steps(sleeps, &raw, rhythm);
    let folded = fold::sawtooth(sleeps, rhythm);
    // Jumps of another height that leave less scatter belong to a rate that no kernel is known to be built with. A
    // steeper slide along the ticks comes from the schedule itself: no timer is that far from its nominal rate.
    let stepped = stepped.filter(|(slide, _)| slide.slope.abs() <= STEEPEST);
    let Some(folded) = folded.filter(|folded| folded.slope.abs() <= STEEPEST) else {
        return stepped.map(|(slide, _)| slide).or_else(|| bent(sleeps, &raw, rhythm));
    };
    // The height of the jumps says whether the tick is of the rate that was folded by.
    if !jumps_by(&raw, folded.tick) {
        return stepped.map(|(slide, _)| slide);
    }
    let better = |(slide, scatter): &(Slide, f64)| {
        let jump = slide.jump.filter(|_| slide.jumps >= 3).unwrap_or(folded.tick);
        (jump / folded.tick - 1.0).abs() > 0.03 && *scatter < folded.scatter
    };
    stepped.filter(better).map(|(slide, _)| slide).or_else(|| {
        let Folded { tick, slope, error, jumps, .. } = folded;
        Some(Slide { slope, error, jump: Some(tick), jump_error: 0.0, jumps, range: inner_range(&raw), rhythm })
    })
}

/// Returns whether most jumps of the lateness from sleep to sleep are whole ticks, where there are any.
fn jumps_by(lates: &[f64], tick: f64) -> bool {
    let steps = steps(lates);
    let usual = median(&steps).unwrap_or(0.0);
    let scatter = spread(&steps, usual);
    let jumps = steps.iter().map(|step| step - usual).filter(|step| step.abs() > JUMP * tick);
    let offs: Vec<f64> = jumps.map(|jump| centred(jump, tick).abs()).collect();
    median(&offs).is_none_or(|off| off < WHOLE * tick + SCATTERS * scatter)
}

/// Most that the cost of a wake-up changes in a run, in ns: as processors warm up, or clock down, and programs' data grow.
const OF_COSTS: f64 = 500e3;

/// Returns a slide whose slope changes in mid-run, so that no single line fits: the slope is that of its longest piece.
fn bent(sleeps: &[Sleep], raw: &[f64], rhythm: f64) -> Option<Slide> {
    // Where the slope changes, few jumps may come, and not all one way: a single one says how high they are.
    let jumps = jumps(raw, 3).or_else(|| jumps(&calmed(raw), 1)).unwrap_or_default();
    let jump = median(&jumps);
    let points = unwrapped(sleeps, raw, jump, jump.map(f64::abs))?;
    let pieces = pieces::fit(&points);
    let longest = pieces.iter().max_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)))?;
    let told = pieces.len() > 1 && pieces.iter().all(|piece| piece.slope.abs() <= STEEPEST && piece.error.is_finite());
    let slides = pieces.iter().any(|piece| piece.slope.abs() > 8.0 * piece.error);
    let range = inner_range(raw);
    let is_tick = jump.is_some() || (range.1 - range.0 > OF_COSTS && !are_curved(&points, &pieces));
    (told && slides && is_tick).then(|| Slide {
        slope: longest.slope,
        error: longest.error,
        jump: jump.map(f64::abs),
        jump_error: jump.map_or(0.0, |jump| standard_error(&jumps, jump)),
        jumps: jumps.len(),
        range,
        rhythm,
    })
}

/// Largest scatter about a piece's line beside that from sleep to sleep: a rate that changes leaves lines, and a cost that
/// grows and falls leaves curves.
const CURVED: f64 = 3.0;

/// Returns whether the points of some piece scatter about its line far more than from sleep to sleep.
fn are_curved(points: &[(f64, f64)], pieces: &[Piece]) -> bool {
    let is_curved = |piece: &Piece| {
        let inside = |at: f64| (piece.from + piece.to_error..=piece.to - piece.to_error).contains(&at);
        let own: Vec<(f64, f64)> = points.iter().copied().filter(|point| inside(point.0)).collect();
        let steps = steps(&own.iter().map(|point| point.1).collect::<Vec<_>>());
        let noise = median(&steps).map_or(0.0, |usual| spread(&steps, usual)).max(2_000.0);
        line(&own).is_some_and(|line| line.residual > CURVED * noise)
    };
    pieces.iter().any(is_curved)
}

/// Returns the slide that the steps from sleep to sleep show, and the scatter that it leaves, in ns.
fn by_steps(sleeps: &[Sleep], raw: &[f64], rhythm: f64) -> Option<(Slide, f64)> {
    // Single late sleeps hide jumps; but where jumps come every few sleeps, removing late sleeps would hide jumps too.
    let (lates, jumps) = if let Some(jumps) = jumps(raw, 3) {
        (raw.to_vec(), jumps)
    } else {
        let calm = calmed(raw);
        let jumps = jumps(&calm, 1).unwrap_or_default();
        (calm, jumps)
    };
    // Lateness stays within one tick, so a tick is at least its range; smaller jumps are late sleeps that look alike.
    let range = inner_range(&lates);
    let rough = median(&jumps).filter(|jump| range.1 - range.0 < 1.15 * jump.abs() + 50_000.0);
    let unrefined = |jump: f64| (jump.abs(), standard_error(&jumps, jump));
    let refined = rough.map(|jump| refined(sleeps, &lates, jump).unwrap_or_else(|| unrefined(jump)));
    let (jump, jump_error) = refined.map_or((None, 0.0), |(jump, error)| (Some(jump), error));
    let points = unwrapped(sleeps, &lates, rough, jump)?;
    let fit = line(&points)?;
    let span = points.last()?.0 - points.first()?.0;
    let moved = (fit.slope * span).abs();
    let slides = moved > 6.0 * fit.residual && moved > 20_000.0 && fit.slope.abs() > 8.0 * fit.error;
    let range = inner_range(raw);
    let is_cost = jump.is_none() && (range.1 - range.0 <= OF_COSTS || !is_straight(&points));
    if !slides || fit.kept * 10 < points.len() * 7 || is_cost {
        return None;
    }
    let slide = Slide { slope: fit.slope, error: fit.error, jump, jump_error, jumps: jumps.len(), range, rhythm };
    Some((slide, fit.residual))
}

/// Largest difference of the slopes of both halves, as a part of their mean, and in standard errors beside that.
const STRAIGHT: f64 = 0.5;
const ERRORS: f64 = 4.0;

/// Returns whether both halves have the same slope: a cost that grows or falls for a time bends, and a tick without a jump
/// does not.
fn is_straight(points: &[(f64, f64)]) -> bool {
    let (first, last) = points.split_at(points.len() / 2);
    let (Some(first), Some(last)) = (line(first), line(last)) else { return false };
    let apart = (first.slope - last.slope).abs();
    apart <= STRAIGHT * 0.5 * (first.slope + last.slope).abs() + ERRORS * first.error.hypot(last.error)
}

/// Returns the least and the largest value, without the extreme 2 % on either side.
fn inner_range(lates: &[f64]) -> (f64, f64) {
    let mut sorted = lates.to_vec();
    sorted.sort_by(f64::total_cmp);
    let end = sorted.len() / 50;
    (sorted[end], sorted[sorted.len() - 1 - end])
}

/// Returns the time from due to due in ns, if the clock sets it: nine in ten equal the median (20 ms or more) to 3 %.
pub fn rhythm(sleeps: &[Sleep]) -> Option<f64> {
    let gaps: Vec<f64> = sleeps.windows(2).map(|pair| pair[1].due - pair[0].due).collect();
    let usual = median(&gaps)?;
    let steady = gaps.iter().filter(|gap| (**gap - usual).abs() < 0.03 * usual).count();
    // A rhythm in which lateness delays the next due time does not count: the clock must set each due time.
    let mut requests: Vec<f64> = sleeps.iter().map(|sleep| sleep.requested).collect();
    requests.sort_by(f64::total_cmp);
    requests.dedup();
    let set = requests.len() > 2;
    (set && usual >= 20e6 && steady * 10 >= gaps.len() * 9).then_some(usual)
}

impl Slide {
    /// Returns the pieces of constant slope, in ns per second; more than one where the rate changed in mid-run.
    pub fn pieces(&self, sleeps: &[Sleep]) -> Vec<Piece> {
        let sleeps = sleeps.get(1..).unwrap_or_default();
        let lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
        let height = self.jump.map(|jump| -jump * self.slope.signum());
        let Some(points) = unwrapped(sleeps, &lates, height, self.jump) else { return Vec::new() };
        let begin = sleeps.first().map_or(0.0, |sleep| sleep.due * 1e-9);
        pieces::fit(&points.iter().map(|(at, late)| (at - begin, *late)).collect::<Vec<_>>())
    }

    /// Returns the tick that this slide shows. Without a jump its rate stays open: several ticks would slide like this.
    pub fn tick(&self, sleeps: &[Sleep]) -> Tick {
        // No rule ends sleeps later than two ticks after their time: smaller jumps have another cause.
        let jump = self.jump.filter(|jump| self.range.1 < 2.1 * jump + 200_000.0);
        let hz = jump.map(|jump| nearest(1e9 / jump));
        let possible = possible(self.range);
        let hz = hz.or(possible.first().copied().filter(|_| possible.len() == 1));
        let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
        let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
        // With sleeps seconds apart, rates one hertz apart look the same: the slope decides.
        let alias = |hz: f64| 1e15 / hz / self.rhythm;
        let grid = hz
            .and_then(|hz| fit(&ends, &dues, hz / (1.0 + self.slope * 1e-9), (0.3 * alias(hz)).min(200.0)))
            .filter(|grid| grid.on_grid > 0.7);
        let votes = match (hz, grid) {
            (Some(hz), Some(grid)) => votes(sleeps, &grid, 1e9 / hz),
            _ => super::rounding::Votes::default(),
        };
        Tick {
            hz,
            candidates: hz.map_or(possible, |hz| vec![hz]),
            grid,
            // Without a jump the tick's length is inferred, and so would be the number of ticks counted. Nor is that
            // number known where lateness changes by 0.4 of a tick or more each time, as it may then rise or fall.
            rounding: if self.jump.is_some_and(|jump| self.slope.abs() * self.rhythm * 1e-9 < 0.4 * jump) {
                votes.verdict()
            } else {
                None
            },
            votes,
            rules: Vec::new(),
            design: Design::Sliding,
        }
    }
}

/// Returns the rates that allow this range of lateness, in ns, within the first tick (rounded up) or the second (an
/// extra one): common rates first, then the others that kernels are built with.
pub fn possible((least, most): (f64, f64)) -> Vec<f64> {
    let within = |tick: f64, extra: f64| least > extra * tick - 1e5 && most < (extra + 1.02) * tick + 1e5;
    let fits = |hz: &&f64| within(1e9 / **hz, 0.0) || within(1e9 / **hz, 1.0);
    let rare = KNOWN_RATES.iter().filter(|hz| !COMMON.contains(hz));
    COMMON.iter().chain(rare).filter(fits).copied().collect()
}

/// Returns the nominal rate nearest to a measured one, if within 2 %, otherwise the measured one.
fn nearest(hz: f64) -> f64 {
    let near = |nominal: &&f64| (hz / **nominal - 1.0).abs() < 0.02;
    let best = |a: &&f64, b: &&f64| (hz / **a - 1.0).abs().total_cmp(&(hz / **b - 1.0).abs());
    KNOWN_RATES.iter().filter(near).min_by(best).copied().unwrap_or(hz)
}

/// Returns whether sleeps due at whole seconds are so late that it may be a tick in step with the clock.
pub fn flat(steady: &Steady) -> bool {
    steady.base > 300_000.0
}

/// Lengths, in ns, of Windows' tick called 1 ms: it lasts 0.997 ms or 1 ms, and at whole seconds both slide alike.
const LIKE_A_MILLISECOND: std::ops::Range<f64> = 980_000.0..1_020_000.0;

/// Returns what a slide shows of a tick on Windows. If all sleeps start at the same place within the tick, counting
/// from the last tick or from now ends them at the same one; and a tick of 1 ms may also last 0.997 ms.
pub fn of_windows(tick: Tick) -> Tick {
    let told = tick.votes.telling_early + tick.votes.telling_late >= 3;
    let rounding = tick.rounding.filter(|rule| told || *rule != Rounding::Up);
    let rules = if rounding.is_none() { vec![Rounding::Early, Rounding::Up] } else { Vec::new() };
    let grid = tick.grid.filter(|grid| !LIKE_A_MILLISECOND.contains(&grid.tick));
    Tick { rounding: rounding.filter(|_| grid.is_some()), rules, grid, ..tick }
}

/// Returns the tick of sleeps with flat lateness, of which only a least length is known.
pub fn flat_tick(steady: &Steady) -> Tick {
    Tick {
        hz: None,
        candidates: possible((steady.base, steady.base)),
        grid: None,
        rounding: None,
        votes: super::rounding::Votes::default(),
        rules: Vec::new(),
        design: Design::Flat,
    }
}
