//! Arguments that say how results are shown.

use super::values;
use crate::failure::Failure;
use clap::{Args as ClapArgs, ColorChoice};
use oversleep_lab::report::Screen;
use oversleep_lab::report::check::FailIf;
use oversleep_lab::session::Results;
use oversleep_sys::units::Nanos;
use std::fmt::Display;
use std::path::Path;

/// How the results of a measurement are shown and checked.
#[derive(ClapArgs, Clone)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Write every sample as CSV instead of the results
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) checks: Checks,
}

/// Whether results are JSON or text, and coloured.
#[derive(ClapArgs, Clone, Copy)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputFormat {
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colour
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

/// How much time of each period of a schedule its work takes.
#[derive(ClapArgs, Clone, Copy, Default)]
#[command(next_help_heading = "Schedules")]
pub(crate) struct WorkArgs {
    /// Count the periods of a schedule that left at least this time for their work after the wake-up; such as 8ms
    #[arg(long, value_name = "TIME", value_parser = values::positive, allow_hyphen_values = true)]
    pub(crate) work: Option<Nanos>,
}

impl WorkArgs {
    /// Refuses the option without a schedule of a longer period.
    pub(crate) fn check(self, interval: Option<Nanos>) -> Result<(), Failure> {
        match (self.work, interval) {
            (Some(_), None) => Err(Failure::usage(
                "--work is the time that the work of each period takes, and needs --interval, as in -i 60Hz --work 8ms",
            )),
            (Some(work), Some(period)) if work >= period => Err(Failure::usage(format!(
                "--work {work:#}: the work of a period must be shorter than the period, {period:#}"
            ))),
            _ => Ok(()),
        }
    }

    /// Has results say in how many periods there was time for the work; `judge_by_work` does it, or says why not. `file` is
    /// the recording's, if one was named.
    pub(crate) fn judge(
        self,
        file: Option<&Path>,
        judge_by_work: impl FnOnce(Nanos) -> Result<(), String>,
    ) -> Result<(), Failure> {
        let name = file.map_or_else(String::new, |file| format!("{}: ", file.display()));
        match self.work.map(judge_by_work) {
            Some(Err(why)) => Err(Failure::usage(format!("--work: {name}{why}"))),
            _ => Ok(()),
        }
    }
}

/// Which sleeps are counted as late.
#[derive(ClapArgs, Clone, Copy, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OverArgs {
    /// Count the sleeps later than this, or the stalls longer, such as 10ms, and say how large their share may be
    #[arg(long, value_name = "TIME", value_parser = values::positive, allow_hyphen_values = true)]
    pub(crate) over: Option<Nanos>,
}

impl OverArgs {
    /// Refuses the option where the output has no results to count in; `form` names what it is instead.
    pub(crate) fn refuse_beside(self, form: Option<&str>) -> Result<(), Failure> {
        match (self.over, form) {
            (Some(_), Some(form)) => Err(Failure::usage(format!(
                "--over counts sleeps in the text and in --json, and cannot be used with {form}"
            ))),
            _ => Ok(()),
        }
    }

    /// Has results count them; refuses results without single sleeps.
    pub(crate) fn count(self, results: &mut Results) -> Result<(), Failure> {
        let counted = self.over.map_or(Ok(()), |limit| results.count_over(limit));
        counted.map_err(|why| Failure::usage(format!("--over: {why}")))
    }
}

/// Limits that decide the exit status.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct Checks {
    /// Exit with status 1 if a figure of any row, its threads together, exceeds a limit, such as 'p99>100us' or, as a share of the
    /// sleeps or of the time watched for stalls, 'over 10ms>0.1%' (of every
    /// period of a schedule: 'corrected p99>1ms', 'p99 left<8ms', 'late>1%' and, for those without a wake-up of their own, 'skipped>0'; of
    /// commands with --work also 'missed>1%', those with less time than it), or if a condition asked for was refused; with 3 if there are too few samples to tell; may be repeated
    #[arg(long, value_name = "CHECK")]
    pub(crate) fail_if: Vec<FailIf>,
}

impl OutputFormat {
    /// Returns the width of standard output and whether to colour it. anstream reads `NO_COLOR`, `CLICOLOR` and such.
    pub(crate) fn screen(self) -> Screen {
        let choice = match self.color {
            ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stdout()),
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        Screen { width: width(), colour: choice != anstream::ColorChoice::Never }
    }
}

impl Checks {
    /// Refuses `--fail-if` where no figure is compared: a check that cannot fail would look like one that passed.
    pub(crate) fn refuse(&self, why: &str) -> Result<(), Failure> {
        if self.fail_if.is_empty() {
            Ok(())
        } else {
            Err(Failure::usage(format!("--fail-if cannot be used here: {why}")))
        }
    }

    /// Refuses, before anything is measured, checks that no result could decide; `work` is what `--work` says.
    pub(crate) fn before(&self, keeps_schedule: bool, work: Option<Nanos>) -> Result<(), Failure> {
        match self.fail_if.iter().find(|check| check.needs_schedule() && !keeps_schedule) {
            Some(check) => Err(Failure::usage(format!(
                "--fail-if '{check}' counts periods of a schedule, and there is none here; `measure` and `simulate` keep one with \
                 --interval, as in -i 60Hz"
            ))),
            None => self.need_work(work),
        }
    }

    /// Refuses checks of the periods with too little time for their work, unless it is known how long that takes.
    pub(crate) fn need_work(&self, work: Option<Nanos>) -> Result<(), Failure> {
        match self.fail_if.iter().find(|check| check.needs_work() && work.is_none()) {
            Some(check) => Err(work_needed(check)),
            None => Ok(()),
        }
    }
}

/// Returns the error that a check of missed periods lacks the time that their work takes.
pub(super) fn work_needed(check: impl Display) -> Failure {
    Failure::usage(format!(
        "--fail-if '{check}' counts the periods that leave less time than --work says (with `measure`, `simulate`, `report` and `compare`); \
         add it, as in --work 8ms"
    ))
}

impl OutputArgs {
    /// Returns the width of standard output and whether to colour it.
    pub(crate) fn screen(&self) -> Screen {
        self.shown.screen()
    }

    /// Returns whether the results are wanted as JSON.
    pub(crate) fn json(&self) -> bool {
        self.shown.json
    }
}

/// Width in columns where neither `COLUMNS` nor a terminal says it.
const UNKNOWN_WIDTH: u16 = 120;
/// Smallest width in columns that `COLUMNS` may name: no table fits in fewer.
const NARROWEST: u16 = 20;

/// Returns the width in columns that the variable `COLUMNS` names, or else the terminal's. The variable comes first:
/// with it, a script says how much room there is behind a pipe.
pub(super) fn width() -> u16 {
    let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let named = named.filter(|columns| *columns >= NARROWEST);
    named.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0)).unwrap_or(UNKNOWN_WIDTH)
}
