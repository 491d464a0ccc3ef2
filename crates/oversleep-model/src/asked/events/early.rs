//! Sleeps that end early, or whose loop works in between.

use super::{CUT_SHARES, Ground, MS, S, US};
use crate::asked::candidate::{Candidate, Event, Variant};
use crate::asked::systems::Stated;
use crate::asked::unknown::centre;
use oversleep_recording::asked::{Platform, StatedCondition};
use oversleep_recording::catalog::{CallRule, CallTrait};
use oversleep_sim::law::{Even, Law, LoopTime};
use oversleep_sys::units::Nanos;

/// Sleeps that end early, and loops whose work comes between them.
pub(super) fn early(ground: &Ground<'_>) -> Vec<Candidate> {
    vec![milliseconds(ground), coarse_clock(ground), cached_time(ground), own_work(ground), interrupted(ground)]
}

/// Returns a law of the library before the system's.
fn before(ground: &Ground<'_>, weight: f64, law: Law) -> Variant {
    let mut laws = vec![law];
    laws.extend(&ground.base);
    Variant { weight, laws, event: Event::None }
}

/// Returns the law of a clock of such steps, which was read `blocked` before.
fn counts_from(step: f64, blocked: f64) -> Law {
    Law::LoopTime(LoopTime { clock: Even { period: step, phase: 0.0 }, blocked })
}

/// Returns whether the loop is stated to have been blocked before, and for how long, if it is known.
fn blocked(ground: &Ground<'_>) -> (bool, Option<Nanos>) {
    let find =
        |condition: &StatedCondition| if let StatedCondition::Blocked(time) = condition { Some(*time) } else { None };
    let found = ground.stated.find(find);
    (found.is_some(), found.flatten())
}

fn milliseconds(ground: &Ground<'_>) -> Candidate {
    let mut cut = Candidate::new(
        "milliseconds-cut",
        "times are cut to whole milliseconds, so it ends up to 1 ms early",
        if ground.is_runtime || ground.stated.question.call_row().is_none() { 0.02 } else { 0.008 },
        vec![before(ground, 1.0, counts_from(MS, 0.0))],
        "ask for a millisecond more, or check a finer clock and sleep again until the time is over",
        "sleep 1.5 ms a hundred times: cut to milliseconds it ends early in most",
    );
    cut.reasons.extend(ground.is_runtime.then(|| "runtimes' timers often count in milliseconds".to_owned()));
    cut
}

fn coarse_clock(ground: &Ground<'_>) -> Candidate {
    let browser = ground.stated.is_browser();
    let coarse: &[(f64, f64)] = match ground.platform {
        // developer.mozilla.org, performance.now: the steps to which browsers round it.
        _ if browser => &[(0.5, MS), (0.5, 0.1 * MS)],
        Some(Platform::Windows) => &[(0.8, 15.625 * MS), (0.2, 10.0 * MS)],
        _ => &[(0.4, 4.0 * MS), (0.4, 10.0 * MS), (0.2, 15.625 * MS)],
    };
    Candidate::new(
        "coarse-clock",
        if browser {
            "the browser rounds performance.now (Firefox and Safari to 1 ms, others to 100 µs), so that ends look early"
        } else {
            "it counts on a coarse clock, so a finer one sees early ends"
        },
        if browser || ground.platform == Some(Platform::Windows) { 0.03 } else { 0.006 },
        coarse.iter().map(|(weight, step)| before(ground, *weight, counts_from(*step, 0.0))).collect(),
        "check a fine monotonic clock after the wake-up, and sleep again until the time is over",
        "print the coarse clock (GetTickCount64, CLOCK_MONOTONIC_COARSE) beside the fine one: by the coarse one it is in time",
    )
}

fn cached_time(ground: &Ground<'_>) -> Candidate {
    let (question, (is_blocked, time)) = (ground.stated.question, blocked(ground));
    let counts = |rules: &[CallRule]| rules.iter().any(|rule| matches!(rule, CallRule::LoopTime(_)));
    let loops = question.call_row().is_some_and(|row| row.rules.iter().any(|(_, rules)| counts(rules)));
    let lengths = match time {
        Some(time) => vec![before(ground, 1.0, counts_from(MS, time.as_f64()))],
        None => CUT_SHARES.map(|share| ground.with(0.5, Event::Cut { share })).to_vec(),
    };
    let mut cached = Candidate::new(
        "cached-loop-time",
        "the event loop's cached time: the timer counts from before the loop was blocked, and ends as much early",
        match (is_blocked, loops, question.call_row().is_some()) {
            (true, ..) => 0.6,
            (_, true, _) => 0.05,
            (.., false) => 0.003,
            // A call of the system has no loop.
            _ => 0.0,
        },
        lengths,
        "update the loop's time before the timer is set (uv_update_time, loop.time()), or keep the loop from being blocked",
        "set the timer from a fresh turn of the loop (setImmediate, call_soon): if it is then in time, it was the cached time",
    );
    let early_by = question.pairs.iter().map(|pair| pair.requested.as_f64() - centre(pair)).fold(0.0, f64::max);
    if !is_blocked && early_by > LONGEST_BLOCKED {
        cached.prior = 0.0;
    }
    if is_blocked {
        cached.reasons.push("the loop is stated to have been blocked before".to_owned());
    }
    cached
}

/// The loop's own work comes on top of the time between its wake-ups.
fn own_work(ground: &Ground<'_>) -> Candidate {
    let (stated, (is_blocked, time)) = (ground.stated, blocked(ground));
    let is_schedule = stated.keeps_schedule();
    let mut work = Candidate::new(
        "own-work",
        if is_schedule {
            "the loop's own work takes longer than a period, so that some are left out"
        } else {
            "the loop's own work: the next sleep begins only when it is done"
        },
        0.3,
        Vec::new(),
        if is_schedule {
            "less work in each period, a longer period, or a thread of its own for the work"
        } else {
            "sleep until the next deadline of a schedule, or take the time of the work off the next sleep"
        },
        "make the work twice as long: the periods grow by it",
    );
    let of_rounds = if stated.question.pairs.iter().any(|pair| pair.is_rate) {
        Some((1.0, "a rate is stated, and the work of each turn is part of its period"))
    } else if stated.has(&StatedCondition::Periodic) {
        Some((0.3, "times between wake-ups are stated, and the work of each turn is part of them"))
    } else {
        None
    };
    if let Some((prior, reason)) = of_rounds.filter(|_| !is_blocked) {
        work.prior = prior;
        work.reasons.push(reason.to_owned());
        let of_size = |(weight, from, to)| ground.with(weight, Event::Delay { share: 0.95, from, to });
        work.variants.extend(WORK.map(of_size));
    }
    work.variants.extend(time.map(Nanos::as_f64).map(|time| Variant {
        weight: 1.0,
        laws: Vec::new(),
        event: Event::Even { share: 0.95, from: OWN_WORK.0 * time, to: OWN_WORK.1 * time },
    }));
    work
}

fn interrupted(ground: &Ground<'_>) -> Candidate {
    let unix = ground.platform != Some(Platform::Windows) && !ground.is_small();
    Candidate::new(
        "interrupted",
        "a signal or another event ended the wait before its time",
        match (ground.stated.has(&StatedCondition::Interrupted), unix) {
            _ if goes_on(ground.stated) => 0.0005,
            (true, _) => 1.0,
            (false, true) => 0.012,
            (false, false) => 0.004,
        },
        CUT_SHARES.map(|share| ground.with(0.5, Event::Cut { share })).to_vec(),
        "look at what the call returns, and sleep again until the deadline",
        if unix {
            "strace -f or the call's return value: EINTR, or a wait that something else satisfied"
        } else {
            "print what the call returns: whether the time was over, or something else ended the wait"
        },
    )
}

/// From this version on Python's sleeps do (PEP 475).
const PYTHON_GOES_ON: (u32, u32) = (3, 5);

/// Returns whether the stated call sleeps on after a signal.
fn goes_on(stated: &Stated<'_>) -> bool {
    let Some(row) = stated.question.call_row() else { return false };
    let is_later = || stated.question.runtime_version().is_some_and(|version| version >= PYTHON_GOES_ON);
    stated.question.call_has(CallTrait::GoesOn) || row.names.contains(&"time.sleep") && is_later()
}

/// Longest time, in ns, that a loop is blocked for without anybody saying so.
const LONGEST_BLOCKED: f64 = 60.0 * S;

/// How long the work of a loop lasts of which nothing is stated, in ns, and how often.
const WORK: [(f64, f64, f64); 5] = [
    (0.3, 10.0 * US, 0.1 * MS),
    (0.4, 0.1 * MS, MS),
    (0.23, MS, 10.0 * MS),
    (0.05, 10.0 * MS, 0.1 * S),
    (0.02, 0.1 * S, 10.0 * S),
];

/// Between which multiples of the stated time a loop's work truly lasts.
const OWN_WORK: (f64, f64) = (0.8, 1.25);
