//! `measure --command`: another program sleeps, and prints when each sleep began and ended.

use super::measure::MeasureArgs;
use super::measure::Samples;
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::say::say;
use crate::{running, show};
use indicatif::ProgressBar;
use oversleep_lab::capture::runtimes::{self, Launch, ProbeRunProgress};
use oversleep_lab::session::{ExtraSleeps, MeasureRequest, Results, Runner};
use oversleep_os::settings;
use oversleep_recording::End;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Condition, Conditions, Policy, RequestedConditions, Value};
use oversleep_recording::runtimes::Api;
use oversleep_sys::units::Nanos;
use std::path::Path;

/// Sleeps of each request by default.
const COUNT: u64 = 1_000;

pub(super) fn measure(args: &MeasureArgs, line: &str, request: &MeasureRequest) -> Result<(), Failure> {
    refuse(request)?;
    if args.trace.tier.is_some() || args.trace.marks_only || args.trace.block.is_some() {
        return Err(Failure::usage("--tier, --marks-only and --block do not reach another program; leave them out"));
    }
    let conditions = conditions(&request.conditions)?;
    let requests = requests(request)?;
    let sleeps = request.repeats.unwrap_or(COUNT);
    let name = name(line);
    let plan = runtimes::command(&name, &requests, sleeps, &conditions).map_err(Failure::usage)?;
    let launch = command(line, name, &requests, sleeps);
    let mut csv = Samples::new(&args.output, &plan);
    let bar = new_bar(args.output.quiet, 20);
    let run = Runner {
        keep: args.keep.place()?,
        subscriber: csv.sink(),
        time_limit: args.plan.duration,
        late: args.late.request(args.trace.tier),
        ..running::run()?
    };
    let extra = ExtraSleeps { warm_up: 0, traced: traced(args.trace.trace) };
    let mut results = run.runtimes(plan, &[launch], extra, &mut |progress| draw(&bar, progress))?;
    bar.finish_and_clear();
    if results.note.end == Some(End::Interrupted) {
        say!("interrupted; this is what was measured until then");
    }
    if args.output.csv {
        csv.close(&results)?;
        show::judge_explained(&results, &args.output.checks)?;
        return complete(&results, |_| "the lines above say why");
    }
    if !args.output.json() && results.cells.iter().all(|cell| cell.raw.n == 0) {
        // A table without figures would say nothing beside the reason.
        complete(&results, |why| why)?;
    }
    args.over.count(&mut results)?;
    let shown = show::print_results(&results, args.output.shown, &args.output.checks);
    show::next(&results, args.output.quiet || args.output.json());
    shown?;
    complete(&results, |why| why)
}

/// Returns how many sleeps of each request are traced.
pub(super) fn traced(wanted: bool) -> u64 {
    if wanted { ExtraSleeps::TRACED } else { 0 }
}

/// Returns an error if the command did not sleep all that it was asked for while the run lasted; `said` makes its reason of the
/// probe's.
fn complete(results: &Results, reason: fn(&str) -> &str) -> Result<(), Failure> {
    match results.note.probes.iter().find_map(|probe| probe.failed.as_deref()) {
        Some(why) => Err(Failure::trouble(format!("the command did not sleep all that was asked: {}", reason(why)))),
        None => Ok(()),
    }
}

/// Returns how to start the command, with the requests (ns, separated by commas) and count for its environment.
pub(super) fn command(line: &str, method: String, requests: &[Nanos], sleeps: u64) -> Launch {
    let asked: Vec<String> = requests.iter().map(|request| request.get().to_string()).collect();
    Launch::Command { method, line: line.to_owned(), asked: (asked.join(","), sleeps) }
}

/// Returns the program's name without folder and arguments; `command-` precedes it if a method or an API has that name.
pub(super) fn name(line: &str) -> String {
    let first = |line: &str| {
        let program = line.split_whitespace().next().unwrap_or("command").trim_matches(['\'', '"']);
        let name = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| program.to_owned())
    };
    let name = match (first(line), line.split_once(" -- ")) {
        // `oversleep tune -- PROGRAM` runs another one.
        (program, Some((_, run))) if program == env!("CARGO_BIN_NAME") => first(run),
        (name, _) => name,
    };
    let taken = MethodId::from_name(&name).is_some() || Api::from_name(&name).is_some();
    if taken { format!("command-{name}") } else { name }
}

fn requests(request: &MeasureRequest) -> Result<Vec<Nanos>, Failure> {
    let single = |pattern: &oversleep_recording::plan::Pattern| {
        pattern.requested().ok_or_else(|| Failure::usage("--command takes single requests, not ranges"))
    };
    let requests: Vec<Nanos> = request.requests.iter().map(single).collect::<Result<_, _>>()?;
    Ok(if requests.is_empty() { vec![Nanos::MILLISECOND] } else { requests })
}

/// Refuses options that have no effect on another program.
fn refuse(request: &MeasureRequest) -> Result<(), Failure> {
    let usual = |row: &Condition, values: &[Value]| {
        !row.usual.is_empty() && values.iter().all(|value| value.option().as_deref() == Some(row.usual))
    };
    let condition = request.conditions.rows().find(|(row, values)| !row.inherited && !usual(row, values));
    let option = condition.map(|(row, _)| row.option).or(request.period.map(|_| "interval"));
    option.map_or(Ok(()), |option| {
        Err(Failure::usage(format!("--{option} does not reach another program; leave it out with --command")))
    })
}

/// Returns the conditions that the program inherits: at most one value of each.
pub(super) fn conditions(requested: &RequestedConditions) -> Result<Conditions, Failure> {
    if requested.rows().any(|(_, values)| values.len() > 1) {
        return Err(Failure::usage("other programs are measured under one policy, slack and load at a time"));
    }
    if let Some((option, needed)) = requested.lacking() {
        return Err(Failure::usage(format!(
            "--{option} means nothing without --{needed}; give that too, or leave it out"
        )));
    }
    let conditions = requested.first();
    let policy = conditions.policy;
    if policy.is_some_and(Policy::is_real_time) {
        return Err(Failure::usage(
            "a real-time policy is not given to another program: one that does not sleep would stop the machine",
        ));
    }
    if let (None, Some(inherited)) = (policy, settings::policy::read().ok().filter(|policy| policy.is_real_time())) {
        return Err(Failure::usage(format!(
            "oversleep was started under the policy {inherited}, which another program would inherit: one that does not sleep would stop the machine; add --policy other"
        )));
    }
    Ok(Conditions { phase: None, ..conditions })
}

/// Draws the bar. It is called between turns, never while something sleeps.
pub(super) fn draw(bar: &ProgressBar, progress: ProbeRunProgress<'_>) {
    bar.set_length(progress.turns_planned as u64);
    bar.set_position(progress.turns_done as u64);
    bar.set_message(message(progress));
}

/// Returns the text next to the bar, short enough for a terminal of 80 columns.
fn message(progress: ProbeRunProgress<'_>) -> String {
    // Lateness and starts of programs come on top, and nobody knows them before.
    format!("{}, at least {} left", progress.next, progress.left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::runtimes::APIS;

    #[test]
    fn a_program_that_tune_runs_has_its_own_name() {
        assert_eq!(name("oversleep tune --slack 1ns -- ./game --fast"), "game");
        assert_eq!(name("'./my game' -- x"), "my");
    }

    #[test]
    fn the_bar_of_every_api_fits_in_80_columns() {
        for api in APIS {
            let (left, elapsed) = (Nanos::from_millis(123_400), Nanos::SECOND);
            let progress = |next| ProbeRunProgress { turns_done: 3, turns_planned: 9, next, left, elapsed };
            let width = 20 + 1 + message(progress(api.name)).chars().count();
            assert!(width <= 80, "{}: {width}", api.name);
        }
    }
}
