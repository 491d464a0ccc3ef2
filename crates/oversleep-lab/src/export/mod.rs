//! Recordings for other programs. A file per format.
//!
//! To add a format: a file with its [`Exporter`], and a line in [`ExportFormat`].

pub mod csv;
mod cyclictest;
mod format;
mod hgrm;
mod hlog;
pub mod json_lines;
mod label;
pub mod metrics;
mod open_metrics;
mod perfetto;
mod protobuf;
mod rows;

pub use format::{ExportFormat, Exporter};
pub use rows::{Form, Rows, SharedText};
