//! Parsers of values that several commands take.

use super::help::EXPERIMENTS;
use crate::failure::Failure;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use oversleep_lab::report::picture::Plot;
use oversleep_os::settings;
use oversleep_recording::plan::{Kind, Pattern, Policy, RequestedConditions, Typed, Value, ValueKind};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::{Hertz, Nanos};
use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

pub(crate) use oversleep_recording::plan::parse::{positive, request};

/// Returns a parser of whole numbers within a range.
pub(crate) fn whole<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr<Err = ParseIntError> + PartialOrd + Display,
{
    move |text| match text.trim().parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow && range.end_bound() == Bound::Unbounded => {
            Err("the number is too large".to_owned())
        }
        _ => Err(match (range.start_bound(), range.end_bound()) {
            (Bound::Included(from), Bound::Included(to)) => format!("it is not a whole number from {from} to {to}"),
            (Bound::Included(from), _) => format!("it is not a whole number of {from} or more"),
            _ => "it is not a whole number".to_owned(),
        }),
    }
}

/// Returns a parser of the names of tiers of kernel evidence.
pub(crate) fn tier() -> impl TypedValueParser<Value = Tier> {
    PossibleValuesParser::new(Tier::ALL.iter().map(|tier| tier.name()))
        .map(|name| Tier::from_name(&name).unwrap_or(Tier::Events))
}

/// Returns a parser of the names of plots.
pub(crate) fn plot() -> impl TypedValueParser<Value = Plot> {
    PossibleValuesParser::new(Plot::ALL.map(|(name, _)| name)).map(|name| Plot::from_name(&name).unwrap_or(Plot::Time))
}

/// Returns a parser of experiments.
pub(crate) fn experiment() -> impl TypedValueParser<Value = Kind> {
    let values = EXPERIMENTS.1.iter().map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Kind>())
}

/// Parses a scheduling policy of this machine, whose system has its priority or times.
pub(crate) fn policy_here(text: &str) -> Result<Policy, String> {
    let Value::Policy(policy) = ValueKind::Policy.parse(text)? else { return Err(String::new()) };
    settings::policy::check(policy).map_err(|refusal| refusal.reason().to_owned())?;
    Ok(policy)
}

/// Refuses policies whose priority or times this system lacks, where the parser cannot: they may also be of a simulated kernel.
pub(crate) fn check_policies(requested: &RequestedConditions) -> Result<(), Failure> {
    for policy in requested.values("policy").iter().filter_map(Policy::from_value) {
        settings::policy::check(policy)
            .map_err(|refusal| Failure::usage(format!("--policy {policy}: {}", refusal.reason())))?;
    }
    Ok(())
}

/// Parses how long to run: a time with its unit, or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Nanos, String> {
    match text.trim().parse::<u32>() {
        Ok(0) => Err("a duration must be longer than zero".to_owned()),
        Ok(seconds) => Ok(Nanos::from_secs(seconds.into())),
        Err(_) => positive(text).map_err(|error| error.to_string()),
    }
}

/// Parses how long `measure` runs: a time with its unit. A bare number is refused, because cyclictest's `-d` means
/// something else: the difference between the intervals of its threads.
pub(crate) fn duration_with_unit(text: &str) -> Result<Nanos, String> {
    let bare = text.trim();
    if bare.parse::<u64>().is_err() {
        return duration(text);
    }
    let write = if bare == "0" { String::new() } else { format!("; write {bare}s or {bare}ms") };
    Err(format!(
        "'{bare}' has no unit{write} (cyclictest's -d, which sets its threads' intervals apart, does not exist here: all threads \
         keep the same interval)"
    ))
}

/// Parses a period: a time, or a frequency such as `240Hz`, whose period is rounded to the nearest nanosecond.
pub(crate) fn period(text: &str) -> Result<Nanos, String> {
    let Some(rate) = frequency(text) else {
        let of_frames = text.trim().strip_suffix("fps").map(|number| format!("{}Hz", number.trim()));
        let bare = text.trim();
        return positive(text).map_err(|error| match (of_frames, period(&format!("{bare}Hz"))) {
            (Some(hertz), _) => format!("'{text}': write {hertz}"),
            (None, Ok(each)) if bare.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("'{bare}' has no unit; write {bare}Hz for one period every {each}, or a period such as {bare}us or 16.67ms")
            }
            (None, _) => error.to_string(),
        });
    };
    let rate = rate?;
    let (seconds, cycles) = (u128::from(rate.denominator()) * 1_000_000_000, u128::from(rate.numerator()));
    match i64::try_from((seconds + cycles / 2) / cycles) {
        Ok(nearest @ 1..) => Ok(Nanos::new(nearest)),
        _ => Err(format!("'{text}' is not a frequency of 1 GHz or less")),
    }
}

/// Parses requests; for a frequency, the error names the option that takes one.
pub(crate) fn pattern(text: &str) -> Result<Pattern, String> {
    text.parse().map_err(|error| match frequency(text) {
        Some(Ok(_)) => {
            format!("'{text}' is a frequency; -i {text} keeps a schedule of it, and -r takes how long each sleep is")
        }
        _ => format!("{error}"),
    })
}

/// Parses a frequency, such as `240Hz`, `59.94 Hz` or `1kHz`; `None` for a text that does not end in Hz.
pub(crate) fn frequency(text: &str) -> Option<Result<Hertz, String>> {
    let text = text.trim();
    let (number, unit) = text.split_at_checked(text.len().checked_sub(2)?)?;
    if !unit.eq_ignore_ascii_case("hz") {
        return None;
    }
    if let Some(error) = fraction_of_a_period(text, number.trim()) {
        return Some(Err(error));
    }
    Some(number.trim().parse().map_err(|_| {
        if text.contains(',') {
            format!("'{text}' is several frequencies; a run keeps one schedule: measure once for each")
        } else {
            format!("'{text}' is not a frequency; write 240Hz, 59.94Hz or 1kHz")
        }
    }))
}

/// Returns the error for a fraction that may be meant as a period: `64/48kHz` and `64/48000Hz` as the time of 64 frames at
/// 48 kHz, `1/60Hz` as a sixtieth of a second. Rates such as `60000/1001Hz` have no multiple, and are above one.
fn fraction_of_a_period(text: &str, number: &str) -> Option<String> {
    let (above, below) = number.split_once('/')?;
    let whole: u64 = above.trim().parse().ok()?;
    let rate: Hertz = below.trim().parse().ok()?;
    if !number.ends_with(['k', 'K', 'M', 'G']) && number.parse::<Hertz>().ok()?.as_f64() >= 1.0 {
        return None;
    }
    let per_second = rate.as_f64();
    let clear = if whole == 1 { format!("{per_second}Hz") } else { format!("{per_second}/{whole}Hz") };
    Some(format!("'{text}' may be a frequency or a period; for a period of {whole}/{per_second} s, write {clear}"))
}

/// Parses about how long to run: from one second to a day.
pub(crate) fn duration_of_a_run(text: &str) -> Result<Nanos, String> {
    let wrong = || format!("'{text}' is not a duration from 1s to 24h; write 60s or 5min");
    let time = duration(text).map_err(|_| wrong())?;
    if (Nanos::SECOND..=Nanos::from_secs(86_400)).contains(&time) { Ok(time) } else { Err(wrong()) }
}

/// Parses a command line for a shell: any text that is not blank.
pub(crate) fn command_line(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the command is empty; name a program, such as './my-program'".to_owned());
    }
    Ok(text.to_owned())
}

/// Parses a list of processors: `0`, `0,2`, `0-3,8`.
pub(crate) fn cpus(text: &str) -> Result<Cpus, String> {
    ValueKind::Cpus.parse(text).map(|value| Cpus(Vec::from_value(&value).unwrap_or_default()))
}

/// A set of processors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cpus(pub(crate) Vec<u32>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_and_what_is_wrong_is_said() {
        let error = |text: &str| whole::<u64>(1..)(text).unwrap_err();
        assert_eq!(whole::<u64>(1..)("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["many", "", "1.5", "0", "-1"] {
            assert_eq!(error(wrong), "it is not a whole number of 1 or more", "{wrong}");
        }
        assert_eq!(error("18446744073709551616"), "the number is too large");
    }

    #[test]
    fn durations_are_read_with_and_without_their_unit() {
        assert_eq!(duration("60"), Ok(Nanos::from_secs(60)));
        assert_eq!(duration("250ms"), Ok(Nanos::from_millis(250)));
        assert!(duration("0").is_err() && duration("-5").is_err() && duration("soon").is_err());
        assert_eq!(duration_of_a_run("60"), Ok(Nanos::from_secs(60)));
        assert_eq!(duration_of_a_run("5min"), Ok(Nanos::from_secs(300)));
        assert_eq!(duration_of_a_run("1500ms"), Ok(Nanos::from_millis(1_500)));
        for wrong in ["NaN", "", "0", "-5", "1.5", "999ms", "86401", "2h30", "5000000000"] {
            assert!(duration_of_a_run(wrong).is_err_and(|text| text.contains("not a duration from")), "{wrong}");
        }
    }

    #[test]
    fn a_frequency_is_the_period_nearest_to_it() {
        for (text, ns) in [
            ("240Hz", 4_166_667),
            ("1kHz", 1_000_000),
            ("0.5 Hz", 2_000_000_000),
            ("60000/1001Hz", 16_683_333),
            ("1GHz", 1),
            ("250hz", 4_000_000),
            (" 250 HZ ", 4_000_000),
            ("4ms", 4_000_000),
        ] {
            assert_eq!(period(text), Ok(Nanos::new(ns)), "{text}");
        }
        for wrong in ["Hz", "-1Hz", "0Hz", "3GHz", "fastHz", "240", "1e-12Hz", "µ", "0"] {
            assert!(period(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            period("60").unwrap_err(),
            "'60' has no unit; write 60Hz for one period every 16.7 ms, or a period such as 60us or 16.67ms"
        );
    }

    #[test]
    fn a_fraction_that_may_be_a_period_is_not_guessed_at() {
        for (text, clear) in [
            ("64/48kHz", "'64/48kHz' may be a frequency or a period; for a period of 64/48000 s, write 48000/64Hz"),
            (
                "128/44.1kHz",
                "'128/44.1kHz' may be a frequency or a period; for a period of 128/44100 s, write 44100/128Hz",
            ),
            ("64/48000Hz", "'64/48000Hz' may be a frequency or a period; for a period of 64/48000 s, write 48000/64Hz"),
            ("1/60Hz", "'1/60Hz' may be a frequency or a period; for a period of 1/60 s, write 60Hz"),
        ] {
            assert_eq!(period(text).unwrap_err(), clear);
        }
        assert_eq!(period("48000/64Hz"), Ok(Nanos::new(1_333_333)));
        assert_eq!(period("1/1Hz"), Ok(Nanos::SECOND));
        assert_eq!(period("0.5Hz"), Ok(Nanos::from_secs(2)));
    }

    #[test]
    fn a_run_of_measure_names_its_unit() {
        assert_eq!(duration_with_unit("5s"), Ok(Nanos::from_secs(5)));
        assert!(
            duration_with_unit("500")
                .unwrap_err()
                .starts_with("'500' has no unit; write 500s or 500ms (cyclictest's -d")
        );
        assert!(duration_with_unit("0").unwrap_err().starts_with("'0' has no unit (cyclictest's"));
    }
}
