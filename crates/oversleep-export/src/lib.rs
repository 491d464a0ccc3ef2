//! Recordings written for other programs. One file per format.
//!
//! To add a format: a file with its [`Exporter`], and a line in [`ExportFormat`].

pub mod csv;
mod cyclictest;
mod format;
mod help;
mod hgrm;
mod hlog;
pub mod json_lines;
mod label;
pub mod metrics;
mod one_batch_behind;
mod open_metrics;
mod perfetto;
mod rows;
mod sleep_metrics;

pub use format::{ExportFormat, Exporter};
pub use one_batch_behind::{OneBatchBehind, SampleWriter};
pub use rows::{RowFormat, RowWriter, Rows, SharedText};
