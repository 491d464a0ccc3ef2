//! Arguments of `bounds`.

use super::file::FileArgs;
use super::{ConditionArgs, ConditionOption, ConditionSet, KeepArgs, OutputFormat, chosen, names, values};
use crate::failure::Failure;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::session::BoundsRequest;
use oversleep_sys::units::Nanos;
use std::ffi::OsString;

/// Conditions under which sleeps are bounded.
#[derive(Clone)]
pub(crate) struct OfBounds;

impl ConditionSet for OfBounds {
    fn options() -> Vec<ConditionOption> {
        let others = [
            ("policy", "Scheduling policy: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10"),
            ("timer_slack", "Timer slack, such as 1ns"),
            ("affinity", "Processors the threads may use, such as 0 or 0-3"),
        ];
        let loads = chosen(&[("load", "Number of busy threads during the sleeps, such as 0,4: a bound for each")]);
        loads.into_iter().map(ConditionOption::several).chain(chosen(&others)).collect()
    }
}

/// What `bounds` accepts.
#[derive(ClapArgs)]
pub(crate) struct BoundsArgs {
    /// How long the sleep is, such as 100ms
    #[arg(value_name = "TIME", value_parser = values::positive, required_unless_present = "command", allow_hyphen_values = true)]
    pub(crate) asked: Option<Nanos>,
    #[command(flatten)]
    pub(crate) input: FileArgs,
    /// Probability with which it may be later than the bound, such as 1e-4 or 0.1%
    #[arg(long, default_value = "1e-4", value_parser = risk, value_name = "RISK", allow_hyphen_values = true, conflicts_with = "command")]
    pub(crate) risk: f64,
    /// How long to measure [default: 60s; with FILE nothing is measured]
    #[arg(long, short, value_parser = values::duration_of_a_run, value_name = "TIME", conflicts_with_all = ["file", "command"], allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    /// The method, as `oversleep list` names it [default: as of `measure`]
    #[arg(long, short, value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true, conflicts_with_all = ["file", "command"])]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs<OfBounds>,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Show no progress; with a command that succeeds, print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Beside a command that succeeds: exit with status 1 if the machine itself let nothing wake for longer than this
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) most: Option<Nanos>,
    /// Run this command, and say how late the machine itself was meanwhile
    #[arg(last = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["asked", "file", "partial", "columns", "out", "force", "no_save", "json"])]
    pub(crate) command: Vec<OsString>,
}

/// How long to measure by default.
const DURATION: Nanos = Nanos::from_secs(60);

impl BoundsArgs {
    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.input.file.is_some() && (self.keep.no_save || self.keep.out.out.is_some()) {
            return Err(Failure::usage("--out and --no-save need a measurement; with FILE nothing is measured"));
        }
        if self.most.is_some() && self.command.is_empty() {
            return Err(Failure::usage("--most needs a command, as in --most 5ms -- ./benchmark"));
        }
        match self.conditions.requested.rows().next().filter(|_| !self.command.is_empty()) {
            Some((row, _)) => Err(Failure::usage(format!(
                "--{} is for a measurement; `oversleep tune` sets the conditions of a command",
                row.option
            ))),
            None => Ok(()),
        }
    }

    /// Returns what to measure for sleeps of `asked`.
    pub(crate) fn request(&self, asked: Nanos) -> Result<BoundsRequest, Failure> {
        values::check_policies(&self.conditions.requested)?;
        let duration = self.duration.unwrap_or(DURATION);
        Ok(BoundsRequest {
            asked,
            duration,
            method: self.method.clone(),
            conditions: self.conditions.requested.clone(),
        })
    }
}

/// Parses a risk: `1e-4`, `0.0001`, `0.01%`, `1/10000`.
fn risk(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a risk above 0 and below 1; write 1e-4, 0.01% or 1/10000");
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
    let risk = match (text.strip_suffix('%'), text.split_once('/')) {
        (Some(percent), _) => number(percent)? / 100.0,
        (None, Some((above, below))) => number(above)? / number(below)?,
        (None, None) => number(text)?,
    };
    if risk < LEAST_RISK && risk > 0.0 {
        return Err(format!("a risk of '{text}' is beyond what can be measured; the least is 1e-9"));
    }
    if risk > 0.0 && risk < 1.0 { Ok(risk) } else { Err(wrong()) }
}

/// Least risk: a sleep a millisecond would show it twice a month.
const LEAST_RISK: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_are_read_as_people_write_them() {
        for (text, wanted) in [("1e-4", 1e-4), ("0.0001", 1e-4), ("1%", 0.01), ("1/1000", 1e-3), (" 0.5 ", 0.5)] {
            assert_eq!(risk(text), Ok(wanted), "{text}");
        }
        for wrong in ["", "0", "1", "-1e-4", "100%", "1/0", "0/0", "NaN", "rare", "5", "1e-12"] {
            assert!(risk(wrong).is_err(), "{wrong}");
        }
    }
}
