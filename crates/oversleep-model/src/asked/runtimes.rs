//! What the stated call's library or runtime does before the kernel, combined with each law of the kernel.

use super::advice::possible;
use super::candidate::{Candidate, Event, Variant, is_early};
use super::events::middle_ratio;
use super::sentence::time;
use super::systems::{Stated, laws, leeway, slack, tick_up};
use super::unknown::centre;
use oversleep_recording::asked::{AskedPair, StatedCondition};
use oversleep_recording::catalog::{CallRow, CallRule, KernelWait};
use oversleep_sim::law::{Even, Law, LoopTime, Units};
use oversleep_sys::units::Nanos;

/// Returns the candidates that the stated system and call make: each rule of the call with each law of the kernel.
pub(super) fn candidates(stated: &Stated<'_>) -> Vec<Candidate> {
    let mut all = of_call(stated);
    let returns = stated.returns_at_once();
    for candidate in &mut all {
        candidate.prior *= 1.0 - returns;
    }
    all.retain(|candidate| candidate.prior > 0.0);
    if returns > 0.0 {
        all.push(Candidate::new(
            "no-wait",
            "a sleep of 0 waits for no timer: it lets ready threads run, and returns",
            returns,
            vec![Variant { weight: 1.0, laws: vec![slack(0.0)], event: Event::None }],
            "a sleep of more than 0, if the thread is to wait; a loop of such sleeps keeps a processor busy",
            "the same with more busy threads: it then lasts as long as they run",
        ));
    }
    all
}

fn of_call(stated: &Stated<'_>) -> Vec<Candidate> {
    let kernels = laws(stated);
    let Some(row) = stated.question.call_row() else { return kernels };
    // On a simulated clock the kernel has no part.
    let alone = row.wait == KernelWait::Own || stated.has(&StatedCondition::SimulatedClock);
    let kernels = if alone { own(row) } else { kernels };
    let rules = stated.in_version.map_or(row.rules, |call| call.rules);
    let rules = rules.iter().flat_map(|(weight, rules)| kernels.iter().map(move |kernel| (*weight, *rules, kernel)));
    rules.map(|(weight, rules, kernel)| combine(stated, row, weight, rules, kernel)).collect()
}

/// How much a rate of an oscillator counts that the figures propose, within a hundredth of what it may be.
const PROPOSED: f64 = 0.1;

/// What would show that it is the runtime.
const BY_THE_SYSTEM: &str =
    "the same time by the system's own call (-m nanosleep or Sleep): if that is right, it is the runtime";

/// The same of a microcontroller.
const BY_A_COUNTER: &str = "the same time by a hardware timer: if that is right, it is the call";

/// The same of a page, which can call nothing of the system.
const BY_ANOTHER_BROWSER: &str = "the same page in another browser: if that is right, it is the browser";

/// Returns the kernel's part of a runtime with a scheduler of its own: next to nothing.
fn own(row: &CallRow) -> Vec<Candidate> {
    let variant = Variant { weight: 1.0, laws: vec![slack(0.0)], event: Event::None };
    vec![Candidate::new("runtime", format!("{}'s own rule", row.runtime), 1.0, vec![variant], "", "")]
}

fn combine(stated: &Stated<'_>, row: &CallRow, weight: f64, rules: &[CallRule], kernel: &Candidate) -> Candidate {
    let mut combined = kernel.clone();
    combined.prior *= weight;
    let constant =
        rules.iter().find_map(|rule| if let CallRule::Constant(time) = rule { Some(time.as_f64()) } else { None });
    if let Some(constant) = constant {
        combined.id = "adds-constant";
        combined.name = if constant < 0.0 {
            format!("{} takes a constant off", row.runtime)
        } else {
            format!("{} adds {} to every time", row.runtime, time(constant))
        };
    }
    // Whole ticks of the kernel are not a law before the kernel's, but more of them.
    let more = rules.iter().find_map(|rule| if let CallRule::KernelTicks(ticks) = rule { Some(*ticks) } else { None });
    let before: Vec<Law> = rules.iter().filter_map(|rule| law(stated, *rule)).collect();
    let oscillator = rules.iter().find_map(|rule| if let CallRule::Oscillator(off) = rule { Some(*off) } else { None });
    if let Some(off) = oscillator.map(|off| f64::from(off) / 1e3) {
        combined.id = "clock-rate";
        combined.name = format!("{} counts on an RC oscillator, which may be {:.0} % off", row.runtime, 100.0 * off);
        let middle = middle_ratio(stated.question).filter(|ratio| (ratio - 1.0).abs() <= off).unwrap_or(1.0);
        combined.prior *= PROPOSED;
        combined.variants = vec![Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(middle) }];
    }
    for variant in &mut combined.variants {
        if let Some(ticks) = more
            && let Some(period) = variant.tick()
        {
            variant.laws = vec![tick_up(period, i64::from(ticks) - 1)];
        }
        let ticks_itself = row.wait == KernelWait::Own && before.iter().any(|law| matches!(law, Law::TickUp(_)));
        if ticks_itself || stated.is_cut_to_nothing() {
            variant.laws.clear();
        }
        variant.laws.splice(0..0, before.iter().copied());
        if let Some(constant) = constant {
            variant.event = Event::Constant(constant);
        }
    }
    if more.is_some() {
        combined.name = format!("{}, of which {} waits for {} at least", combined.name, row.runtime, more.unwrap_or(1));
    }
    // What is advised is in force: a later version, a tick that was asked for.
    let is_there = stated.wait == KernelWait::Precise && row.wait != stated.wait
        || stated.wait == KernelWait::Raised && row.runtime == "Java";
    let instead = if is_there { String::new() } else { possible(stated.question, row.instead) };
    let by_the_system = match stated.question.platform() {
        _ if stated.is_browser() => BY_ANOTHER_BROWSER,
        Some(platform) if platform.is_small() => BY_A_COUNTER,
        _ => BY_THE_SYSTEM,
    };
    if let Some(dominant) =
        dominant(stated, &before, &kernel.variants).filter(|_| constant.is_none_or(|more| more < 0.0))
    {
        let (id, what) = describe(dominant, row.runtime);
        combined.id = id;
        combined.name = what;
        combined.remedy = if instead.is_empty() { dominant.about().remedy.to_owned() } else { instead };
        by_the_system.clone_into(&mut combined.test);
    } else if constant.is_some() || oscillator.is_some() {
        combined.remedy = instead;
        by_the_system.clone_into(&mut combined.test);
    } else if stated.is_browser() {
        // A page can call nothing of the system.
        combined.remedy = instead;
        combined.test = String::new();
    } else if !instead.is_empty() && !row.runtime.is_empty() && combined.id != "wake-up-cost" {
        let of_kernel = possible(stated.question, &combined.remedy);
        combined.remedy = if of_kernel.is_empty() { instead } else { format!("{of_kernel}; of this call: {instead}") };
    }
    combined
}

/// Returns the runtime's law that changes the requests by more than the kernel's law does, in the direction in which the
/// figures lie, if there is one.
fn dominant(stated: &Stated<'_>, runtime: &[Law], kernel: &[Variant]) -> Option<Law> {
    let furthest = stated.question.pairs.iter().max_by(|a, b| apart(a).abs().total_cmp(&apart(b).abs()))?;
    let (asked, apart) = (furthest.requested.as_f64(), apart(furthest));
    let change = |law: &Law| {
        let lengths = law.lengths(asked);
        let (early, late) = (asked - lengths.least, lengths.most - asked);
        match apart {
            ..0.0 => early,
            // As many are early as late.
            0.0 if is_early(furthest) => early.max(late),
            _ => late,
        }
    };
    let of_kernel = kernel.first().map_or(0.0, |variant| variant.laws.iter().map(change).fold(0.0, f64::max));
    let most = runtime.iter().max_by(|a, b| change(a).total_cmp(&change(b)))?;
    (change(most) >= of_kernel && change(most) > 0.0).then_some(*most)
}

/// Returns how much longer than asked for the figures of a request are, in ns.
fn apart(pair: &AskedPair) -> f64 {
    centre(pair) - pair.requested.as_f64()
}

/// Returns the identifier and the name of a runtime's law as a cause.
fn describe(law: Law, runtime: &str) -> (&'static str, String) {
    let runtime = if runtime.is_empty() { "the call" } else { runtime };
    match law {
        Law::Units(units) if units.up => {
            ("runtime-rounding", format!("{runtime} rounds up to whole {}", of_unit(units.unit)))
        }
        Law::Units(units) if units.least >= 1e9 => {
            ("runtime-rounding", format!("{runtime} fires no timer before a floor"))
        }
        Law::Units(units) if units.least > units.unit => {
            ("runtime-rounding", format!("{runtime} waits for {} at least", time(units.least)))
        }
        Law::Units(units) => ("runtime-rounding", format!("{runtime} cuts times to whole {}", of_unit(units.unit))),
        Law::LoopTime(law) if law.clock.period > 2e6 => (
            "coarse-clock",
            format!("{runtime} counts on a clock of coarse steps (15.6 ms), so a finer clock sees early ends"),
        ),
        Law::LoopTime(_) => (
            "cached-loop-time",
            format!("{runtime} counts in whole milliseconds from a time read before, so timers may end early"),
        ),
        Law::TickUp(_) | Law::Share(_) if runtime == "Android" => {
            ("runtime-tick", "Android holds alarms back: inexact ones, and in Doze all but a few".to_owned())
        }
        Law::TickUp(_) => ("runtime-tick", format!("{runtime}: timers end at its own ticks")),
        Law::Share(_) => ("runtime-leeway", format!("{runtime} allows its timers a leeway")),
        _ => ("runtime-rounding", format!("{runtime}'s own rule")),
    }
}

/// Returns a unit of time in words.
fn of_unit(unit: f64) -> String {
    match unit {
        1e6 => "milliseconds".to_owned(),
        1e9 => "seconds".to_owned(),
        other => format!("multiples of {}", time(other)),
    }
}

/// Returns a rule that comes before the kernel's as a law.
fn law(stated: &Stated<'_>, rule: CallRule) -> Option<Law> {
    Some(match rule {
        CallRule::Up(unit) => Law::Units(Units { unit: unit.as_f64(), up: true, least: 0.0 }),
        CallRule::Down(unit, least) => Law::Units(Units { unit: unit.as_f64(), up: false, least: least.as_f64() }),
        CallRule::LoopTime(unit) => {
            let blocked =
                stated.find(|condition| if let StatedCondition::Blocked(time) = condition { *time } else { None });
            Law::LoopTime(LoopTime {
                clock: Even { period: unit.as_f64(), phase: 0.0 },
                blocked: blocked.map_or(0.0, Nanos::as_f64),
            })
        }
        CallRule::Ticks(unit, extra) => tick_up(unit.as_f64(), i64::from(extra)),
        CallRule::Leeway(thousandths, cap) => leeway(f64::from(thousandths) / 1e3, 0.0, cap.as_f64()),
        CallRule::Early(thousandths) => leeway(-f64::from(thousandths) / 1e3, f64::NEG_INFINITY, 0.0),
        CallRule::CoarseClock(step) => {
            Law::LoopTime(LoopTime { clock: Even { period: step.as_f64(), phase: 0.0 }, blocked: 0.0 })
        }
        CallRule::Constant(_) | CallRule::KernelTicks(_) | CallRule::Oscillator(_) => return None,
    })
}
