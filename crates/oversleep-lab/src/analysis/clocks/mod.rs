//! What readings of clocks say: steps, order, drift. Pure: numbers in, numbers out.

pub mod drift;
mod steps;

pub use steps::Steps;
