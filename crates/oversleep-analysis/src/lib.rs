//! Statistics, findings and comparisons, computed from samples. Where a recording came from matters only to what
//! `experiment` proposes for an open question.

pub mod attach;
pub mod attribution;
pub mod bounds;
pub mod clocks;
pub mod compare;
pub mod corroboration;
pub mod distributions;
pub mod document;
pub mod downsample;
mod experiment;
pub mod interventions;
mod latency_hold;
pub mod models;
pub mod patterns;
pub mod runtimes;
pub mod stalls;

pub use oversleep_recording::document::Figures;
