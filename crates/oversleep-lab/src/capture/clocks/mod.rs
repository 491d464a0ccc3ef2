//! Measures the clocks of this machine: what a reading costs, how finely and steadily they advance, whether
//! processors agree, and all of them together, round after round, for how they drift apart.

mod across;
mod bracket;
mod cost;
mod load;
mod resolution;
mod rounds;
mod steps;
mod survey;
mod timetable;

pub use bracket::bracket_all;
pub use survey::{Clocks, Options, plan, survey};
pub use timetable::Progress;
