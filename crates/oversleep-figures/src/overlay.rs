//! A model laid over a recording: its document, and the distributions to compare.

use super::Accumulator;
use oversleep_recording::document::ModelOverlay;
use oversleep_sys::units::Nanos;

/// Simulated kernels laid over a recording.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// The models, and how well each predicts.
    pub document: ModelOverlay,
    /// Measured lateness, in ns.
    pub data: Accumulator,
    /// Predicted lateness, in ns.
    pub model: Accumulator,
    /// Magnitude of the residuals, measured minus predicted, in ns.
    pub rest: Accumulator,
    /// Some of the predictions, spread over the sleeps of each group.
    pub predicted: Vec<PredictedSleep>,
}

/// The prediction for one sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictedSleep {
    /// Number of the cell.
    pub cell: u32,
    /// Start of the sleep, on its cell's clock.
    pub start: Nanos,
    /// Predicted lateness.
    pub late: Nanos,
}
