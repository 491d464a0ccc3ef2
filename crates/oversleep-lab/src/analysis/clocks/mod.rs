//! Computes what readings of clocks show: cost, steps, order, drift. Pure functions of numbers.

mod document;
pub mod drift;
pub(in crate::analysis) mod rates;

pub use document::document;
