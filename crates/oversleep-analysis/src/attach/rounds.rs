//! The rounds of a loop: from the end of one wait to the end of the next.

use super::accumulate::PartSums;
use oversleep_figures::quantile::{self, Fraction};
use oversleep_recording::document::attach::{Loop, LoopKind, LoopPart};
use oversleep_recording::document::breakdown::PartKind;
use oversleep_recording::{AttachedThread, Sample};
use oversleep_sys::units::Nanos;

/// Least number of rounds of a loop.
const LEAST: u64 = 10;
/// Number of rounds of which each time is kept, for medians and for the rate with deadlines.
const KEPT: usize = 10_000;
/// Work longer than this many of the longest request is a pause of the loop, not a round.
const PAUSE: i64 = 10;
/// Factor by which one quantity scatters less than another that it would scatter with if it depended on it.
const CLEARLY: i64 = 4;
/// Where one round in so many, or more, has a pause, its pauses count as work.
const OFTEN: u64 = 20;
/// Where one round in so many, or more, overlaps the one before, they are not of one loop.
const MOST_DISORDERED: u64 = 50;
/// A wait later than this many of the longest request is a stop of the loop.
const STOP: i64 = 100;
/// Largest distance from the median, as its share, of half of the requests of a loop (or of the distances of its deadlines).
const STEADY: f64 = 0.05;
/// How long a program's clock reading may lie before its call, and the kernel's after it: the request is within these of
/// the time from the call to the deadline.
const READ_BEFORE: i64 = 20_000;
const READ_AFTER: i64 = 3_000;

/// The rounds of one thread's waits in one call.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    last: Option<Sample>,
    longest: Nanos,
    /// Rounds that begin before the one before has ended, or end before they begin.
    disordered: u64,
    sums: Sums,
    /// Of the rounds whose work is a pause.
    pauses: Sums,
    kept: Vec<Round>,
}

/// Sums over rounds.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: u64,
    waiting: Nanos,
    late: Nanos,
    work: Nanos,
}

impl Sums {
    fn add(&mut self, waiting: Nanos, late: Nanos, work: Nanos) {
        self.count += 1;
        self.waiting = self.waiting.saturating_add(waiting);
        self.late = self.late.saturating_add(late);
        self.work = self.work.saturating_add(work);
    }

    fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            waiting: self.waiting.saturating_add(other.waiting),
            late: self.late.saturating_add(other.late),
            work: self.work.saturating_add(other.work),
        }
    }
}

/// One round.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// From the call to the deadline.
    asked: Nanos,
    /// From the deadline before to this one.
    step: Nanos,
    work: Nanos,
    late: Nanos,
}

impl Rounds {
    /// Adds a wait, later than those before.
    pub(super) fn add(&mut self, sample: &Sample) {
        let Some(last) = self.last.replace(*sample) else { return };
        let (Some(deadline), Some(before)) = (sample.deadline, last.deadline) else { return };
        let work = sample.start.saturating_sub(last.end);
        if work < Nanos::ZERO || sample.end < sample.start {
            self.disordered += 1;
            return;
        }
        let asked = deadline.saturating_sub(sample.start);
        // A loop that is behind asks for nothing until it has caught up.
        self.longest = self.longest.max(sample.requested);
        // A deadline that had passed already is late from the call on: until then it was work.
        let late = sample.end.saturating_sub(deadline.max(sample.start));
        let longest = self.longest.get().max(1);
        if work.get() / PAUSE > longest || late.get() / STOP > longest {
            self.pauses.add(asked.max(Nanos::ZERO), late, work);
            return;
        }
        self.sums.add(asked.max(Nanos::ZERO), late, work);
        if self.kept.len() < KEPT {
            self.kept.push(Round { asked, step: deadline.saturating_sub(before), work, late });
        }
    }

    /// Returns the loop, if there are enough rounds and they are alike.
    pub(super) fn of_thread(&self, thread: &AttachedThread, parts: Vec<LoopPart>) -> Option<Loop> {
        // Pauses that come again and again are what the loop does.
        let (sums, pauses) = match self.pauses {
            often if often.count * OFTEN > self.sums.count => (self.sums.with(often), 0),
            rare => (self.sums, rare.count),
        };
        if sums.count < LEAST || self.disordered * MOST_DISORDERED > sums.count {
            return None;
        }
        let spread = |of: fn(&Round) -> Nanos| Spread::compute(self.kept.iter().map(|round| of(round).get()).collect());
        let (asked, steps, late) =
            (spread(|round| round.asked)?, spread(|round| round.step)?, spread(|round| round.late)?);
        // Where durations are kept, each deadline comes later by the lateness before it, so that their distances scatter as that does.
        let keeps_deadlines = asked.distance > steps.distance || steps.distance * CLEARLY < late.distance;
        // A sleep of what the work leaves of a period adds only its lateness to that.
        let planned = spread(|round| round.asked.saturating_add(round.work))?;
        let compensates = keeps_deadlines && planned.distance * CLEARLY < steps.distance;
        let (kind, asked) = match (keeps_deadlines, compensates) {
            (true, true) => (LoopKind::Durations, planned),
            (true, false) => (LoopKind::Deadlines, steps),
            (false, _) => (LoopKind::Durations, asked),
        };
        if asked.median <= 0 || asked.distance as f64 > STEADY * asked.median as f64 {
            return None;
        }
        let asked = Nanos::new(match kind {
            LoopKind::Durations => nicest(asked.low - READ_AFTER, asked.high + READ_BEFORE, asked.median),
            LoopKind::Deadlines => nicest(asked.median - READ_AFTER, asked.median + READ_AFTER, asked.median),
        });
        let mean = |sum: Nanos| Nanos::new(sum.get() / i64::try_from(sums.count).unwrap_or(i64::MAX));
        // Waits end at their time or later: these are not the times of waits.
        if mean(sums.late) < Nanos::ZERO {
            return None;
        }
        Some(Loop {
            cell: thread.cell,
            thread: thread.thread,
            tid: thread.tid,
            name: thread.name.clone(),
            call: thread.call.clone(),
            kind,
            rounds: sums.count,
            pauses,
            asked,
            period: mean(sums.waiting.saturating_add(sums.late).saturating_add(sums.work)),
            waiting: mean(sums.waiting),
            late: mean(sums.late),
            work: mean(sums.work),
            parts,
            // Of the rounds that are kept, none is a pause.
            with_deadlines_hz: (kind == LoopKind::Durations && pauses == self.pauses.count)
                .then(|| self.with_deadlines(asked)),
        })
    }

    /// Returns the rate if each round's deadline were one period after the one before, with the same work and lateness: a
    /// round that is not ready by its deadline does not wait.
    fn with_deadlines(&self, period: Nanos) -> f64 {
        let (mut deadline, mut end) = (Nanos::ZERO, Nanos::ZERO);
        for round in &self.kept {
            deadline += period;
            let ready = end + round.work;
            end = if ready > deadline { ready } else { deadline + round.late };
        }
        // The last deadline's own lateness would count as if every round took its share of it.
        let last = self.kept.last().map_or(Nanos::ZERO, |round| round.late);
        let whole = if end - deadline == last { deadline } else { end };
        self.kept.len() as f64 / whole.as_secs_f64()
    }
}

/// How values lie: their median, how far half of them are from it, and the range without the twentieth at either end.
struct Spread {
    median: i64,
    distance: i64,
    low: i64,
    high: i64,
}

impl Spread {
    fn compute(mut values: Vec<i64>) -> Option<Self> {
        let [low, median, high] =
            [0.05, 0.5, 0.95].map(|share| quantile::of_unsorted(&mut values, Fraction::from_share(share)));
        let median = median?;
        let distance = quantile::median(values.iter().map(|value| (value - median).abs()).collect())?;
        Some(Self { median, distance, low: low?, high: high? })
    }
}

/// Returns the number in a range that a person would write: a duration, or the period of a whole rate, with the fewest
/// digits; of two the one that is nearer to `median`.
fn nicest(low: i64, high: i64, median: i64) -> i64 {
    let fits = |value: &i64| (low.max(1)..=high).contains(value);
    let mut found: Vec<(usize, i64, i64)> = Vec::new();
    let mut offer = |value: i64, digits: usize| found.push((digits, (value - median).abs(), value));
    let mut step = 1;
    while step <= high {
        for value in [median / step * step, (median / step + 1) * step, low.max(0) / step * step + step] {
            if fits(&value) {
                offer(value, digits(value));
            }
        }
        step = step.saturating_mul(10);
    }
    let hz = 1_000_000_000_f64 / median.max(1) as f64;
    for hz in [hz.floor(), hz.ceil()].into_iter().filter(|hz| *hz >= 1.0) {
        #[allow(clippy::cast_possible_truncation)] // below 1e9
        let value = (1_000_000_000_f64 / hz).round() as i64;
        if fits(&value) {
            #[allow(clippy::cast_possible_truncation)] // below 1e9
            offer(value, digits(hz as i64));
        }
    }
    found.into_iter().min().map_or(median, |(_, _, value)| value)
}

/// Returns the number of digits up to the last that is not zero.
fn digits(mut value: i64) -> usize {
    while value > 0 && value % 10 == 0 {
        value /= 10;
    }
    value.to_string().len()
}

/// Returns the mean parts of lateness, the largest first.
pub(super) fn parts(sums: &PartSums) -> Vec<LoopPart> {
    let count = i64::try_from(sums.complete).unwrap_or(i64::MAX).max(1);
    let mostly = |kind: PartKind, whole: Nanos| {
        let of_kind = sums.owners.iter().filter(|((of, _), _)| *of == kind);
        let (who, time) = of_kind.max_by_key(|(_, time)| **time)?;
        (time.get() > whole.get() / 2).then(|| who.1.clone())
    };
    let part = |(kind, sum): (&PartKind, &Nanos)| LoopPart {
        kind: *kind,
        mean: Nanos::new(sum.get() / count),
        mostly: mostly(*kind, *sum),
    };
    let mut parts: Vec<LoopPart> = sums.time.iter().filter(|(_, sum)| **sum > Nanos::ZERO).map(part).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.mean));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::AttachedProgram;
    use oversleep_recording::document::attach::Attached;

    /// Returns a loop of 100 rounds: each waits until `deadline(round, start)` and is late and works as given, in ns.
    fn rounds(late: i64, work: i64, deadline: impl Fn(i64, i64) -> i64) -> Option<Loop> {
        let (mut rounds, mut now) = (Rounds::default(), 1_000);
        for round in 0..101 {
            let (start, due) = (now, deadline(round, now));
            // Without this, durations and distances of deadlines would both be constant.
            let late = late + round % 7 * 1_000;
            let end = due.max(start) + late;
            rounds.add(&Sample {
                sequence: round.unsigned_abs(),
                requested: Nanos::new(due - start),
                deadline: Some(Nanos::new(due)),
                start: Nanos::new(start),
                end: Nanos::new(end),
                ..Sample::BLANK
            });
            now = end + work;
        }
        rounds.of_thread(&AttachedThread::default(), Vec::new())
    }

    #[test]
    fn rounds_that_catch_up_are_rounds() {
        let (mut rounds, mut now) = (Rounds::default(), 0);
        for round in 1..=1_000 {
            let requested = (5_000_000 * round - now).max(0);
            let (start, due) = (now, now + requested);
            let end = due + 60_000;
            rounds.add(&Sample {
                requested: Nanos::new(requested),
                deadline: Some(Nanos::new(due)),
                start: Nanos::new(start),
                end: Nanos::new(end),
                ..Sample::BLANK
            });
            // Work that varies sets durations apart from the distances of deadlines.
            now = end + if round % 10 == 0 { 8_000_000 } else { 300_000 + round % 7 * 40_000 };
        }
        let found = rounds.of_thread(&AttachedThread::default(), Vec::new()).unwrap();
        assert_eq!((found.kind, found.pauses, found.asked), (LoopKind::Deadlines, 0, Nanos::from_millis(5)));
        assert!((found.period - found.asked).abs() < Nanos::from_micros(50), "{:?}", found.period);
    }

    #[test]
    fn durations_lose_what_work_and_lateness_take_and_deadlines_do_not() {
        let durations = rounds(700_000, 270_000, |_, start| start + 4_996_000).unwrap();
        assert_eq!((durations.kind, durations.asked), (LoopKind::Durations, Nanos::from_millis(5)));
        assert_eq!(durations.period, durations.waiting + durations.late + durations.work);
        assert!((durations.reached_hz() - 167.5).abs() < 0.3, "{}", durations.reached_hz());
        assert!((durations.with_deadlines_hz.unwrap() - 200.0).abs() < 0.01, "{:?}", durations.with_deadlines_hz);
        let deadlines = rounds(700_000, 270_000, |round, _| (round + 1) * 5_000_000).unwrap();
        assert_eq!((deadlines.kind, deadlines.asked), (LoopKind::Deadlines, Nanos::from_millis(5)));
        assert!((deadlines.reached_hz() - 200.0).abs() < 0.2, "{}", deadlines.reached_hz());
    }

    #[test]
    fn work_longer_than_the_period_is_not_cured_by_deadlines() {
        let overloaded = rounds(100_000, 8_000_000, |_, start| start + 5_000_000).unwrap();
        assert!((overloaded.with_deadlines_hz.unwrap() - 125.0).abs() < 1.0, "{:?}", overloaded.with_deadlines_hz);
    }

    /// A loop that sleeps for what its work leaves of a period loses its lateness each round, and is no loop of deadlines.
    #[test]
    fn a_sleep_of_what_the_work_leaves_is_told_from_a_deadline() {
        let (mut rounds, mut now) = (Rounds::default(), 1_000);
        for round in 0..200 {
            let (work, late) = (2_500_000 + round * 37 % 900 * 1_000, 40_000 + round % 11 * 8_000);
            let (start, due) = (now + work, now + 16_666_667);
            now = due + late;
            rounds.add(&Sample {
                requested: Nanos::new(due - start),
                deadline: Some(Nanos::new(due)),
                start: Nanos::new(start),
                end: Nanos::new(now),
                ..Sample::BLANK
            });
        }
        let found = rounds.of_thread(&AttachedThread::default(), Vec::new()).unwrap();
        assert_eq!((found.kind, found.asked), (LoopKind::Durations, Nanos::new(16_666_667)));
        assert!((found.reached_hz() - 59.7).abs() < 0.1 && found.with_deadlines_hz.is_some(), "{found:?}");
    }

    #[test]
    fn waits_of_all_lengths_are_no_loop() {
        assert!(rounds(50_000, 100_000, |round, start| start + 1_000_000 + round * round % 97 * 300_000).is_none());
    }

    #[test]
    fn the_rate_that_a_person_would_write_is_found() {
        assert_eq!(nicest(4_990_000, 5_015_000, 4_995_000), 5_000_000);
        assert_eq!(nicest(16_655_000, 16_686_000, 16_662_000), 16_666_667);
        assert_eq!(nicest(12_345, 12_345, 12_345), 12_345);
    }

    #[test]
    fn a_loop_says_what_it_asked_and_got() {
        let found = Loop {
            parts: vec![
                LoopPart { kind: PartKind::RunQueue, mean: Nanos::from_micros(610), mostly: Some("rustc".to_owned()) },
                LoopPart { kind: PartKind::Slack, mean: Nanos::from_micros(50), mostly: None },
            ],
            period: Nanos::from_micros(5_977),
            waiting: Nanos::from_micros(5_000),
            late: Nanos::from_micros(707),
            work: Nanos::from_micros(270),
            ..rounds(700_000, 270_000, |_, start| start + 5_000_000).unwrap()
        };
        let expected = "167.3 a second instead of 200.0: of 5.98 ms per round 5.00 waiting as asked, 0.71 late (0.66 where it could \
                        be split: 0.61 run queue: rustc, 0.05 timer slack), 0.27 work; with deadlines 200.0";
        assert_eq!(found.sentence(), expected);
        // What is small alone may not be so together.
        let small = |kind| LoopPart { kind, mean: Nanos::from_micros(4), mostly: None };
        let mut whole = Loop { late: Nanos::from_micros(668), ..found };
        whole.parts.extend([PartKind::Wake, PartKind::Return].map(small));
        let parts = "0.67 late (0.61 run queue: rustc, 0.05 timer slack, 0.01 in smaller parts)";
        assert!(whole.sentence().contains(parts), "{}", whole.sentence());
    }

    #[test]
    fn a_loop_of_durations_is_told_how_its_language_waits_until_deadlines() {
        let durations = || rounds(700_000, 270_000, |_, start| start + 5_000_000).unwrap();
        let remedy = |command: &str, found: Loop| {
            let program = AttachedProgram { command: command.to_owned(), ..AttachedProgram::default() };
            Attached { program, loops: vec![found], ..Attached::default() }.remedy()
        };
        let python = remedy("/usr/bin/python3.12 robot.py", durations()).unwrap();
        assert!(python.contains("would reach 200.0 a second if it slept until start + n × 5 ms"), "{python}");
        assert!(python.ends_with("`t += 0.005; time.sleep(max(0, t - time.monotonic()))`"), "{python}");
        assert!(remedy("./a.out", durations()).unwrap().contains("TIMER_ABSTIME"));
        assert_eq!(remedy("python3", rounds(700_000, 270_000, |round, _| (round + 1) * 5_000_000).unwrap()), None);
    }
}
