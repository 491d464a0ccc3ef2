//! Measures the clocks of this machine: the cost of a reading, how finely and steadily they advance, whether processors
//! agree, and readings of all clocks together, round after round, for their drift.

mod bracket;
mod processor_agreement;
mod steps;
mod survey;
mod timetable;

pub use bracket::bracket_all;
pub use survey::{ClockOptions, Clocks, plan, survey};
pub use timetable::SurveyProgress;
