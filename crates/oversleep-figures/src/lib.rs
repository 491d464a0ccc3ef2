//! Figures of samples: quantiles, the numbers of samples they need, intervals, distributions, and a summary of each
//! cell. Arithmetic without judgement, used by both analysis and reports.

mod accumulate;
mod bucket_omission;
pub mod buckets;
pub mod dependence;
pub mod holm;
pub mod interval;
pub mod omission;
mod over;
mod overlay;
pub mod quantile;
pub mod ranks;
mod summary;
mod time_left;

pub use accumulate::{Accumulator, Settled};
pub use overlay::{Overlay, PredictedSleep};
pub use summary::{CellSummary, Summariser, ThreadSummary};
pub use time_left::{check_work, time_left};
