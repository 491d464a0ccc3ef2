//! A model laid over a recording: its document, and the distributions to compare.

use super::Accumulator;
use oversleep_recording::document::ModelOverlay;

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
}
