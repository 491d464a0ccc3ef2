//! The forms that a recording can be written in, and one way to write each.

use super::csv::{Csv, CsvForm};
use super::cyclictest::Cyclictest;
use super::hgrm::Hgrm;
use super::hlog::Hlog;
use super::json_lines::{JsonForm, JsonLines};
use super::open_metrics::OpenMetrics;
use super::perfetto::Perfetto;
use oversleep_recording::{Meta, Sink};
use std::io::{self, Write};

/// A form that samples are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// An object per line.
    JsonLines,
    /// A log of HdrHistogram's.
    Hlog,
    /// Its percentiles as text.
    Hgrm,
    /// Text for Prometheus.
    OpenMetrics,
    /// What `cyclictest --json` writes.
    Cyclictest,
    /// A trace for ui.perfetto.dev.
    Perfetto,
}

/// Takes a recording and writes it.
pub trait Exporter: Sink {
    /// Writes the rest.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl ExportFormat {
    /// Begins a recording in this form.
    pub fn exporter<'a>(self, meta: &Meta, out: Box<dyn Write + 'a>) -> Box<dyn Exporter + 'a> {
        match self {
            Self::Csv => Box::new(Csv::new(CsvForm, &meta.plan, out)),
            Self::JsonLines => Box::new(JsonLines::new(JsonForm, &meta.plan, out)),
            Self::Hlog => Box::new(Hlog::new(meta, out)),
            Self::Hgrm => Box::new(Hgrm::new(meta, out)),
            Self::OpenMetrics => Box::new(OpenMetrics::new(meta, out)),
            Self::Cyclictest => Box::new(Cyclictest::new(meta, out)),
            Self::Perfetto => Box::new(Perfetto::exporter(meta, out)),
        }
    }
}
