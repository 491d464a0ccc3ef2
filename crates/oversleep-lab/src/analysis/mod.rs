//! What samples say: statistics, findings, comparison. Nothing here knows where a recording came from.

mod accumulate;
pub mod attribution;
pub mod clocks;
pub mod corroboration;
pub mod document;
pub mod downsample;
pub mod interval;
pub mod interventions;
pub mod models;
pub mod omission;
pub mod patterns;
pub mod quantile;
pub mod stalls;
mod summary;

pub use accumulate::{Accumulator, Settled};
pub use oversleep_recording::document::Figures;
pub use summary::{CellSummary, Summariser};
