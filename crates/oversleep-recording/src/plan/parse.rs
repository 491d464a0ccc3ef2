//! What people write of a plan: requests, ranges, phases.

use super::{Pattern, Phase};
use oversleep_sys::units::{Nanos, ParseNanosError};
use std::str::FromStr;

/// Why a text is not what a plan takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// No duration.
    #[error(transparent)]
    Duration(#[from] ParseNanosError),
    /// A negative duration.
    #[error("a duration cannot be negative")]
    Negative,
    /// Zero, where time must pass.
    #[error("a duration must be longer than zero")]
    Nothing,
    /// The range ends where it starts, or before.
    #[error("'{0}' is not a range; write the shorter request first, such as 200us..60ms")]
    Range(String),
    /// Not the name of a phase.
    #[error("'{0}' is not a phase; use back-to-back, random or random:WINDOW")]
    Phase(String),
}

/// Returns a duration that can be slept: not negative.
pub fn request(text: &str) -> Result<Nanos, WordError> {
    // A sign before what is no duration is the first thing to say, too.
    if text.trim_start().starts_with('-') {
        return Err(WordError::Negative);
    }
    Ok(text.parse()?)
}

/// Returns a duration that must last.
pub fn positive(text: &str) -> Result<Nanos, WordError> {
    match request(text)? {
        Nanos::ZERO => Err(WordError::Nothing),
        duration => Ok(duration),
    }
}

impl FromStr for Pattern {
    type Err = WordError;

    /// Reads one duration (`1ms`), or a range from which each sleep draws its own (`200us..60ms`).
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

    /// Reads `back-to-back`, `random` (within 10 ms) or `random:1ms`.
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
