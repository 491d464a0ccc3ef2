//! One late sleep and everything known of it.

use super::explain::{cause, sentence};
use crate::analysis::attribution::Breakdown;
use crate::capture::trace::Tier;
use oversleep_recording::Mark;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

/// One late sleep.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its method.
    pub method: String,
    /// What was asked.
    pub requested: Nanos,
    /// When it was due, on its clock.
    pub due: Nanos,
    /// What the recording keeps of it.
    pub mark: Mark,
    /// The part of the trace around it, as text.
    pub excerpt: Option<String>,
}

impl Finding {
    /// As a command finds it in its environment.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let mark = &self.mark;
        let number = |time: Nanos| time.get().to_string();
        vec![
            ("OVERSLEEP_METHOD", self.method.clone()),
            ("OVERSLEEP_REQUESTED_NS", number(self.requested)),
            ("OVERSLEEP_DEADLINE_NS", number(self.due)),
            ("OVERSLEEP_END_NS", number(mark.at)),
            ("OVERSLEEP_LATE_NS", number(mark.length)),
            ("OVERSLEEP_CELL", mark.cell.to_string()),
            ("OVERSLEEP_THREAD", mark.thread.to_string()),
            ("OVERSLEEP_SEQUENCE", mark.sequence.to_string()),
            ("OVERSLEEP_CPU", mark.cpu.map_or_else(String::new, |cpu| cpu.to_string())),
            ("OVERSLEEP_CAUSE", mark.cause.clone()),
            ("OVERSLEEP_EXPLANATION", mark.explanation.clone()),
            ("OVERSLEEP_WITNESS", mark.witness.clone()),
            ("OVERSLEEP_WITNESS_REFUSED", mark.refused.join("; ")),
            ("OVERSLEEP_TRACE_FILE", mark.trace.clone().unwrap_or_default()),
        ]
    }
}

/// Puts what is known of a sleep together. `breakdown` comes with the tier it was made by; without one, `refused`
/// says why.
pub fn finding(
    method: &str,
    requested: Nanos,
    place: Mark,
    breakdown: Option<(Tier, &Breakdown)>,
    refused: &[(Tier, Refusal)],
) -> Finding {
    let late = place.length;
    let (explanation, cause, witness) = match breakdown {
        Some((tier, breakdown)) => (sentence(breakdown), cause(breakdown), tier.name()),
        None => (format!("{late} late"), "not told apart".to_owned(), "none"),
    };
    let mut mark = Mark { explanation, cause, witness: witness.to_owned(), ..place };
    mark.refused.extend(refused.iter().map(|(tier, why)| format!("not by {}: {why}", tier.name())));
    Finding { method: method.to_owned(), requested, due: mark.at.saturating_sub(late), mark, excerpt: None }
}
