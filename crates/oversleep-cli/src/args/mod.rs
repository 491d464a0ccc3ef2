//! The command line.

mod diagnose;
mod late;
mod measure;
mod trace;
pub(crate) mod values;

pub(crate) use diagnose::DiagnoseArgs;
pub(crate) use late::{LateArgs, LateTier};
pub(crate) use measure::{Experiment, MeasureArgs};
pub(crate) use trace::TraceOptions;

use crate::failure::Failure;
use crate::input::is_standard;
use clap::{Args as ClapArgs, ColorChoice, Parser, Subcommand};
use oversleep_lab::report::Look;
use oversleep_lab::report::check::FailIf;
use oversleep_lab::session;
use std::path::PathBuf;

/// How long does your sleep really sleep, why, and how do you sleep on time?
///
/// Without a command: the check-up, about 15 seconds. Every sleep primitive of this system is asked for 1 ms,
/// 300 times, interleaved; the table ranks them by how late they were. Any user may run it.
#[derive(Parser)]
#[command(name = "oversleep", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) late_tier: LateTier,
    #[command(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure methods × requests × conditions, or one of the classic experiments
    Measure(Box<MeasureArgs>),
    /// Carry the experiments of `measure` out on a simulated kernel instead of this machine
    Simulate(Box<crate::cmd::simulate::SimulateArgs>),
    /// Show a recording's figures again
    Report(FileArgs),
    /// Say why the sleeps of a recording (or of a CSV table of sleeps) were late
    ///
    /// A table has a header with `requested_ns`, `start_ns` and `end_ns` (or `start_mono_ns` and `end_mono_ns`), and
    /// optionally `method`, `thread`, `cpu`, `load`; fields are parted by commas, semicolons or tabs.
    Explain(FileArgs),
    /// Change one thing at a time and say what each was worth
    Diagnose(Box<DiagnoseArgs>),
    /// Write a recording's samples as CSV, or its figures as JSON
    Export(FileArgs),
    /// Measure every clock: cost, resolution, monotonic, across CPUs, drift between them
    Clocks(crate::cmd::clocks::ClocksArgs),
    /// Trace sleeps and say where each microsecond of their lateness went: `measure --trace` that keeps nothing
    Trace(Box<crate::cmd::trace::TraceArgs>),
    /// Spin on processors and say when they were taken away, for how long and by what
    Stalls(Box<crate::cmd::stalls::StallsArgs>),
    /// Run a command on an exact schedule
    ///
    /// Runs that fail are counted, and the schedule goes on; if every one failed, the exit status is 3. A command that
    /// cannot be started, or whose output nobody reads any more (`| head`), ends it.
    Every(crate::cmd::every::EveryArgs),
    /// Copy standard input to standard output at an exact rate
    Pace(crate::cmd::pace::PaceArgs),
    /// List what can be measured here, and what cannot
    List(ListArgs),
    /// Print a completion script
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// A recording.
#[derive(ClapArgs)]
pub(crate) struct FileArgs {
    /// The recording; `-` for standard input
    pub(crate) file: PathBuf,
    /// Of a damaged recording or table, use what comes before the damage
    #[arg(long)]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Things that come in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Listed {
    /// Ways to sleep
    Methods,
    /// Simulated kernels
    Presets,
}

/// What to list.
#[derive(ClapArgs)]
pub(crate) struct ListArgs {
    /// What
    #[arg(value_enum, default_value = "methods")]
    pub(crate) what: Listed,
    /// Include the methods of other systems
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Where the recording goes.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct Keep {
    /// Keep the recording in this file [default: oversleep-TIME.arrows in the current folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Keep no recording
    #[arg(long, conflicts_with_all = ["out", "force"])]
    pub(crate) no_save: bool,
}

impl Keep {
    /// Returns where the recording goes: into the file named, or unless told otherwise into a new one.
    pub(crate) fn place(&self) -> Result<session::Keep, Failure> {
        match &self.out {
            _ if self.no_save => Ok(session::Keep::Nowhere),
            None => Ok(session::Keep::ByTime),
            Some(path) if is_standard(path) => Err(Failure::usage(
                "--out -: standard output is the results', so name a file (./- is one of that name); \
                 --no-save --csv writes every sample to standard output",
            )),
            Some(path) => Ok(session::Keep::File { path: path.clone(), replace: self.force }),
        }
    }
}

/// How results are shown.
#[derive(ClapArgs, Clone)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct Output {
    /// Results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Every sample as CSV instead of results
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Exit with 1 if a figure of any cell is beyond a limit, such as p99>100us; may be repeated
    #[arg(long, value_name = "CHECK")]
    pub(crate) fail_if: Vec<FailIf>,
    /// When to use colour
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    color: ColorChoice,
}

impl Output {
    /// Returns results on standard output and nothing else asked for.
    pub(crate) fn new(json: bool, color: ColorChoice) -> Self {
        Self { json, csv: false, quiet: false, fail_if: Vec::new(), color }
    }

    /// Refuses `--csv` where no samples are written, instead of passing over it.
    pub(crate) fn no_csv(&self, instead: &str) -> Result<(), Failure> {
        if self.csv { Err(Failure::usage(format!("--csv is not for this command; {instead}"))) } else { Ok(()) }
    }

    /// Refuses `--fail-if` where no figure is compared: a check that cannot fail would pass for one that did not.
    pub(crate) fn no_checks(&self, instead: &str) -> Result<(), Failure> {
        if self.fail_if.is_empty() {
            return Ok(());
        }
        Err(Failure::usage(format!("--fail-if is not for this command; {instead}")))
    }

    /// What standard output can show. `NO_COLOR`, `CLICOLOR` and the like are heard by anstream.
    pub(crate) fn look(&self) -> Look {
        look(self.color)
    }
}

/// What standard output can show, colour being wanted like this.
pub(crate) fn look(color: ColorChoice) -> Look {
    let choice = match color {
        ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stdout()),
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
    let width = terminal_size::terminal_size().map_or(120, |(width, _)| width.0);
    Look { width, colour: choice != anstream::ColorChoice::Never }
}
