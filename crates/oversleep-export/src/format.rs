//! The export formats, and the exporter of each.

use super::csv::{Csv, CsvForm};
use super::cyclictest::Cyclictest;
use super::hgrm::Hgrm;
use super::hlog::Hlog;
use super::json_lines::{JsonForm, JsonLines};
use super::open_metrics::OpenMetrics;
use super::perfetto::Perfetto;
use oversleep_recording::{Meta, Sink};
use std::io::{self, Write};

/// A format for samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// A log of HdrHistogram (`.hlog`).
    Hlog,
    /// HdrHistogram's percentiles as text (`.hgrm`).
    Hgrm,
    /// OpenMetrics text for Prometheus.
    OpenMetrics,
    /// The JSON of `cyclictest --json`.
    Cyclictest,
    /// The lines of cyclictest, one per thread.
    CyclictestLines,
    /// A trace for ui.perfetto.dev.
    Perfetto,
}

/// A sink that writes a recording in one format.
pub trait Exporter: Sink {
    /// Writes the rest and flushes the output.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl ExportFormat {
    /// Returns an exporter that writes a recording in this format to `out`.
    pub fn exporter<'a>(self, meta: &Meta, out: Box<dyn Write + 'a>) -> Box<dyn Exporter + 'a> {
        match self {
            Self::Csv => Box::new(Csv::new(CsvForm, &meta.plan, out)),
            Self::JsonLines => Box::new(JsonLines::new(JsonForm, &meta.plan, out)),
            Self::Hlog => Box::new(Hlog::new(meta, out)),
            Self::Hgrm => Box::new(Hgrm::new(meta, out)),
            Self::OpenMetrics => Box::new(OpenMetrics::new(meta, out)),
            Self::Cyclictest => Box::new(Cyclictest::new(meta, false, out)),
            Self::CyclictestLines => Box::new(Cyclictest::new(meta, true, out)),
            Self::Perfetto => Box::new(Perfetto::exporter(meta, out)),
        }
    }
}
