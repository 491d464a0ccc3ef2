//! `bounds`: says how late a sleep can be, or how late the machine itself was during a command.

use super::every::refused;
use crate::args::{
    ConditionArgs, ConditionOption, ConditionSet, FileArgs, KeepArgs, OutputFormat, chosen, names, values,
};
use crate::failure::Failure;
use crate::input::read_into;
use crate::say::{notice, say};
use crate::{interrupt, running, show};
use clap::{Args as ClapArgs, ValueHint};
use oversleep::Control;
use oversleep_lab::report::{self, headline::Headline};
use oversleep_lab::session::{BoundsRequest, FiguresOnly, GatherLateness, Results, Runner, plan_bounds};
use oversleep_os::command;
use oversleep_sys::units::Nanos;
use std::ffi::OsString;
use std::process::Command;

pub(crate) fn run(args: &BoundsArgs) -> Result<(), Failure> {
    args.check()?;
    let Some(asked) = args.asked else { return run_command(args) };
    let (results, gathered) = if args.input.file.is_some() { read(args)? } else { measure(args, asked)? };
    let bounds = results.bounds(gathered, asked, args.risk);
    if bounds.measured.cells.is_empty() {
        return Err(Failure::trouble(format!("there are no sleeps to bound: {}", show::reason(&results))));
    }
    if args.shown.json {
        let headline = Headline::without_advice(report::bounds::verdict(&bounds));
        show::json(&mut std::io::stdout().lock(), &headline.with_document(&bounds))?;
    } else {
        show::print(Err(report::bounds::text(&bounds, args.shown.screen())))?;
    }
    match bounds.measured.cells.iter().find(|cell| cell.bound.late.is_none()) {
        Some(cell) => Err(Failure::trouble(format!(
            "{} sleeps are too few for a risk of {}: measure longer ({}), or take a larger risk",
            cell.bound.n,
            args.risk,
            report::bounds::about(cell.bound.carried_after)
        ))),
        None => Ok(()),
    }
}

/// Reads the sleeps of a recording.
fn read(args: &BoundsArgs) -> Result<(Results, GatherLateness), Failure> {
    let mut sinks = None;
    read_into(&args.input.input(), None, |meta| sinks.insert((FiguresOnly::new(meta), GatherLateness::default())))?;
    let (figures, gathered) = sinks.ok_or_else(|| Failure::trouble("the recording has no header"))?;
    Ok((figures.finish(), gathered))
}

/// Measures sleeps.
fn measure(args: &BoundsArgs, asked: Nanos) -> Result<(Results, GatherLateness), Failure> {
    let request = args.request(asked)?;
    let plan = plan_bounds(&request)?;
    let mut gathered = GatherLateness::default();
    // The last sleeps of a long request may end after the time.
    let time_limit = Some(request.duration.saturating_add(request.duration.min(asked)));
    let run = Runner { keep: args.keep.place()?, subscriber: Some(&mut gathered), time_limit, ..running::run()? };
    notice(&format!("measuring for about {:#}", request.duration));
    let results = super::measure::measured(run, plan, args.quiet)?;
    Ok((results, gathered))
}

/// Runs a command and a control at the same time; ends with the command's exit status.
fn run_command(args: &BoundsArgs) -> Result<(), Failure> {
    let Some((program, arguments)) = args.command.split_first() else { return Ok(()) };
    // Ctrl-C reaches the command too; what the control saw is said when that has ended.
    interrupt::on_first(|| {})?;
    let mut control =
        Control::start().map_err(|error| Failure::trouble(format!("cannot start the control: {error}")))?;
    let started = oversleep::now();
    let status = Command::new(program).args(arguments).status();
    let took = oversleep::now().saturating_since(started);
    control.stop();
    let (stood_still, worst) = (control.stood_still(), Nanos::from(control.worst()));
    let status = status.map_err(|error| Failure::trouble(refused(&args.command, &error)))?;
    // How late a wake-up was, as `stood_still` says it: until it was due, nothing would have woken anyway.
    let late = worst.saturating_sub(PERIOD);
    let over = args.most.is_some_and(|most| late > most);
    let load = if late > PERIOD { own_load(took, control.processors().count().max(1)) } else { None };
    if !args.quiet || !status.success() || over {
        let seen = beside(&stood_still, load.as_ref());
        say!("{seen}; meanwhile sleeps may have been up to {worst} late for that reason");
    }
    match command::exit_code(status) {
        0 if over && load.is_some_and(|load| load.share >= BUSY) => Err(Failure::trouble(
            "--most cannot be decided: the command kept the processors busy itself; give it fewer threads",
        )),
        0 if over => {
            say!("check failed: stood still for {late} > {:#}", args.most.unwrap_or_default());
            Err(Failure::Check)
        }
        0 => Ok(()),
        code => Err(Failure::Command(code)),
    }
}

/// Share of the processors from which on a command's own threads are the likeliest to have kept others waiting.
const BUSY: f64 = 0.5;

/// The share of the processors' time that a command used itself, and in words.
struct OwnLoad {
    share: f64,
    words: String,
}

/// Returns how much of the time of this number of processors the command that took this long used itself.
fn own_load(took: Nanos, processors: usize) -> Option<OwnLoad> {
    let used = command::time_of_children()?;
    let share = (used.as_f64() / took.as_f64().max(1.0) / processors as f64).min(1.0);
    let s = if processors == 1 { "" } else { "s" };
    Some(OwnLoad { share, words: format!("{:.0} % of the time of {processors} processor{s}", 100.0 * share) })
}

/// Returns what the control saw. It waits as well for the command's own threads as for anything else: the likeliest, where these are busy.
fn beside(stood_still: &str, load: Option<&OwnLoad>) -> String {
    match (load, stood_still.strip_prefix("the machine stood still for ")) {
        (Some(OwnLoad { share, words }), Some(how_long)) if *share >= BUSY => format!(
            "threads beside the command did not run for {how_long}, most likely because its own used {words} (fewer of them, or a \
             real-time policy for what is timed, as of `oversleep tune -p 1`, would change that)"
        ),
        (Some(OwnLoad { words, .. }), _) => {
            format!("{stood_still}, while the command used {words}, without what it left running")
        }
        (None, _) => stood_still.to_owned(),
    }
}

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
    /// Exit with status 1 if the machine itself stood still for longer than this (1ms or more) beside a command that succeeds
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) most: Option<Nanos>,
    /// Run this command, and say how late the machine itself was meanwhile
    #[arg(last = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments, conflicts_with_all = ["asked", "file", "partial", "columns", "out", "force", "no_save"])]
    pub(crate) command: Vec<OsString>,
}

/// How long the threads beside a command sleep each time.
#[allow(clippy::cast_possible_truncation)] // it is a millisecond
const PERIOD: Nanos = Nanos::from_millis(Control::PERIOD.as_millis() as i64);

/// How long to measure by default.
const DURATION: Nanos = Nanos::from_secs(60);

impl BoundsArgs {
    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.input.file.is_some() && (self.keep.no_save || self.keep.out.out.is_some()) {
            return Err(Failure::usage("--out and --no-save need a measurement; with FILE nothing is measured"));
        }
        if self.most.is_some() && self.command.is_empty() {
            return Err(Failure::usage(
                "--most needs a command, as in --most 5ms -- ./benchmark; how many sleeps are later than a limit, with the share of all \
                 sleeps that may be: oversleep measure -r 100ms --over 10ms",
            ));
        }
        if self.shown.json && !self.command.is_empty() {
            return Err(Failure::usage(
                "with a command, standard output is the command's: what was seen beside it is a line on standard error, and --most TIME \
                 decides by the exit status; leave out --json",
            ));
        }
        if self.most.is_some_and(|most| most < PERIOD) {
            return Err(Failure::usage(format!(
                "--most must be {PERIOD:#} or more: the threads beside the command wake once in that time, and show no shorter stop"
            )));
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
    fn a_busy_command_is_not_mistaken_for_the_machine() {
        let stood_still = "the machine stood still for 7.83 ms (processor 0, 2 ms after the control's start)";
        let load = |share: f64| OwnLoad { share, words: format!("{share}") };
        let busy = beside(stood_still, Some(&load(0.99)));
        assert!(busy.starts_with("threads beside the command did not run for 7.83 ms (processor 0"), "{busy}");
        assert!(busy.contains("most likely because its own used 0.99"), "{busy}");
        let idle = beside(stood_still, Some(&load(0.01)));
        assert_eq!(idle, format!("{stood_still}, while the command used 0.01, without what it left running"));
        assert_eq!(beside("it was not the machine: …", Some(&load(0.99))).matches("machine").count(), 1);
        assert_eq!(beside(stood_still, None), stood_still);
    }

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
