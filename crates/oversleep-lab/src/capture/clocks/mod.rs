//! Measures the clocks of this machine: what a reading costs, how finely and steadily they advance, whether
//! processors agree, and how they drift apart.

mod across;
mod bracket;
mod cost;
mod resolution;
mod rounds;
mod survey;
mod timetable;

pub use across::{Across, Compared};
pub use bracket::bracket_all;
pub use cost::Cost;
pub use rounds::Series;
pub use survey::{Measured, Options, Survey, survey};
pub use timetable::Progress;
