//! The command line.

mod asked;
mod compare;
mod conditions;
mod document_form;
mod file;
pub(crate) mod help;
mod keep;
mod late;
pub(crate) mod names;
mod output;
mod plan;
pub(crate) mod rate;
pub(crate) mod values;

pub(crate) use asked::{AfterArgs, AskedArgs};
pub(crate) use compare::{CompareArgs, Sides};
pub(crate) use conditions::{ConditionArgs, ConditionOption, ConditionSet, OfEveryKernel, OfMachines, chosen};
pub(crate) use document_form::DocumentForm;
pub(crate) use file::{ExportArgs, FileArgs, FormatName, PARQUET, ReadArgs, is_parquet};
pub(crate) use keep::{KeepArgs, OutArgs};
pub(crate) use late::{LateArgs, LateTier};
pub(crate) use output::{Checks, OutputArgs, OutputFormat, OverArgs, WorkArgs};
pub(crate) use plan::PlanArgs;

use crate::cmd::{
    attach, bounds, clocks, diagnose, every, measure, pace, report, reproduce, runtimes, serve, simulate, stalls,
    trace, tune, watch,
};
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

/// How long does your sleep really sleep, why, and how do you sleep on time?
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
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl Args {
    /// Returns whether the command line is one of ours, program's name included.
    pub(crate) fn takes<'a>(words: impl IntoIterator<Item = &'a str>) -> bool {
        Self::command().try_get_matches_from(words).is_ok()
    }

    /// Returns the name of a command that has this option, written `-p` or `--policy`: `measure`, if it has it.
    pub(crate) fn command_with(option: &str) -> Option<String> {
        let is_it = |arg: &clap::Arg| match option.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| option.chars().nth(1) == Some(short)),
        };
        let all = Self::command();
        let with = |command: &&clap::Command| command.get_arguments().any(|arg| !arg.is_hide_set() && is_it(arg));
        all.get_subcommands().find(with).map(|command| command.get_name().to_owned())
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure methods × requests × conditions, or run one of the classic experiments
    Measure(Box<measure::MeasureArgs>),
    /// Say why sleeps were late: of a recording, or of a few figures (--asked 1ms --took 15.6ms)
    Explain(ReadArgs),
    /// Say how late a sleep can be, with what certainty: a tolerance for tests; or how late the machine was during a command
    Bounds(Box<bounds::BoundsArgs>),
    /// Change one thing at a time on this machine and say how much each contributes
    Diagnose(Box<diagnose::DiagnoseArgs>),
    /// Find out when a processor was taken away, for how long and by what
    Stalls(Box<stalls::StallsArgs>),
    /// Measure what the timers of Python, Node.js, Go, Java, ... add to the kernel's, and say by which rule
    Runtimes(runtimes::RuntimesArgs),
    /// Measure every clock: cost, resolution, monotonicity, agreement across processors, drift
    Clocks(clocks::ClocksArgs),
    /// Record every timed wait of a program that nobody changed: its loops, and who makes it late (Linux)
    Attach(attach::AttachArgs),
    /// Run the experiments of `measure` on a simulated kernel
    Simulate(Box<simulate::SimulateArgs>),
    /// Show recordings: their figures as text, or a page to look at
    Report(report::ReportArgs),
    /// Compare the figures of the publications this began with to simulated ones
    Reproduce(reproduce::ReproduceArgs),
    /// Write a recording for other programs: CSV, JSON lines, HdrHistogram, OpenMetrics, cyclictest, Perfetto
    Export(ExportArgs),
    /// Say which quantiles differ between two sides of recordings, and whether by more than runs differ anyway
    Compare(Box<CompareArgs>),
    /// Watch a measurement, or a recording, as it happens
    Watch(Box<watch::WatchArgs>),
    /// Say where each microsecond of lateness went; as `measure --trace` without a recording
    Trace(Box<trace::TraceArgs>),
    /// Measure continuously and provide the figures to Prometheus
    Serve(serve::ServeArgs),
    /// Run a command with the remedies that need no root: timer slack, processors, policy, wake-up latency
    Tune(tune::TuneArgs),
    /// Run a command on an exact schedule
    Every(every::EveryArgs),
    /// Copy standard input to standard output at an exact rate
    Pace(pace::PaceArgs),
    /// List sleep methods, simulated kernels or recordings
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
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

/// Things that come in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Listed {
    /// Ways to sleep
    Methods,
    /// Timers of language runtimes
    Runtimes,
    /// Simulated kernels
    Presets,
    /// Recordings in the state folder
    Recordings,
}

/// What to list.
#[derive(ClapArgs)]
pub(crate) struct ListArgs {
    /// What to list: methods (ways to sleep), runtimes (timers of languages), presets (simulated kernels) or recordings (in the state folder)
    #[arg(value_enum, default_value = "methods", hide_possible_values = true)]
    pub(crate) what: Listed,
    /// With methods: include those of other systems
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
}
