//! Statistics, findings and comparisons, computed from samples. Nothing here knows where a recording came from.

pub mod attribution;
pub mod clocks;
pub mod compare;
pub mod corroboration;
pub mod distributions;
pub mod document;
pub mod downsample;
pub mod interventions;
pub mod models;
pub mod patterns;
pub mod runtimes;
pub mod stalls;

pub use oversleep_recording::document::Figures;
