//! Requests that are not what was meant: overflows, refusals, units and rates that are confused, parts that are cut.

use super::{Ground, MS, ONE_REQUEST, PROPOSED, S, US, middle_ratio};
use crate::asked::candidate::{Candidate, Event, Variant};
use crate::asked::sentence::time;
use oversleep_recording::asked::{Platform, StatedCondition};
use oversleep_recording::catalog::{CallRule, CallTrait, KernelWait};
use oversleep_sim::law::{Law, Units};

/// `usleep` need not take a second or more (POSIX.1-2001): NetBSD's and z/OS' do not.
const LONGEST_ALLOWED: f64 = S;

/// A number that holds a request.
struct Number {
    /// Its range, in ns, of which a signed number holds half.
    range: f64,
    what: &'static str,
    /// How often a request overflows it, and how often on a small machine.
    usually: f64,
    if_small: f64,
}

/// Numbers that hold requests.
const NUMBERS: [Number; 3] = [
    Number { range: 4_294_967_296.0 * MS, what: "milliseconds of 32 bits", usually: 0.25, if_small: 0.25 },
    Number { range: 4_294_967_296.0 * US, what: "microseconds of 32 bits", usually: 0.0025, if_small: 0.025 },
    Number { range: 65_536.0 * MS, what: "milliseconds of 16 bits", usually: 0.0, if_small: 0.025 },
];
/// The number of Arduino's `delayMicroseconds` (ArduinoCore-avr, wiring.c).
const QUARTERS: Number =
    Number { range: 16_384.0 * US, what: "quarters of a microsecond of 16 bits", usually: 0.5, if_small: 0.5 };

/// How late a sleep may be that ends at once, in ns.
const AT_ONCE: f64 = 100.0 * MS;

/// The request overflows the number that holds it.
pub(super) fn overflow(ground: &Ground<'_>) -> Vec<Candidate> {
    let longest = ground.longest();
    let row = ground.stated.question.call_row();
    let in_quarters = row.is_some_and(|row| row.runtime == "Arduino" && row.names.contains(&"delayMicroseconds"));
    let has = |what| ground.stated.question.call_has(what);
    let signs: &[bool] = match (has(CallTrait::Unsigned), has(CallTrait::Signed)) {
        _ if in_quarters => &[false],
        (true, _) => &[false],
        (_, true) => &[true],
        _ => &[true, false],
    };
    let of_number = |number: &Number, signed: bool| {
        let first = if signed { number.range / 2.0 } else { number.range };
        let rest = longest % number.range;
        let rest = if rest < first { rest } else { 0.0 };
        let becomes = |time: f64| Variant { weight: 0.4, laws: Vec::new(), event: Event::Ratio(time / longest) };
        let candidate = Candidate::new(
            "request-overflow",
            format!(
                "the request overflows {} number of {}, which ends at {}: it ends at once, or after what is left of it",
                if signed { "a signed" } else { "an unsigned" },
                number.what,
                time(first)
            ),
            if ground.is_small() { number.if_small } else { number.usually } * 2.0 / signs.len() as f64,
            vec![
                becomes(rest),
                becomes(MS.min(longest)),
                Variant { weight: 0.2, laws: Vec::new(), event: Event::AtOnce(AT_ONCE.min(longest)) },
            ],
            "shorter waits in a loop until the deadline",
            &format!("ask for a little less than {}: that ends in time", time(first)),
        );
        ground.requests().all(|asked| asked >= first).then_some(candidate)
    };
    // What takes milliseconds or seconds holds no microseconds.
    let in_microseconds = row.is_none() || has(CallTrait::Microseconds);
    let numbers = if in_quarters { std::slice::from_ref(&QUARTERS) } else { NUMBERS.as_slice() };
    let numbers = numbers.iter().filter(|number| in_microseconds || !number.what.starts_with("micro"));
    numbers.flat_map(|number| signs.iter().filter_map(move |signed| of_number(number, *signed))).collect()
}

/// A simulated clock jumps to the end of the sleep.
pub(super) fn simulated(ground: &Ground<'_>) -> Option<Candidate> {
    ground.stated.has(&StatedCondition::SimulatedClock).then(|| {
        Candidate::new(
            "simulated-clock",
            "the runtime's clock is simulated: it jumps to the end of the sleep, and nothing waits",
            5.0,
            vec![Variant { weight: 1.0, laws: Vec::new(), event: Event::AtOnce(AT_ONCE.min(ground.longest())) }],
            "the real clock, if the test is to wait",
            "read the runtime's own clock before and after: it shows the time that was asked for",
        )
    })
}

/// The call fails and returns at once.
pub(super) fn refused(ground: &Ground<'_>) -> Candidate {
    let question = ground.stated.question;
    let may_refuse = question.call_has(CallTrait::RefusesSeconds);
    let strict = !matches!(ground.platform, Some(Platform::Linux | Platform::MacOs | Platform::FreeBsd));
    let out_of_range = may_refuse && strict && ground.longest() >= LONGEST_ALLOWED;
    // Linux' libraries make seconds and nanoseconds of it, and refuse nothing; nor does Windows' Sleep.
    let of_windows = question.call_row().is_some_and(|row| row.names.contains(&"Sleep"));
    let never = of_windows || may_refuse && ground.platform == Some(Platform::Linux);
    let mut candidate = Candidate::new(
        "request-refused",
        if out_of_range {
            "the call refuses a second and more (EINVAL) and returns at once"
        } else {
            "the call refuses the request (EINVAL) and returns at once"
        },
        match (out_of_range, never) {
            (true, _) => 0.5,
            (_, true) => 0.0,
            _ => 0.002,
        },
        vec![Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(0.0) }],
        "nanosleep, with less than a second of nanoseconds; check what the call returns",
        "print what the call returns, and errno",
    );
    candidate.after_interrupt = true;
    candidate
}

/// Ratios of units that are confused, the shortest request (ns) of which somebody might confuse them, and what they are.
const SLIPS: [(f64, f64, &str); 9] = [
    (1e3, 0.0, "a factor of 1000: milliseconds for seconds, or microseconds for milliseconds"),
    (1e-3, 0.0, "a factor of 1000: microseconds given as milliseconds, or milliseconds as seconds"),
    (1e6, 0.0, "a factor of a million"),
    (1e-6, 0.0, "a factor of a million"),
    (125.0 / 3.0, 0.0, "ticks of macOS's timebase taken for nanoseconds (125/3 on Apple silicon)"),
    (3.0 / 125.0, 0.0, "nanoseconds taken for ticks of macOS's timebase (125/3 on Apple silicon)"),
    (125.0 / 3.0 * 125.0 / 3.0, 0.0, "macOS's timebase (125/3) applied twice instead of not at all"),
    (3.0 / 125.0 * 3.0 / 125.0, 0.0, "ticks of macOS's timebase converted twice (3/125 each time)"),
    (60.0, S, "minutes for seconds"),
];

/// Units that are confused.
pub(super) fn units(ground: &Ground<'_>) -> Vec<Candidate> {
    let apple = matches!(ground.platform, None | Some(Platform::MacOs | Platform::Ios));
    // Nothing asks for less than a nanosecond.
    let is_a_time = |ratio: f64| ground.slept() && ground.requests().all(|asked| asked == 0.0 || asked * ratio >= 1.0);
    // What is held in the background is held for whole minutes, too.
    let held = ground.stated.has(&StatedCondition::Background) || ground.stated.is_browser();
    let slips = SLIPS.iter().filter(|(ratio, least, what)| {
        is_a_time(*ratio) && !(held && *least > 0.0) && ground.longest() >= *least && (apple || !what.contains("macOS"))
    });
    let own = ground.stated.question.call_row().is_some_and(|row| row.wait == KernelWait::Own);
    let laws = if own { Vec::new() } else { ground.base.clone() };
    let each = slips.map(|(ratio, _, what)| {
        let mut slip = Candidate::new(
            "units-confused",
            format!("units are confused, in the call or in what was typed: {what}"),
            0.003,
            vec![Variant { weight: 1.0, laws: laws.clone(), event: Event::Ratio(*ratio) }],
            "check the unit of the request and of the figure",
            "ask for twice as much: confused units keep their ratio",
        );
        slip.after_interrupt = true;
        slip
    });
    each.collect()
}

/// Factors by which a clock or a tick rate is set wrong: usual rates for each other (100, 250, 1000, 32768 Hz), halved and doubled
/// clocks, ticks given as milliseconds.
const RATES: [f64; 15] = [0.001, 0.01, 0.1, 0.125, 0.25, 0.4, 0.5, 0.96, 2.0, 2.5, 4.0, 8.0, 10.0, 16.0, 100.0];

/// By which share an oscillator may be off and be in order.
const OSCILLATOR: f64 = 0.03;

/// Units to which a call may cut its request, in ns.
const CUTS: [(f64, f64); 4] = [(0.5, MS), (0.2, 10.0 * MS), (0.15, 100.0 * MS), (0.15, S)];

/// A clock of another rate than the system believes, and a request that is cut to whole units.
pub(super) fn rate_and_cut(ground: &Ground<'_>) -> Vec<Candidate> {
    let small = ground.is_small();
    let row = ground.stated.question.call_row();
    // Of a call that takes whole units, the caller has cut the request.
    let is_whole = row
        .is_some_and(|row| row.rules.iter().any(|(_, rules)| rules.iter().any(|rule| matches!(rule, CallRule::Up(_)))));
    let known = row.is_some_and(|row| row.wait != KernelWait::Own) && ground.platform != Some(Platform::Other);
    let ratio = |ratio| Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(ratio) };
    let mut rates = if ground.slept() { RATES.map(ratio).to_vec() } else { Vec::new() };
    // Of a microcontroller any ratio between those may be wrong: of a prescaler, of an oscillator.
    let may_be =
        |ratio: f64| small && ground.slept() && (ratio - 1.0).abs() > OSCILLATOR && (0.001..=100.0).contains(&ratio);
    if let Some(middle) = middle_ratio(ground.stated.question).filter(|middle| may_be(*middle)) {
        let shown = if ground.requests().filter(|asked| *asked > 0.0).count() < 2 { ONE_REQUEST } else { 1.0 };
        rates.push(Variant { weight: PROPOSED * shown * RATES.len() as f64, ..ratio(middle) });
    }
    let mut rate = Candidate::new(
        "units-confused",
        "units or rates are confused: a clock or tick rate is set wrong, or ticks are given as milliseconds",
        if small { 0.04 } else { 0.0005 },
        rates,
        "the frequency that the system is configured with (clock, prescaler, tick rate), and the conversion from time to ticks",
        "time ten seconds by a watch, and other lengths: the factor stays; print the configured tick rate and clock",
    );
    rate.after_interrupt = true;
    let cut = CUTS.map(|(weight, unit)| {
        let mut laws = vec![Law::Units(Units { unit, up: false, least: 0.0 })];
        laws.extend(&ground.base);
        Variant { weight, laws, event: Event::None }
    });
    let cut = Candidate::new(
        "request-cut",
        "the call takes whole units (milliseconds, seconds, ticks) and cuts the rest of the request",
        match (is_whole, known) {
            (true, _) => 0.05,
            (_, true) => 0.003,
            _ => 0.02,
        },
        cut.to_vec(),
        "a call with a finer unit, or a request rounded up to its unit",
        "ask for one unit more, and for 1, 1.5 and 2 units: the part beyond a whole unit changes nothing",
    );
    vec![rate, cut]
}
