//! Figures of samples: quantiles with what they need, intervals, distributions, the summary of each cell. Arithmetic on
//! samples, no judgement: analysis and reports both stand on it.

mod accumulate;
pub mod buckets;
pub mod dependence;
pub mod holm;
pub mod interval;
pub mod omission;
mod overlay;
pub mod quantile;
pub mod ranks;
mod summary;

pub use accumulate::{Accumulator, Settled};
pub use overlay::Overlay;
pub use summary::{CellSummary, Summariser, ThreadSummary};
