//! `periodic-interference`: something wakes at a fixed period and delays the sleeps it meets, or stalls the processor.

use super::{At, Detection};
use crate::patterns::features::grid::{COMMON, Grid, centred, downsample, resultant};
use crate::patterns::features::robust::{median, spread};
use crate::patterns::features::tick::Tick;
use crate::patterns::features::{Features, LatenessRule};
use crate::patterns::features::{beat, beat::PeriodEstimate, coarse};
use oversleep_recording::document::evidence::PeriodicInterference;
use oversleep_recording::document::{Finding, Unit};
use oversleep_sys::units::Nanos;
use std::collections::HashSet;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// Fewest delayed sleeps.
const EVENTS: usize = 12;
/// Least lead of the delays' rhythm over chance, in nats, corrected for the number of tries.
const BEYOND_CHANCE: f64 = 10.0;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (at, group) in features.groups.iter().enumerate() {
        if let Some(finding) = rhythm(features, at) {
            seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
        }
    }
    seen
}

/// Least delay, in ns, that is more than the kernel's own work every few ticks.
const LEAST: f64 = 15_000.0;
/// Largest relative distance from the period of a common tick at which a period counts as that tick.
const OWN_TICK: f64 = 200e-6;
/// Highest confidence in a rhythm: chance is not the only possible error.
const MOST_SURE: f64 = 0.99;

/// Returns the end of each timed sleep, and its delay beyond what rules its group, in ns.
fn delays(features: &Features<'_>, group: usize) -> Vec<(f64, f64)> {
    let timed = features.groups[group].timed();
    match &features.rules[group] {
        // A phase that moves delays nothing.
        LatenessRule::Tick(tick) => match &tick.grid {
            Some(grid) if !features.unsettled => {
                timed.iter().map(|s| (s.end, centred(grid.past(s.end), grid.tick))).collect()
            }
            _ => Vec::new(),
        },
        LatenessRule::Steady(steady) => {
            let usual =
                |view: usize| steady.usual.iter().find(|cell| cell.view == view).map_or(steady.base, |c| c.late);
            timed.iter().map(|s| (s.end, s.late - usual(s.view))).collect()
        }
        _ => Vec::new(),
    }
}

/// Numbers of largest delays that are each examined alone: small frequent delays hide large rare ones.
const LARGEST: &[usize] = &[768, 384, 192, 96, 64, 48, 36, 28, 22, 17, 13];
/// The same for periods counted in ticks, where few delays are enough among many.
const LARGEST_IN_TICKS: &[usize] = &[768, 256, 96, 40, 20];

/// A rhythm in the times of delays.
struct Rhythm {
    /// Period and its error, in ns.
    period: f64,
    error: f64,
    /// One of its times, near the middle of the group's, in ns.
    at: f64,
    /// When its first and its last meeting with a sleep were, in ns.
    lasts: RangeInclusive<f64>,
    chance: f64,
    events: usize,
    /// Median of its delays, in ns.
    size: f64,
}

/// Least period, in ns, of a program's own rhythm, and least length of its wake-ups' mean vector, 0 to 1, at which delays of a
/// shorter period look like those of a longer one.
const SLOW: f64 = 5e6;
const RIGID: f64 = 0.9;

/// Returns whether sleeps end in a slow rhythm of their own. What delays them every 33 ms then looks like what does so every
/// 825 ms, where they end every 20 ms; and threads with such short periods are as usual.
fn has_slow_rhythm(delays: &[(f64, f64)]) -> bool {
    let gaps: Vec<f64> = delays.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let ends = || downsample(&delays.iter().map(|delay| delay.0).collect::<Vec<_>>());
    median(&gaps).is_some_and(|gap| gap >= SLOW && resultant(&ends(), 1.0 / gap).0 > RIGID)
}

/// Finds the rhythm of the delays larger than `bound`, in ns.
fn rhythm_beyond(delays: &[(f64, f64)], bound: f64, usual: f64) -> Option<Rhythm> {
    if bound <= usual {
        return None;
    }
    let beyond: Vec<(f64, f64)> = delays.iter().copied().filter(|delay| delay.1 > bound).collect();
    if beyond.len() < EVENTS || beyond.len() * 4 > delays.len() {
        return None;
    }
    let events: Vec<f64> = beyond.iter().map(|delay| delay.0).collect();
    let span = delays.last()?.0 - delays.first()?.0;
    let all: Vec<f64> = downsample(&delays.iter().map(|delay| delay.0).collect::<Vec<_>>());
    // Periods are searched from an eighth of the recording down to two sleeps, or a twentieth of the time per delay if
    // that is longer: shorter ones meet too few sleeps to matter, and every rate tried makes chance likelier.
    let slowest = 8.0 / span;
    let fastest = (0.5 * delays.len() as f64).min(20.0 * events.len() as f64) / span;
    let (beat, chance) = beyond_chance(&events, slowest, fastest)?;
    if resultant(&all, beat.rate).0 > 0.35 {
        return None;
    }
    let size = |beyond: &[(f64, f64)]| median(&beyond.iter().map(|delay| delay.1 - usual).collect::<Vec<_>>());
    let (period, error) = beat.period();
    let angle = resultant(&events, beat.rate).1;
    let lasts = delays_what_it_meets(delays, &events, (usual, size(&beyond)?), (period, angle * period))?;
    let beyond: Vec<(f64, f64)> = beyond.into_iter().filter(|delay| lasts.contains(&delay.0)).collect();
    let events: Vec<f64> = beyond.iter().map(|delay| delay.0).collect();
    let (regular, angle) = resultant(&events, beat.rate);
    if events.len() < EVENTS || regular < 0.7 {
        return None;
    }
    let at = ((f64::midpoint(*lasts.start(), *lasts.end()) * beat.rate - angle).round() + angle) * period;
    Some(Rhythm { period, error, at, lasts, chance, events: events.len(), size: size(&beyond)? })
}

/// Returns the strongest period of events between two rates (cycles per ns), and its lead over chance, corrected for the rates
/// tried on all bounds.
fn beyond_chance(events: &[f64], slowest: f64, fastest: f64) -> Option<(PeriodEstimate, f64)> {
    let beat = beat::in_time(events, slowest, fastest)?;
    let chance = beat.score - (beat.tries * (LARGEST.len() + 1) as f64).ln();
    (chance >= BEYOND_CHANCE).then_some((beat, chance))
}

/// Starts and lengths, in ns.
type Stalls = Vec<(f64, f64)>;

/// Number of a processor's longest stalls among which a rhythm is sought.
pub(crate) const MOST_STALLS: usize = LARGEST[0];
/// Largest distance of a stall from its time, in periods.
const NEAR: f64 = 0.1;
/// Least share of a rhythm's times that have a stall while it lasts: at half its period, every second time has none.
const KEPT: f64 = 0.75;
/// Most lines of a spectrum that are tried as multiples of the rate: among other stalls, one of them may be the strongest.
const OVERTONES: u32 = 4;
/// Fewest times of a rhythm in each window for which rates are searched alone, as windows have a line of their own.
const IN_A_WINDOW: f64 = 3.0;
/// A rhythm with fewer times in each window than `LEAST_IN_A_WINDOW`, of which a whole number, but for so much, come from one
/// window to the next, may be that of the windows: their opening may stall a processor.
const OWN_WINDOWS: f64 = 0.02;
const LEAST_IN_A_WINDOW: f64 = 2.0;

/// Returns the rhythm of a processor's stalls, and the lengths of those that keep it, ascending, in ns. `stalls` has the start and
/// length of the longest, and `windows` when stalls were watched for, in order, in ns since `begun`.
pub(crate) fn of_stalls(
    stalls: &[(f64, f64)],
    windows: &[(f64, f64)],
    begun: Nanos,
) -> Option<(PeriodicInterference, Vec<f64>)> {
    let mut largest: Vec<f64> = stalls.iter().map(|stall| stall.1).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let bounds = LARGEST.iter().filter_map(|count| largest.get(*count).copied()).chain([0.0]);
    let tries = bounds.flat_map(|bound| stalls_beyond(stalls, windows, bound.max(LEAST)));
    let (rhythm, own) = tries.max_by(|a, b| a.0.chance.total_cmp(&b.0.chance)).filter(|found| !found.0.is_a_tick())?;
    let mut lengths: Vec<f64> = own.iter().map(|stall| stall.1).collect();
    lengths.sort_by(f64::total_cmp);
    Some((rhythm.evidence(windows.first()?.0..=windows.last()?.1, begun.get()), lengths))
}

/// Finds rhythms of the stalls longer than `bound`, in ns, and those that keep each.
fn stalls_beyond(stalls: &[(f64, f64)], windows: &[(f64, f64)], bound: f64) -> Vec<(Rhythm, Stalls)> {
    let beyond: Vec<(f64, f64)> = stalls.iter().copied().filter(|stall| stall.1 > bound).collect();
    let starts: Vec<f64> = beyond.iter().map(|stall| stall.0).collect();
    let [Some(first), Some(last)] = [windows.first(), windows.last()] else { return Vec::new() };
    let (span, every) = (last.1 - first.0, (last.0 - first.0) / (windows.len() - 1).max(1) as f64);
    let length = first.1 - first.0;
    let slowest = [8.0 / span, IN_A_WINDOW / every].into_iter().filter(|slowest| slowest.is_finite());
    let lines = slowest.filter_map(|slowest| beyond_chance(&starts, slowest, 20.0 * starts.len() as f64 / span));
    let found = lines.filter_map(|(beat, chance)| {
        let rates = (1..=OVERTONES).map(|overtone| PeriodEstimate { rate: beat.rate / f64::from(overtone), ..beat });
        let is_windows = |rate: f64| {
            (rate * every - (rate * every).round()).abs() < OWN_WINDOWS && rate * length < LEAST_IN_A_WINDOW
        };
        rates.filter(|line| !is_windows(line.rate)).find_map(|line| {
            let beyond_windows = starts.len() as f64 * off_watch(&starts, windows, line.rate);
            keeping(&beyond, windows, line, chance - beat.score + beyond_windows)
        })
    });
    found.collect()
}

/// Returns the squared distance of the mean vector of events from that of the time watched, which random events have.
fn off_watch(events: &[f64], windows: &[(f64, f64)], rate: f64) -> f64 {
    let turning = TAU * rate;
    let part = |f: fn(f64) -> f64| -> f64 { windows.iter().map(|(a, b)| f(turning * b) - f(turning * a)).sum() };
    let watched: f64 = windows.iter().map(|(a, b)| b - a).sum::<f64>() * turning;
    let (regular, angle) = resultant(events, rate);
    let (sin, cos) = (TAU * angle).sin_cos();
    (regular * cos - part(f64::sin) / watched).powi(2) + (regular * sin + part(f64::cos) / watched).powi(2)
}

/// Returns the rhythm of this line of the spectrum, if stalls keep it.
fn keeping(
    stalls: &[(f64, f64)],
    windows: &[(f64, f64)],
    line: PeriodEstimate,
    chance: f64,
) -> Option<(Rhythm, Stalls)> {
    let angle = resultant(&stalls.iter().map(|stall| stall.0).collect::<Vec<_>>(), line.rate).1;
    let (period, error) = line.period();
    #[allow(clippy::cast_possible_truncation)] // fewer than 2^31
    let turn = |start: f64| (start / period - angle).round() as i32;
    let time = |turn: i32| (f64::from(turn) + angle) * period;
    let near = || stalls.iter().filter(|stall| (stall.0 - time(turn(stall.0))).abs() < NEAR * period);
    let kept: HashSet<i32> = near().map(|stall| turn(stall.0)).collect();
    let is_watched = |time: f64| {
        let begun = windows.partition_point(|(from, _)| *from <= time);
        windows[..begun].last().is_some_and(|(_, until)| time <= *until)
    };
    let turns = turn(0.0)..=turn(windows.last()?.1);
    let met: Vec<(f64, bool)> =
        turns.map(|turn| (time(turn), kept.contains(&turn))).filter(|met| is_watched(met.0)).collect();
    let lasts = most_of(&met)?;
    let met = met.iter().filter(|met| lasts.contains(&met.0));
    let lasts = lasts.start() - NEAR * period..=lasts.end() + NEAR * period;
    let own: Stalls = near().copied().filter(|stall| lasts.contains(&stall.0)).collect();
    let (events, at) = (own.len(), own.get(own.len() / 2)?.0);
    let (on_time, of) = met.fold((0.0, 0.0), |(on_time, of), met| (on_time + f64::from(u8::from(met.1)), of + 1.0));
    let is_there = on_time >= KEPT * of && on_time >= MET * kept.len() as f64;
    let found = events >= EVENTS && is_there && chance >= BEYOND_CHANCE;
    let rhythm = Rhythm { period, error, at, lasts, chance, events, size: own[events / 2].1 };
    found.then_some((rhythm, own))
}

/// Least share of a thread's delays that must be in the time in which it is there, and of the delays then of its size that are its own.
const MET: f64 = 0.5;
const ITS_OWN: f64 = 0.6;
/// Fewest sleeps that it must meet.
const MEETINGS: usize = 5;

/// Share of the recording from which on something that delays sleeps is said to have been there all the time.
const MOST_OF_THE_TIME: f64 = 0.8;

/// Longest disturbance, as a part of its period, in which sleeps end late without ending together.
const DISTURBED: f64 = 0.02;

/// Returns from when to when something at this phase of this period (in ns) delays most of the sleeps that it meets, and is behind
/// most delays of that `size` (in ns): a thread until whose end they wait, or a short time in which all are late. Most of its delays
/// must lie in that time, as it may come and go. Returns `None` if it does not explain the delays at any time.
///
/// Multiples of the true period leave delays unexplained, parts of it meet sleeps that are on time, and lateness that only
/// varies with time begins and ends slowly.
fn delays_what_it_meets(
    delays: &[(f64, f64)],
    events: &[f64],
    (usual, size): (f64, f64),
    (period, phase): (f64, f64),
) -> Option<RangeInclusive<f64>> {
    let off = |time: f64| centred(time - phase, period);
    let width = spread(&events.iter().map(|event| off(*event)).collect::<Vec<_>>(), 0.0);
    let end_together = width < 0.5 * size;
    if !end_together && width >= DISTURBED * period {
        return None;
    }
    let rest = |delay: &(f64, f64)| (phase - (delay.0 - delay.1 + usual)).rem_euclid(period);
    let meets = |delay: &&(f64, f64)| {
        if end_together { (0.1 * size..=0.9 * size).contains(&rest(delay)) } else { off(delay.0).abs() < 0.5 * width }
    };
    let least = |delay: &(f64, f64)| if end_together { 0.5 * rest(delay) } else { 0.5 * size };
    let met: Vec<_> = delays.iter().filter(meets).collect();
    let delayed = |delay: &(f64, f64)| delay.1 - usual > least(delay);
    let lasts = most_of(&met.iter().map(|delay| (delay.0, delayed(delay))).collect::<Vec<_>>())?;
    let met = met.iter().filter(|delay| lasts.contains(&delay.0)).count();
    let near = (0.5 * size).max(3.0 * width).min(0.2 * period);
    let large = || delays.iter().filter(|delay| delay.1 - usual > 0.5 * size);
    let own = large().filter(|delay| off(delay.0).abs() < near).count() as f64;
    let then = || large().filter(|delay| lasts.contains(&delay.0));
    let own_then = then().filter(|delay| off(delay.0).abs() < near).count() as f64;
    (met >= MEETINGS && own_then >= MET * own && own_then >= ITS_OWN * then().count() as f64).then_some(lasts)
}

/// Returns the time in which those that are true outnumber the others by most, which at least half of them then are.
fn most_of(met: &[(f64, bool)]) -> Option<RangeInclusive<f64>> {
    let (mut best, mut sum, mut from) = ((0, None), 0, f64::NAN);
    for &(at, holds) in met {
        (sum, from) = match (sum, holds) {
            (0, true) => (1, at),
            (_, true) => (sum + 1, from),
            (_, false) => ((sum - 1).max(0), from),
        };
        if sum > best.0 {
            best = (sum, Some(from..=at));
        }
    }
    best.1
}

/// Finds the rhythm, in ticks, of the delays larger than `bound`, in ns.
fn turns_beyond(delays: &[(f64, f64)], grid: &Grid, bound: f64, usual: f64) -> Option<Rhythm> {
    let numbered = |delay: &(f64, f64)| number(grid, delays[0].0, delay.0);
    let mut seen: Vec<u32> = delays.iter().map(numbered).collect::<Option<_>>()?;
    let late: Vec<(u32, f64)> = seen.iter().copied().zip(delays.iter().map(|d| d.1)).filter(|d| d.1 > bound).collect();
    let mut events: Vec<u32> = late.iter().map(|late| late.0).collect();
    seen.dedup();
    events.dedup();
    if bound <= usual || events.len() > u16::MAX.into() || events.len() * 4 > seen.len() {
        return None;
    }
    let (turn, beyond) = beat::in_ticks(&events, &seen)?;
    let chance = beyond - ((LARGEST_IN_TICKS.len() + 1) as f64).ln();
    // A thread that wakes at these ticks delays most sleeps that end there.
    let most = turn.kept * 2 >= turn.seen;
    let kept: Vec<&(u32, f64)> = late.iter().filter(|late| late.0 % turn.ticks == turn.at).collect();
    let size = median(&kept.iter().map(|late| late.1 - usual).collect::<Vec<_>>())?;
    let at = grid.phase + (grid.place(delays[0].0).round() + f64::from(kept.get(kept.len() / 2)?.0)) * grid.tick;
    let lasts = delays[0].0..=delays[delays.len() - 1].0;
    let (period, error) = (f64::from(turn.ticks) * grid.tick, f64::from(turn.ticks) * grid.error);
    (most && chance >= BEYOND_CHANCE).then_some(Rhythm { period, error, at, lasts, chance, events: turn.kept, size })
}

/// Returns the number of the tick at which a sleep ended, counted from the first.
fn number(grid: &Grid, first: f64, end: f64) -> Option<u32> {
    let ticks = grid.place(end).round() - grid.place(first).round();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within
    (0.0..f64::from(u32::MAX)).contains(&ticks).then_some(ticks as u32)
}

fn rhythm(features: &Features<'_>, group: usize) -> Option<Finding> {
    let delays = delays(features, group);
    let values: Vec<f64> = delays.iter().map(|delay| delay.1).collect();
    let usual = median(&values)?;
    // Kernels' own work costs some instructions.
    let slow = features.read.map_or(1.0, |read| (read / 300.0).max(1.0));
    // Nor is a delay seen that is shorter than a step of the clock, whose steps have a rhythm of their own.
    let least = (LEAST * slow).max(coarse::resolution(&features.groups[group]));
    let bound = usual + (6.0 * spread(&values, usual)).max(least);
    let mut largest: Vec<f64> = values.iter().copied().filter(|value| *value > usual + least).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let beyond = largest.iter().filter(|value| **value > bound).count();
    let has_slow_rhythm = has_slow_rhythm(&delays);
    let at = |counts: &'static [usize], most: usize| {
        let known = counts.iter().filter(move |count| **count < most);
        known.filter_map(|&count| largest.get(count).copied()).collect::<Vec<f64>>()
    };
    let in_time = at(LARGEST, beyond).into_iter().chain([bound]).filter(|_| !has_slow_rhythm);
    let mut tries: Vec<Rhythm> = in_time.filter_map(|bound| rhythm_beyond(&delays, bound, usual)).collect();
    if let LatenessRule::Tick(Tick { grid: Some(grid), .. }) = &features.rules[group] {
        let bounds = at(LARGEST_IN_TICKS, usize::MAX);
        let all = (beyond <= LARGEST_IN_TICKS[0]).then_some(bound);
        tries.extend(bounds.into_iter().chain(all).filter_map(|bound| turns_beyond(&delays, grid, bound, usual)));
    }
    let found = tries.into_iter().max_by(|a, b| a.chance.total_cmp(&b.chance)).filter(|found| !found.is_a_tick())?;
    let evidence = found.evidence(delays.first()?.0..=delays.last()?.0, features.groups[group].origin);
    Some(Finding::new(evidence, found.size, Unit::Nanoseconds).sure((1.0 - (-found.chance).exp()).min(MOST_SURE)))
}

impl Rhythm {
    /// Returns whether it is the kernel's own: a delay at every tick, which checks whether another thread should run.
    fn is_a_tick(&self) -> bool {
        COMMON.iter().any(|hz| (self.period * hz * 1e-9 - 1.0).abs() < OWN_TICK)
    }

    /// Returns the evidence of a rhythm in a recording with this begin and end, in ns after `origin`.
    fn evidence(&self, recording: RangeInclusive<f64>, origin: i64) -> PeriodicInterference {
        let Self { period, lasts, .. } = self;
        let (begin, end) = recording.into_inner();
        let comes_and_goes = lasts.end() - lasts.start() < MOST_OF_THE_TIME * (end - begin);
        let since = |time: f64| comes_and_goes.then_some(1e-9 * (time - begin));
        PeriodicInterference {
            period_s: 1e-9 * period,
            period_error_s: 1e-9 * self.error,
            at_ns: Nanos::new(origin).saturating_add(Nanos::from_f64(self.at)),
            from_s: since(*lasts.start()),
            to_s: since(*lasts.end()),
            to_error_s: (comes_and_goes && end - lasts.end() > 2.0 * period).then_some(1e-9 * period),
            events: self.events,
            log_likelihood_beyond_chance: self.chance,
        }
    }
}
