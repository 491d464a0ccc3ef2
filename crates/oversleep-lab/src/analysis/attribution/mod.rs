//! Where the time of each oversleep went, with evidence; and what many of them say together.
//!
//! A [`Breakdown`] splits one oversleep into [`Part`]s between marks on one clock. Marks telescope, so the parts of
//! a complete breakdown sum to the measured oversleep to the nanosecond; whatever does not fit (a negative part, lost
//! events, a missing mark) makes the breakdown [`Complete::Partial`] with its reason, never a clamped number.

mod chain;
pub mod counters;
mod culprits;
pub mod join;
mod slack;
mod slept;
mod summary;
pub mod switches;
mod timeline;
mod unexplained;
mod usual;

pub use chain::Chain;
pub use culprits::{Culprit, Named, culprits, name as culprit_name};
pub use oversleep_recording::document::breakdown::{Breakdown, Complete, Evidence, Owner, Part, PartKind};
pub use slack::expected as expected_slack;
pub use slept::Slept;
pub use summary::{PartFigures, Spread, Summary, spread, summarise};
pub use timeline::Timeline;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
