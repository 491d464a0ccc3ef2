//! Parsers of rates and amounts of bytes, bits and lines.

use oversleep::{Hertz, RateError};
use oversleep_recording::names;

names! {
    /// What is counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum PaceUnit {
        Bytes = "bytes",
        Lines = "lines",
    }
}

/// A number of units per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rate {
    pub(crate) per_second: Hertz,
    pub(crate) unit: PaceUnit,
}

/// Names of a line, the longest first.
const LINES: [&str; 5] = ["messages", "lines", "line", "msgs", "msg"];
/// Names of a bit, the longest first.
const BITS: [&str; 2] = ["bits", "bit"];

impl PaceUnit {
    /// Returns how many units `bytes` holds. At the end of the input (`ended`), a last line without a line end counts.
    pub(crate) fn count(self, bytes: &[u8], ended: bool) -> u64 {
        match self {
            Self::Bytes => bytes.len() as u64,
            Self::Lines => {
                let whole = bytes.split(|byte| *byte == b'\n').count() as u64 - 1;
                whole + u64::from(ended && bytes.last().is_some_and(|last| *last != b'\n'))
            }
        }
    }

    /// Returns the length in bytes of the first `n` units.
    pub(crate) fn length(self, bytes: &[u8], n: u64) -> usize {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        match self {
            Self::Bytes => n.min(bytes.len()),
            Self::Lines => bytes.split_inclusive(|byte| *byte == b'\n').take(n).map(<[u8]>::len).sum(),
        }
    }
}

/// An amount, as `--burst` takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) units: u64,
    /// `None` if the text names no unit: then the amount counts what the rate counts.
    pub(crate) unit: Option<PaceUnit>,
}

/// Parses a rate: `10MB/s`, `1.5MiB/s`, `500k`, `10Mbit/s`, `200lines/s`, `200msg/s`.
pub(crate) fn parse(text: &str) -> Result<Rate, String> {
    let bare = text.trim();
    if bare.to_ascii_lowercase().ends_with("hz") {
        let number = bare[..bare.len() - 2].trim();
        return Err(format!("'{text}' does not say what is counted; write {number}lines/s or {number}B/s"));
    }
    let bits_per_second = bare.strip_suffix("bps").map(|number| format!("{number}bit"));
    let bare = bits_per_second.as_deref().unwrap_or(bare.strip_suffix("/s").unwrap_or(bare));
    let (per_second, unit) = quantity(bare).map_err(|error| match error {
        RateError::NotPositive(_) => format!("'{text}' is not a rate above zero"),
        RateError::NotARate(_) => format!("'{text}' is not a rate; write 10MB/s, 500KiB/s, 10Mbit/s or 200lines/s"),
        RateError::TooFine(_) => format!("'{text}' has too many digits to be kept exactly; leave some out"),
        _ => format!("'{text}' is beyond what can be kept: 10⁻⁹ to 10¹⁵ per second"),
    })?;
    Ok(Rate { per_second, unit: unit.unwrap_or(PaceUnit::Bytes) })
}

/// Parses an amount: `64KiB`, `1500`, `10lines`.
pub(crate) fn amount(text: &str) -> Result<Amount, String> {
    let (number, unit) = quantity(text.trim()).map_err(|error| match error {
        RateError::NotPositive(_) => format!("'{text}' is not an amount above zero"),
        RateError::NotARate(_) => format!("'{text}' is not an amount; write 1500, 64KiB or 10lines"),
        _ => format!("'{text}' is too large, too small or has too many digits; write 1500, 64KiB or 10lines"),
    })?;
    if number.numerator() % number.denominator() != 0 {
        let of_what = unit.map(|unit| format!(" of {}", unit.name())).unwrap_or_default();
        return Err(format!("'{text}' is not a whole number{of_what}"));
    }
    Ok(Amount { units: number.numerator() / number.denominator(), unit })
}

/// Parses a number with a multiple and a unit; `None` if no unit is named.
fn quantity(text: &str) -> Result<(Hertz, Option<PaceUnit>), RateError> {
    let (number, unit, divisor) = split(text);
    let (number, multiple) = binary(number);
    if number.to_ascii_lowercase().ends_with("hz") {
        return Err(RateError::NotARate(text.to_owned()));
    }
    let number: Hertz = number.trim_end().parse()?;
    let beyond = || RateError::OutOfRange(text.to_owned());
    let numerator = number.numerator().checked_mul(multiple).ok_or_else(beyond)?;
    let denominator = number.denominator().checked_mul(divisor).ok_or_else(beyond)?;
    Ok((Hertz::new(numerator, denominator).ok_or_else(beyond)?, unit))
}

/// Splits the unit off; returns the number, the unit if there is one, and a divisor (8 for bits).
fn split(text: &str) -> (&str, Option<PaceUnit>, u64) {
    if let Some(number) = LINES.iter().find_map(|name| text.strip_suffix(name)) {
        return (number, Some(PaceUnit::Lines), 1);
    }
    if let Some(number) = BITS.iter().find_map(|name| text.strip_suffix(name)) {
        return (number, Some(PaceUnit::Bytes), 8);
    }
    match text.strip_suffix('B') {
        Some(number) => (number, Some(PaceUnit::Bytes), 1),
        None => (text, None, 1),
    }
}

/// Takes a binary prefix (Ki, Mi, Gi) off a number and returns its factor; the number's parser reads decimal prefixes.
fn binary(text: &str) -> (&str, u64) {
    match text.strip_suffix('i') {
        Some(rest) if rest.ends_with(['k', 'K']) => (&rest[..rest.len() - 1], 1 << 10),
        Some(rest) if rest.ends_with('M') => (&rest[..rest.len() - 1], 1 << 20),
        Some(rest) if rest.ends_with('G') => (&rest[..rest.len() - 1], 1 << 30),
        _ => (text, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_people_write_them() {
        let read = |text: &str| parse(text).map(|rate| (rate.per_second.as_f64(), rate.unit));
        for (text, rate) in [
            ("10MB/s", 10e6),
            ("1.5MiB/s", 1_572_864.0),
            ("500k", 500e3),
            ("1200", 1_200.0),
            ("1KiB", 1_024.0),
            ("10Mbit/s", 1.25e6),
            ("10Mbps", 1.25e6),
            ("1bit/s", 0.125),
        ] {
            assert_eq!(read(text), Ok((rate, PaceUnit::Bytes)), "{text}");
        }
        for (text, rate) in [("200lines/s", 200.0), ("0.5 line/s", 0.5), ("1kmsg/s", 1e3), ("7messages/s", 7.0)] {
            assert_eq!(read(text), Ok((rate, PaceUnit::Lines)), "{text}");
        }
        for text in ["", "0", "-1MB/s", "fast", "10XB/s", "1Mi i", "lines/s"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_are_whole() {
        let bytes = Some(PaceUnit::Bytes);
        assert_eq!(amount("64KiB"), Ok(Amount { units: 65_536, unit: bytes }));
        assert_eq!(amount("8kbit"), Ok(Amount { units: 1_000, unit: bytes }));
        assert_eq!(amount("10lines"), Ok(Amount { units: 10, unit: Some(PaceUnit::Lines) }));
        assert_eq!(amount("1.5k"), Ok(Amount { units: 1_500, unit: None }));
        for text in ["1bit", "0", "0.5", "1.5lines", "10lines/s", "10MB/s", "10Hz", "many", ""] {
            assert!(amount(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_are_counted_with_their_ends() {
        let text = b"one\ntwo\nthr";
        assert_eq!((PaceUnit::Lines.count(text, false), PaceUnit::Lines.count(text, true)), (2, 3));
        assert_eq!([0, 1, 2, 3, 9].map(|n| PaceUnit::Lines.length(text, n)), [0, 4, 8, 11, 11]);
        assert_eq!((PaceUnit::Bytes.count(text, false), PaceUnit::Bytes.length(text, 5)), (11, 5));
    }
}
