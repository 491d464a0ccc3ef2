//! Arguments of the commands that read a recording.

use super::asked::AskedArgs;
use super::output::WorkArgs;
use super::{Checks, OutputFormat};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use oversleep_lab::export::ExportFormat;
use oversleep_lab::import::ImportOptions;
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::session::Input;
use std::path::{Path, PathBuf};

/// A recording, or another program's table of sleeps.
#[derive(ClapArgs)]
pub(crate) struct FileArgs {
    /// The recording; `-` for standard input [default: the last one in the state folder]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Of a table with names of its own: which column holds what, and its unit (ns, us, ms, s), such as
    /// requested=asked:us,start=t0:us,end=t1:us; fields are method, thread, cpu, load, sequence, requested, deadline, start, end
    #[arg(long, value_name = "FIELD=COLUMN:UNIT,...")]
    pub(crate) columns: Option<Mapping>,
}

impl FileArgs {
    /// Returns the recording to read.
    pub(crate) fn input(&self) -> Input {
        let options = ImportOptions { columns: self.columns.clone().unwrap_or_default(), among_others: false };
        Input { path: self.file.clone(), partial: self.partial, options }
    }
}

/// What `explain` accepts.
#[derive(ClapArgs)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
    /// Figures after a change, and what was changed, such as `--took 1.01ms --condition slack=1ns`; what is not stated again is as before
    #[arg(last = true, value_name = "AFTER", help_heading = "Without a recording")]
    pub(crate) after: Vec<String>,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    #[command(flatten)]
    pub(crate) checks: Checks,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// What `export` accepts.
#[derive(ClapArgs)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,
    /// The form [default: by the ending of --out, or else csv]: csv, jsonl (an object per line), recording (.arrows), hlog and hgrm
    /// (HdrHistogram), openmetrics, cyclictest (its JSON), cyclictest-lines, perfetto (a trace for ui.perfetto.dev)
    #[arg(long, short, value_enum, value_name = "FORMAT", hide_possible_values = true, conflicts_with_all = ["csv", "json"])]
    pub(crate) format: Option<FormatName>,
    /// Write this file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Write every sample as CSV: the default
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write the figures as JSON instead
    #[arg(long)]
    pub(crate) json: bool,
}

/// The forms there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Comma-separated values
    Csv,
    /// An object per line
    Jsonl,
    /// Our own file
    Recording,
    /// A log of HdrHistogram
    Hlog,
    /// Percentiles of HdrHistogram
    Hgrm,
    /// Text for Prometheus
    Openmetrics,
    /// JSON of cyclictest
    Cyclictest,
    /// Lines of cyclictest, `T: 0 (…) P: … Min: … Max: …`
    CyclictestLines,
    /// A trace for ui.perfetto.dev
    Perfetto,
}

/// What makes Parquet of a recording.
pub(crate) const PARQUET: &str =
    "polars makes Parquet of a recording: pl.read_ipc_stream('FILE.arrows').write_parquet('FILE.parquet')";

/// Returns whether a file's extension stands for Parquet.
pub(crate) fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

impl FormatName {
    /// Returns the format that a file's extension stands for, in letters of either case.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "arrows" => Some(Self::Recording),
            "hlog" => Some(Self::Hlog),
            "hgrm" => Some(Self::Hgrm),
            "prom" | "om" => Some(Self::Openmetrics),
            "pftrace" | "perfetto-trace" => Some(Self::Perfetto),
            _ => None,
        }
    }

    /// Returns the format in which samples are exported; `None` for recordings, which other code writes.
    pub(crate) const fn form(self) -> Option<ExportFormat> {
        Some(match self {
            Self::Csv => ExportFormat::Csv,
            Self::Jsonl => ExportFormat::JsonLines,
            Self::Recording => return None,
            Self::Hlog => ExportFormat::Hlog,
            Self::Hgrm => ExportFormat::Hgrm,
            Self::Openmetrics => ExportFormat::OpenMetrics,
            Self::Cyclictest => ExportFormat::Cyclictest,
            Self::CyclictestLines => ExportFormat::CyclictestLines,
            Self::Perfetto => ExportFormat::Perfetto,
        })
    }
}
