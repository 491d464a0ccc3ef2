//! What readings of clocks say: cost, steps, order, drift. Pure: numbers in, numbers out.

mod document;
pub mod drift;

pub use document::document;
