//! `bounds`: says how late a sleep can be, or how late the machine itself was during a command.

use super::every::refused;
use crate::args::BoundsArgs;
use crate::failure::Failure;
use crate::input::read_into;
use crate::say::say;
use crate::{interrupt, running, show};
use oversleep::{Control, Nanos};
use oversleep_lab::report;
use oversleep_lab::session::{FiguresOnly, GatherLateness, Results, Runner, plan_bounds};
use oversleep_os::command;
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
        show::json(&mut std::io::stdout().lock(), &bounds)?;
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
    if !args.quiet {
        say!("measuring for about {:#}", request.duration);
    }
    let results = super::measure::measured(run, plan, args.quiet)?;
    Ok((results, gathered))
}

/// Runs a command and a control at the same time; ends with the command's exit status.
fn run_command(args: &BoundsArgs) -> Result<(), Failure> {
    let Some((program, arguments)) = args.command.split_first() else { return Ok(()) };
    // Ctrl-C reaches the command too; what the control saw is said when that has ended.
    interrupt::on_first(|| {})?;
    let control = Control::start().map_err(|error| Failure::trouble(format!("cannot start the control: {error}")))?;
    let status = Command::new(program).args(arguments).status();
    let (stood_still, worst) = (control.stood_still(), Nanos::from(control.worst()));
    drop(control);
    let status = status.map_err(|error| Failure::trouble(refused(&args.command, &error)))?;
    let over = args.most.is_some_and(|most| worst > most);
    if !args.quiet || !status.success() || over {
        say!("{stood_still}; meanwhile sleeps may have been up to {worst} late for that reason");
    }
    match command::exit_code(status) {
        0 if over => {
            say!("check failed: the machine itself {worst} > {:#}", args.most.unwrap_or_default());
            Err(Failure::Check)
        }
        0 => Ok(()),
        code => Err(Failure::Command(code)),
    }
}
