//! Conversion of patterns and phases to text and back.

use crate::plan::{Pattern, Phase};
use oversleep_sys::units::Nanos;

/// A text that is neither a pattern nor a phase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a pattern, such as fixed, periodic or random:200us..60ms")]
pub struct PatternError(pub String);

/// Returns a pattern as text, without the duration that is in `requested_ns`.
pub fn write_pattern(pattern: Pattern) -> String {
    match pattern {
        Pattern::Fixed { .. } => "fixed".to_owned(),
        Pattern::Periodic { .. } => "periodic".to_owned(),
        Pattern::Random { from, to } => format!("random:{}ns..{}ns", from.get(), to.get()),
        Pattern::Aligned { to } => format!("aligned:{}ns", to.get()),
    }
}

/// Parses the output of [`write_pattern`], together with the request.
///
/// # Errors
/// The text, if it is not a pattern.
pub fn read_pattern(text: &str, requested: Nanos) -> Result<Pattern, PatternError> {
    let wrong = || PatternError(crate::text::escaped(text, 60));
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    match (name, rest) {
        ("fixed", "") => Ok(Pattern::Fixed { requested }),
        ("periodic", "") if requested > Nanos::ZERO => Ok(Pattern::Periodic { period: requested }),
        ("random", range) => {
            let (from, to) = range.split_once("..").ok_or_else(wrong)?;
            Ok(Pattern::Random { from: from.parse().map_err(|_| wrong())?, to: to.parse().map_err(|_| wrong())? })
        }
        ("aligned", to) => match to.parse() {
            Ok(to) if to > Nanos::ZERO => Ok(Pattern::Aligned { to }),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

/// Returns a phase as text.
pub(super) fn write_phase(phase: Phase) -> String {
    match phase {
        Phase::BackToBack => "back-to-back".to_owned(),
        Phase::Random { window } => format!("random:{}ns", window.get()),
        Phase::Warm { lead } => format!("warm:{}ns", lead.get()),
    }
}

/// Parses a phase; an empty text means that none is stated.
///
/// # Errors
/// The text, if it is not a phase.
pub(super) fn read_phase(text: &str) -> Result<Option<Phase>, PatternError> {
    let wrong = || PatternError(crate::text::escaped(text, 60));
    let time = |rest: &str| rest.parse::<Nanos>().map_err(|_| wrong());
    match text.split_once(':') {
        None if text.is_empty() => Ok(None),
        None if text == "back-to-back" => Ok(Some(Phase::BackToBack)),
        Some(("random", rest)) => Ok(Some(Phase::Random { window: time(rest)? })),
        Some(("warm", rest)) => Ok(Some(Phase::Warm { lead: time(rest)? })),
        _ => Err(wrong()),
    }
}
