//! The answer to a question about sleeps that nobody recorded.

use serde::Serialize;

/// What would explain the figures that somebody stated.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskedAnswer {
    /// The verdict in one sentence.
    pub verdict: String,
    /// Whether one cause is stated; otherwise the figures leave it open.
    pub decided: bool,
    /// What was taken from the question.
    pub stated: Vec<String>,
    /// Causes that are possible, the most probable first.
    pub candidates: Vec<AskedCandidate>,
    /// Share of none of the causes known.
    pub none_of_these: f64,
    /// What to do about it; empty if nothing is known.
    pub remedy: String,
    /// One thing to try that would decide.
    pub experiment: String,
    /// Remarks about the question: a call that is not known, for instance.
    pub remarks: Vec<String>,
}

/// A cause that would explain the figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskedCandidate {
    /// Identifier.
    pub cause: &'static str,
    /// The cause as a phrase.
    pub name: String,
    /// How probable it is among all, 0 to 1.
    pub share: f64,
    /// The laws that the sleep follows.
    pub law: String,
    /// What they make of a request.
    pub figure: String,
    /// What was stated that speaks for it.
    pub reasons: Vec<String>,
    /// What removes it.
    pub remedy: String,
}

/// Returns the share of a candidate, 0 to 1, as text: `64 %`; never as 0 % or 100 %, because neither is known.
pub fn percent_of_candidates(share: f64) -> String {
    match share * 100.0 {
        percent if percent < 1.0 => "under 1 %".to_owned(),
        percent if percent > 99.0 => "over 99 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}
