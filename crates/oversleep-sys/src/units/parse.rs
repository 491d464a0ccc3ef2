//! Durations as users write them, parsed exactly: `250us`, `1.5ms`, `2s`, `1h30m`.

use super::Nanos;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseNanosError {
    /// The text does not begin with a number.
    NotADuration(String),
    /// The text has several numbers that are no parts of one duration: a list, a range, or a comma in place of the decimal point.
    Several(String),
    /// The number has no unit, so it is ambiguous by a factor of a million.
    NoUnit(String),
    /// The unit is unknown.
    UnknownUnit(String),
    /// The duration is finer than a nanosecond.
    TooFine(String),
    /// The duration is longer than the type can hold.
    TooLong(String),
}

impl fmt::Display for ParseNanosError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADuration(text) => {
                write!(f, "'{text}' is not a duration; write a number and a unit, such as 250us, 1.5ms or 2s")
            }
            Self::Several(text) => match with_decimal_point(text) {
                Some(with_point) => write!(f, "'{text}' has a decimal comma; write a point: {with_point}"),
                None => {
                    write!(f, "'{text}' is not one duration; write one number and one unit, such as 250us, 1.5ms or 2s")
                }
            },
            Self::NoUnit(text) => write!(f, "'{text}' has no unit; write {text}ns, {text}us, {text}ms or {text}s"),
            Self::UnknownUnit(text) => match spelling(text) {
                Some(unit) => write!(f, "'{text}' is written {unit} here; the units are ns, us, ms, s, m, h and d"),
                None if text.to_ascii_lowercase().ends_with("hz") => {
                    write!(f, "'{text}' is a unit of frequency; the units of time are ns, us, ms, s, m, h and d")
                }
                None => write!(f, "'{text}' is not a unit of time; the units are ns, us, ms, s, m, h and d"),
            },
            Self::TooFine(text) => write!(f, "'{text}' is finer than a nanosecond, the finest time there is here"),
            Self::TooLong(text) => write!(f, "'{text}' is longer than 292 years, the longest time there is here"),
        }
    }
}

impl std::error::Error for ParseNanosError {}

/// Returns the text with a point in place of its only comma, if that makes it a duration.
fn with_decimal_point(text: &str) -> Option<String> {
    let (whole, rest) = text.split_once(',')?;
    let is_number = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    let with_point = format!("{whole}.{rest}");
    (is_number && rest.starts_with(|first: char| first.is_ascii_digit()) && with_point.parse::<Nanos>().is_ok())
        .then_some(with_point)
}

/// Returns the seconds of a ratio of whole numbers in nanoseconds, rounded to the nearest.
fn ratio(text: &str) -> Option<i128> {
    let (above, below) = text.split_once('/')?;
    let above = i128::from(above.trim().parse::<u64>().ok()?);
    let below = i128::from(below.trim().parse::<u64>().ok().filter(|below| *below > 0)?);
    Some((above * 1_000_000_000 + below / 2) / below)
}

/// Returns how a unit of time that other programs spell otherwise is written here.
fn spelling(unit: &str) -> Option<&'static str> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "ns" | "nsec" | "nsecs" | "nanosecond" | "nanoseconds" => "ns",
        "us" | "usec" | "usecs" | "microsecond" | "microseconds" => "us",
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "mins" | "minute" | "minutes" => "m",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        "day" | "days" => "d",
        _ => return None,
    })
}

/// Returns how many nanoseconds a unit has.
fn unit_ns(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    })
}

/// Returns the numbers of a text, each with what follows it.
fn parts(mut text: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    loop {
        let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
        let (number, rest) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
        let (unit, rest) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
        parts.push((number, unit.trim()));
        if rest.is_empty() {
            return parts;
        }
        text = rest;
    }
}

/// Returns a number of units in nanoseconds. `text`: the whole text.
fn in_ns(number: &str, per_unit: i128, text: &str) -> Result<i128, ParseNanosError> {
    let not_a_duration = || ParseNanosError::NotADuration(text.to_owned());
    let too_long = || ParseNanosError::TooLong(text.to_owned());
    let number = number.replace('_', "");
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return Err(not_a_duration());
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 15 {
        return Err(ParseNanosError::TooFine(text.to_owned()));
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| too_long())? };
    let scale = 10_i128.pow(u32::try_from(fraction.len()).unwrap_or(15));
    let part: i128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| not_a_duration())? };
    if part * per_unit % scale != 0 {
        return Err(ParseNanosError::TooFine(text.to_owned()));
    }
    whole.checked_mul(per_unit).map(|ns| ns + part * per_unit / scale).ok_or_else(too_long)
}

impl FromStr for Nanos {
    type Err = ParseNanosError;

    /// Parses a decimal number and a unit (`ns`, `us` or `µs`, `ms`, `s`, `m` or `min`, `h`, `d`), or several, the larger units first
    /// (`3min51s`); a sign is allowed. A ratio of whole numbers is of seconds, to the nearest nanosecond: `64/48000` is the time of 64
    /// frames at 48 kHz.
    ///
    /// Exact: `0.1us` is 100 ns, and a fraction of a nanosecond is an error.
    fn from_str(text: &str) -> Result<Self, ParseNanosError> {
        let trimmed = text.trim();
        if let Some(ns) = ratio(trimmed) {
            return i64::try_from(ns).map(Self::new).map_err(|_| ParseNanosError::TooLong(text.to_owned()));
        }
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let parts = parts(digits);
        let several = || ParseNanosError::Several(text.to_owned());
        let mut sum = 0_i128;
        let mut larger = None;
        for (number, unit) in &parts {
            let per_unit = match unit_ns(unit) {
                Some(ns) if larger.is_none_or(|larger| ns < larger) => ns,
                _ if parts.len() > 1 => return Err(several()),
                _ if number.is_empty() => return Err(ParseNanosError::NotADuration(text.to_owned())),
                _ if unit.is_empty() && number.bytes().all(|b| b == b'0') => 1,
                _ if unit.is_empty() => return Err(ParseNanosError::NoUnit(trimmed.to_owned())),
                _ if !unit.chars().all(char::is_alphabetic) => return Err(several()),
                _ => return Err(ParseNanosError::UnknownUnit((*unit).to_owned())),
            };
            larger = Some(per_unit);
            sum += in_ns(number, per_unit, text)?;
        }
        let ns = if negative { -sum } else { sum };
        i64::try_from(ns).map(Self::new).map_err(|_| ParseNanosError::TooLong(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_are_read_exactly() {
        let read = |text: &str| text.parse::<Nanos>().map(Nanos::get);
        assert_eq!(read("250us"), Ok(250_000));
        assert_eq!(read("250 µs"), Ok(250_000));
        assert_eq!(read("1.5ms"), Ok(1_500_000));
        assert_eq!(read("0.1us"), Ok(100));
        assert_eq!(read("16.666667ms"), Ok(16_666_667));
        assert_eq!(read("-1s"), Ok(-1_000_000_000));
        assert_eq!(read("1_000ns"), Ok(1_000));
        assert_eq!(read("2m"), Ok(120_000_000_000));
        assert_eq!(read("0"), Ok(0));
        assert_eq!(read("1h30m"), Ok(5_400_000_000_000));
        assert_eq!(read("-3 min 51.5 s"), Ok(-231_500_000_000));
        assert_eq!(read("25d"), Ok(2_160_000_000_000_000));
        assert_eq!(read("64/48000"), Ok(1_333_333));
        assert_eq!(read("1 / 60"), Ok(16_666_667));
        assert!(read("1/0").is_err() && read("64/48k").is_err() && read("10000000000000/1").is_err());
    }

    #[test]
    fn what_is_no_duration_says_why() {
        let refused = |text: &str| text.parse::<Nanos>().unwrap_err();
        assert!(matches!(refused(""), ParseNanosError::NotADuration(_)));
        assert!(matches!(refused("fast"), ParseNanosError::NotADuration(_)));
        assert!(matches!(refused("1.2.3ms"), ParseNanosError::NotADuration(_)));
        assert!(matches!(refused("250"), ParseNanosError::NoUnit(_)));
        assert!(matches!(refused("1 parsec"), ParseNanosError::UnknownUnit(_)));
        for text in ["1ms,2ms", "1,5ms", "1ms..2ms", "30m1h", "1ms 2ms", "1h30"] {
            assert!(matches!(refused(text), ParseNanosError::Several(_)), "{text}");
        }
        for (text, said) in [
            ("1,5ms", "'1,5ms' has a decimal comma; write a point: 1.5ms"),
            ("5 msec", "'msec' is written ms here; the units are ns, us, ms, s, m, h and d"),
            ("5MS", "'MS' is written ms here; the units are ns, us, ms, s, m, h and d"),
            ("60Hz", "'Hz' is a unit of frequency; the units of time are ns, us, ms, s, m, h and d"),
        ] {
            assert_eq!(refused(text).to_string(), said);
        }
        for list in ["1,2", "1ms,2ms", ",5ms", "1,,5ms", "1,5,5ms"] {
            assert!(!refused(list).to_string().contains("decimal comma"), "{list}");
        }
        assert!(matches!(refused("0.5ns"), ParseNanosError::TooFine(_)));
        assert!(matches!(refused("10000000000000000000ns"), ParseNanosError::TooLong(_)));
        assert!(matches!(refused("99999999999999999999999999999999999999999s"), ParseNanosError::TooLong(_)));
    }

    proptest! {
        #[test]
        fn a_time_is_read_as_it_is_written_in_full(ns: i64, shorter in 0_u32..63) {
            for ns in [ns, ns >> shorter, i64::MIN, i64::MAX] {
                let time = Nanos::new(ns);
                prop_assert_eq!(format!("{time:#}").parse(), Ok(time));
            }
        }
    }
}
