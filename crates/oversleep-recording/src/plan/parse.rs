//! Parsing of requests, ranges and phases as users write them.

use super::{Pattern, Phase};
use oversleep_sys::units::{Nanos, ParseNanosError};
use std::str::FromStr;

/// Why a text cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// The text is not a duration.
    #[error(transparent)]
    Duration(#[from] ParseNanosError),
    /// The duration is negative.
    #[error("a duration cannot be negative")]
    Negative,
    /// An option stands where a duration belongs.
    #[error("{0} is not an option here")]
    Option(String),
    /// The duration is zero where it must be longer.
    #[error("a duration must be longer than zero")]
    Nothing,
    /// The end of the range is not above its start.
    #[error("'{0}' is not a range; write the shorter request first, such as 200us..60ms")]
    Range(String),
    /// The text is not the name of a phase.
    #[error("'{0}' is not a phase; use back-to-back, random or random:WINDOW")]
    Phase(String),
}

/// Parses a duration that is not negative.
pub fn request(text: &str) -> Result<Nanos, WordError> {
    // A leading minus is reported first, even if the rest is not a duration.
    if text.trim_start().starts_with("--") {
        return Err(WordError::Option(text.to_owned()));
    }
    if text.trim_start().starts_with('-') {
        return Err(WordError::Negative);
    }
    Ok(text.parse()?)
}

/// Parses a duration longer than zero.
pub fn positive(text: &str) -> Result<Nanos, WordError> {
    match request(text)? {
        Nanos::ZERO => Err(WordError::Nothing),
        duration => Ok(duration),
    }
}

impl FromStr for Pattern {
    type Err = WordError;

    /// Parses one duration (`1ms`), or a range from which each sleep draws its own (`200us..60ms`).
    fn from_str(text: &str) -> Result<Self, WordError> {
        let Some((from, to)) = text.split_once("..") else { return request(text).map(Self::fixed) };
        match (request(from)?, request(to)?) {
            (from, to) if from < to => Ok(Self::Random { from, to }),
            _ => Err(WordError::Range(text.to_owned())),
        }
    }
}

impl FromStr for Phase {
    type Err = WordError;

    /// Parses `back-to-back`, `random` (within 10 ms) or `random:1ms`.
    fn from_str(text: &str) -> Result<Self, WordError> {
        match text.split_once(':') {
            None if text == "back-to-back" => Ok(Self::BackToBack),
            None if text == "random" => Ok(Self::Random { window: Nanos::from_millis(10) }),
            Some(("random", window)) => Ok(Self::Random { window: positive(window)? }),
            _ => Err(WordError::Phase(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let (from, to) = (Nanos::from_micros(200), Nanos::from_millis(60));
        assert_eq!("200us..60ms".parse(), Ok(Pattern::Random { from, to }));
        assert_eq!("1ms".parse(), Ok(Pattern::fixed(Nanos::MILLISECOND)));
        for wrong in ["1ms..1ms", "..1ms", "2ms..1ms", "1ms..", "-1ms..1ms"] {
            assert!(wrong.parse::<Pattern>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_time_can_be_negative() {
        assert_eq!(request("-1ns"), Err(WordError::Negative));
        assert_eq!(request("-1"), Err(WordError::Negative));
        assert!(request("10000000000000000000ns").unwrap_err().to_string().contains("292 years"));
        assert_eq!(request("0"), Ok(Nanos::ZERO));
        assert_eq!(positive("0"), Err(WordError::Nothing));
    }

    #[test]
    fn phases_are_read() {
        assert_eq!("back-to-back".parse(), Ok(Phase::BackToBack));
        assert_eq!("random".parse(), Ok(Phase::Random { window: Nanos::from_millis(10) }));
        assert_eq!("random:2ms".parse(), Ok(Phase::Random { window: Nanos::from_millis(2) }));
        assert_eq!("random:0s".parse::<Phase>(), Err(WordError::Nothing));
        for wrong in ["moon", "", "back-to-back:1ms"] {
            assert_eq!(wrong.parse::<Phase>(), Err(WordError::Phase(wrong.to_owned())));
        }
    }
}
