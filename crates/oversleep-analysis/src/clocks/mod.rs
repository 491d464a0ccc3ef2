//! Computes what readings of clocks show: cost, steps, order, drift. Pure functions of numbers.

mod document;
pub mod drift;
pub(crate) mod rates;

pub use document::document;
