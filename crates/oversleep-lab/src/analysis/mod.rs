//! What samples say: statistics, findings, comparison. Nothing here knows where a recording came from.

mod accumulate;
pub mod attribution;
pub mod clock;
pub mod diagnose;
pub mod interval;
pub mod intervene;
pub mod omission;
pub mod overlay;
pub mod quantile;
mod summary;
pub mod witnesses;

pub use accumulate::{Accumulator, Settled};
pub use summary::{CellSummary, Figures, Summariser};
