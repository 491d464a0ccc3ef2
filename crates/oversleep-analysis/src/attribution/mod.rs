//! Splits the time of each oversleep, with evidence, and sums up many of them.
//!
//! A [`Breakdown`] splits one oversleep into [`OversleepPart`]s between marks on one clock. Each part begins where the previous
//! one ends, so the parts of a complete breakdown sum to the measured oversleep to the nanosecond. Whatever does not
//! fit (a negative part, lost events, a missing mark) makes the breakdown [`Complete::Partial`] with its reason;
//! nothing is clamped.

mod builder;
mod causes;
pub mod counters;
mod documents;
mod examined;
pub mod join;
mod late;
mod summary;
pub mod switches;
mod timed_sleep;
mod timeline;
mod traced;
mod usual;

pub use builder::BreakdownBuilder;
pub use causes::{by_cause, owners_of};
pub use counters::expected_slack;
pub use documents::trace_documents;
pub use examined::{ExaminedSleeps, SEEN, SEEN_ONLY};
pub use late::{cause, late_sleeps, name_late};
pub use oversleep_recording::document::breakdown::{Breakdown, Complete, OversleepPart, Owner, PartEvidence, PartKind};
pub use oversleep_recording::document::trace::{Culprit, Named, PartFigures, QuantilesAndMean, Summary};
pub use summary::{culprits, name as culprit_name};
pub use summary::{spread, summarise};
pub use timed_sleep::TimedSleep;
pub use timeline::Timeline;
pub use traced::{TracedCell, traced_cell, traced_cells};

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
