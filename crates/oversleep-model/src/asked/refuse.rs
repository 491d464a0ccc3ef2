//! Calls that a version lacks, and figures that no law allows: sleeps shorter than any law ends them, and figures whose unit is a thousand times off.

use super::advice::lacked;
use super::candidate::{Event, Variant};
use super::runtimes;
use super::sentence::time;
use super::systems::Stated;
use super::unknown::centre;
use super::{DECIDED, Weighing, weigh};
use oversleep_recording::asked::{AskedError, AskedPair, Figure, Platform, Question, Reading, StatedCondition};
use oversleep_sys::units::Nanos;

/// The steps of the coarsest usual clock, in ns: timed by it, a sleep may look as much too short.
const COARSEST_CLOCK: f64 = 15.625e6;
/// By how much less than a thousand times figures in a wrong unit may be longer or shorter than what was asked for.
const SLIPPED: f64 = 30.0;
/// Between which factors a sleep is about a thousand times shorter than asked for: late, as sleeps are, but not by more than half.
const THOUSAND: (f64, f64) = (650.0, 1_001.0);
/// The first request, in ns, that a signed number of milliseconds of 32 bits does not hold.
const LONGEST_HELD: f64 = 2_147_483_648e6;
/// How near to a law's usual length a figure in another unit has to be, as a share, to be taken for that law's.
const NEAR: f64 = 0.05;

/// Checks that the stated version has the call.
///
/// # Errors
/// A call of later versions.
pub(super) fn check_call(question: &Question) -> Result<(), AskedError> {
    let (Some(call), Some(system)) = (&question.call, &question.system) else { return Ok(()) };
    lacked(question, call)
        .map_or(Ok(()), |only| Err(AskedError::NoSuchCall { call: call.clone(), system: system.to_string(), only }))
}

/// Checks that a law might let the sleeps be as short as stated, where the call is known to be the system's own. A figure
/// with a sign is never doubted.
///
/// # Errors
/// A sleep shorter than any law allows.
pub(super) fn check_shortest(stated: &Stated<'_>) -> Result<(), AskedError> {
    use StatedCondition::{Blocked, ClockSet, Interrupted, Periodic, SimulatedClock, Suspended};
    let question = stated.question;
    let of_system = question.call_row().map_or(question.call.is_none(), |row| row.runtime.is_empty());
    let allows = |condition: &StatedCondition| {
        matches!(condition, Blocked(_) | ClockSet | Interrupted | Periodic | SimulatedClock | Suspended(_))
    };
    let Some(platform) = question
        .platform()
        // A microcontroller's clock may be set wrong.
        .filter(|platform| of_system && !platform.is_small() && !question.conditions.iter().any(allows))
        // Nor need a guest's be right.
        .filter(|_| !stated.is_guest())
    else {
        return Ok(());
    };
    let laws = runtimes::candidates(stated);
    // A wall clock may be set back meanwhile.
    for pair in question.pairs.iter().filter(|pair| !pair.signed && pair.wall().is_none()) {
        let (asked, took) = (pair.requested.as_f64(), centre(pair));
        // A call that fails does not sleep at all.
        // What overflows ends at any time.
        if took <= 0.0 || asked >= LONGEST_HELD {
            continue;
        }
        let early = |variant: &Variant| asked - variant.lengths(asked).0;
        let earliest = laws.iter().flat_map(|law| &law.variants).map(early).fold(COARSEST_CLOCK, f64::max);
        if took < asked - earliest {
            let factor = asked / took;
            let what = if (THOUSAND.0..THOUSAND.1).contains(&factor) {
                format!(
                    "{} is a thousandth of it: the call was given another unit (milliseconds for seconds, microseconds for milliseconds), or one of \
                     the two figures is stated in one",
                    time(took)
                )
            } else {
                shorter(took, platform)
            };
            return Err(AskedError::Contradiction { asked: pair.requested, what });
        }
    }
    Ok(())
}

/// Says that a sleep is shorter than any law of the system allows.
fn shorter(took: f64, platform: Platform) -> String {
    let exact = format!("{:#}", Nanos::from_f64(took));
    format!(
        "{exact} is shorter than asked for, and no law of {} ends a sleep as early, nor do the steps of a coarse clock ({}) make it look so; a \
         lateness is written with its sign, +{}; if it was timed by a wall clock, write wall=; if an event did end it, add --condition interrupted",
        platform.name(),
        time(COARSEST_CLOCK),
        exact.replace(' ', "")
    )
}

/// Checks whether a law that does not explain the figures would do so if all were a thousand times larger or smaller.
///
/// # Errors
/// A unit that has slipped.
pub(super) fn check_units(question: &Question) -> Result<(), AskedError> {
    let Some(pair) = question.pairs.first().filter(|_| question.pairs.iter().all(|pair| !pair.signed)) else {
        return Ok(());
    };
    let ratio = centre(pair) / pair.requested.as_f64().max(1.0);
    let slips = [(1e-3, ratio > SLIPPED), (1e3, ratio < 1.0 / SLIPPED)];
    for (factor, _) in slips.into_iter().filter(|(_, is_slipped)| *is_slipped) {
        let pairs = question.pairs.iter().map(|pair| scaled(pair, factor)).collect();
        let slipped = Question { pairs, ..question.clone() };
        let Weighing { all, .. } = weigh(&slipped);
        let Some(first) = all.first().filter(|first| first.share >= DECIDED) else { continue };
        let variant = &first.best.variant;
        let near =
            |pair: &AskedPair| (variant.lengths(pair.requested.as_f64()).2 - centre(pair)).abs() <= NEAR * centre(pair);
        if variant.event == Event::None && slipped.pairs.iter().all(near) {
            let what = format!(
                "{} fits no law known here, and {} would: {}; check the unit, or write it with its sign if it is right",
                time(centre(pair)),
                time(centre(pair) * factor),
                first.candidate.name
            );
            return Err(AskedError::Contradiction { asked: pair.requested, what });
        }
    }
    Ok(())
}

fn scaled(pair: &AskedPair, factor: f64) -> AskedPair {
    let length = |time: Nanos| Nanos::from_f64(time.as_f64() * factor);
    let of = |at: Reading| Reading { time: length(at.time), half_digit_ns: at.half_digit_ns * factor };
    let scale = |figure: &Figure| match *figure {
        Figure::Value(at) => Figure::Value(of(at)),
        Figure::Range(from, to) => Figure::Range(of(from), of(to)),
        Figure::Mean(at) => Figure::Mean(of(at)),
        Figure::Quantile(share, at) => Figure::Quantile(share, of(at)),
        Figure::Min(at) => Figure::Min(of(at)),
        Figure::Max(at) => Figure::Max(of(at)),
        Figure::Longer { longer, of, limit } => Figure::Longer { longer, of, limit: length(limit) },
        Figure::Wall(at) => Figure::Wall(of(at)),
        Figure::Uptime(at) => Figure::Uptime(of(at)),
        Figure::Interrupt(at) => Figure::Interrupt(of(at)),
    };
    AskedPair { figures: pair.figures.iter().map(scale).collect(), ..pair.clone() }
}
