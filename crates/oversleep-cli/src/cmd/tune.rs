//! `tune`: runs a command with the remedies that need no root.

use super::every::refused;
use crate::args::values::{self, Cpus};
use crate::failure::Failure;
use crate::say::notice;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_os::command;
use oversleep_os::settings::{affinity, latency_hold, policy, timer_slack};
use oversleep_recording::cpus::list_text;
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::ffi::OsString;
use std::process::Command;

pub(crate) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let Some((program, arguments)) = args.command.split_first() else { return Ok(()) };
    if matches!(args.policy, Some(Policy::Deadline { .. })) {
        return Err(Failure::usage(
            "under SCHED_DEADLINE a command cannot start others (sched(7)); give it a policy such as fifo:80",
        ));
    }
    for line in apply(args) {
        notice(&line);
    }
    // The settings belong to this thread, which becomes the command: they last as long as it and its children.
    let error = command::replace_this_process(Command::new(program).args(arguments));
    Err(Failure::trouble(refused(&args.command, &error)))
}

/// Applies every setting that can be had and returns a line on each. The policy comes last: under some policies nothing
/// else may be changed.
fn apply(args: &TuneArgs) -> Vec<String> {
    let mut lines = Vec::new();
    let slack = |before: Option<Nanos>| before.map_or_else(|| "not known".to_owned(), |slack| slack.to_string());
    let before = timer_slack::read().ok();
    let set = timer_slack::apply(args.slack).map(|guard| guard.keep().to_string());
    lines.push(report("timer slack", &slack(before), set));
    if let Some(Cpus(cpus)) = &args.cpus {
        let before = affinity::read().map_or_else(|_| "not known".to_owned(), |cpus| list_text(&cpus));
        lines.push(report("processors", &before, affinity::apply(cpus).map(|guard| list_text(&guard.keep()))));
    }
    if !args.no_latency_hold {
        lines.push(hold_latency(args.latency_hold));
    }
    if let Some(asked) = args.policy {
        let before = policy::read().map_or_else(|_| "not known".to_owned(), |policy| policy.to_string());
        lines.push(report("policy", &before, policy::enter(asked).map(|policy| policy.to_string())));
    }
    lines
}

/// Holds the wake-up latency; returns a line on it. What is in force is the least that any program holds.
fn hold_latency(asked: Nanos) -> String {
    match latency_hold::keep_for_command(asked) {
        Ok(held) if held < asked => format!("wake-up latency held: {asked} (another program holds it at {held})"),
        Ok(held) => format!("wake-up latency held: {held}"),
        Err(refusal) => format!("wake-up latency held: unchanged, {refusal}"),
    }
}

fn report(what: &str, before: &str, now: Result<String, Refusal>) -> String {
    match now {
        Ok(now) => format!("{what}: {now} (was {before})"),
        Err(refusal) => format!("{what}: unchanged, {refusal}"),
    }
}

/// What `tune` accepts.
#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// Timer slack of the command
    #[arg(long, value_parser = values::positive, value_name = "TIME", default_value = "1ns", allow_hyphen_values = true)]
    pub(crate) slack: Nanos,
    /// Processors the command may use, such as 0 or 0-3
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<Cpus>,
    /// Scheduling policy of the command: a number (FIFO with that priority), other, batch, fifo:80, rr:10
    #[arg(long, short, value_name = "POLICY", value_parser = values::policy_here)]
    pub(crate) policy: Option<Policy>,
    /// Hold the processors' wake-up latency at or below this while the command runs
    #[arg(long, value_parser = values::request, value_name = "TIME", default_value = "0s", allow_hyphen_values = true)]
    pub(crate) latency_hold: Nanos,
    /// Leave the processors' wake-up latency as it is
    #[arg(long, conflicts_with = "latency_hold")]
    pub(crate) no_latency_hold: bool,
    /// Do not print what was changed
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}
