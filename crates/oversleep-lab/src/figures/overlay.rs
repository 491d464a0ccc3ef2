//! A model laid over a recording: its document, and the distributions beside it.

use super::Accumulator;
use oversleep_recording::document::ModelOverlay;

/// Models laid over a recording.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// What was laid, and how well it predicts.
    pub document: ModelOverlay,
    /// Lateness measured.
    pub data: Accumulator,
    /// Lateness predicted.
    pub model: Accumulator,
    /// The size of what is left: measured minus predicted.
    pub rest: Accumulator,
}
