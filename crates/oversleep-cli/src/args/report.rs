//! Arguments of `report`.

use super::{Checks, OutputFormat, OverArgs, WorkArgs};
use crate::failure::Failure;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use oversleep_lab::import::ImportOptions;
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::report::picture::Plot;
use oversleep_lab::session::Input;
use std::path::PathBuf;

/// Recordings, and what to make of them.
#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct ReportArgs {
    /// The recordings; `-` for standard input [default: the last one in the state folder]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Of a table with names of its own: which column holds what, as `explain` takes it
    #[arg(long, value_name = "FIELD=COLUMN:UNIT,...")]
    pub(crate) columns: Option<Mapping>,
    /// Write a file by its ending: .html, a page to look at, which needs no network; .svg or .png, a plot; .md, text for an issue tracker
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["json", "fail_if"])]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Show a plot in the terminal, or in the picture of --out: time, request, distribution, load, processors, ranking, drift, breakdown, cost
    #[arg(long, value_enum, value_name = "PLOT", conflicts_with_all = ["json", "fail_if", "open"], hide_possible_values = true)]
    pub(crate) plot: Option<PlotName>,
    /// Print Markdown, to paste into an issue tracker: verdict, machine, command, table, causes
    #[arg(long, conflicts_with_all = ["json", "fail_if", "open", "plot"])]
    pub(crate) markdown: bool,
    /// Open the page in the browser; without --out it is a temporary file
    #[arg(long, conflicts_with_all = ["json", "fail_if"])]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    #[command(flatten)]
    pub(crate) checks: Checks,
}

/// The plots there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotName {
    /// Oversleep against time
    Time,
    /// How long sleeps were against their requests
    Request,
    /// How many sleeps were how late
    Distribution,
    /// Oversleep with each number of busy threads
    Load,
    /// Oversleep on each processor
    Processors,
    /// Every cell's distribution, the least late first
    Ranking,
    /// Clocks against the monotonic one
    Drift,
    /// What the oversleep is made of
    Breakdown,
    /// Oversleep against processor time
    Cost,
}

impl PlotName {
    pub(crate) const fn plot(self) -> Plot {
        match self {
            Self::Time => Plot::Time,
            Self::Request => Plot::Request,
            Self::Distribution => Plot::Distribution,
            Self::Load => Plot::Load,
            Self::Processors => Plot::Processors,
            Self::Ranking => Plot::Ranking,
            Self::Drift => Plot::Drift,
            Self::Breakdown => Plot::Breakdown,
            Self::Cost => Plot::Cost,
        }
    }
}

impl ReportArgs {
    /// Returns one input per recording named; the last recording kept if none is named.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let options = ImportOptions { columns: self.columns.clone().unwrap_or_default(), among_others: false };
        let last = Input { path: None, partial: self.partial, options };
        if self.files.is_empty() {
            return vec![last];
        }
        self.files.iter().map(|file| Input { path: Some(file.clone()), ..last.clone() }).collect()
    }

    /// Returns the only recording named, for output that shows just one; `form` is the output's name in the error.
    pub(crate) fn single(&self, form: &str) -> Result<Input, Failure> {
        let named = self.inputs().len();
        match self.inputs().pop() {
            Some(input) if named == 1 => Ok(input),
            _ => Err(Failure::usage(format!(
                "{form} shows one recording, and {named} are named; -o FILE.html shows several on one page"
            ))),
        }
    }
}
