//! `measure`: measures sleeps by the user's own plan or as an experiment.

use super::trace::TraceOptions;
use crate::args::{
    ConditionArgs, KeepArgs, LateArgs, OfMachines, OutputArgs, OverArgs, PlanArgs, WorkArgs, names, values,
};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::say::say;
use crate::show;
use clap::{ArgGroup, Args as ClapArgs};
use oversleep_lab::export::csv::Csv;
use oversleep_lab::report::wall_second::WallSecondFormat;
use oversleep_lab::report::{Screen, notes};
use oversleep_lab::session::{MeasureRequest, Results, Runner, plan};
use oversleep_os::method;
use oversleep_recording::catalog::System;
use oversleep_recording::plan::{Plan, RequestedConditions, Typed};
use oversleep_recording::{End, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;

pub(crate) fn run(args: &MeasureArgs) -> Result<(), Failure> {
    args.check()?;
    let request = args.request();
    if let Some(command) = &args.command {
        return super::probes::measure(args, command, &request);
    }
    let plan = plan(&request)?;
    refuse_foreign(&plan)?;
    names::say_stand_ins(&args.plan.method);
    say_many_busy(&request.conditions);
    if let Some(trace) = &request.trace {
        let run = Runner {
            keep: args.keep.place()?,
            time_limit: args.plan.duration,
            late: args.late.request(None),
            ..crate::running::run()?
        };
        return super::trace::traced(run, plan, trace, &args.output, false);
    }
    let output = &args.output;
    let lines = args.plan.prints_lines() && !output.json() && !output.csv;
    let mut printer = Printer::new(args.plan.as_published, args.plan.debug);
    let mut csv = Samples::new(output, &plan);
    let run = Runner {
        keep: args.keep.place()?,
        subscriber: if lines { Some(&mut printer) } else { csv.sink() },
        time_limit: args.plan.duration,
        flush_every: args.flush_every,
        late: args.late.request(args.trace.tier),
        ..crate::running::run()?
    };
    let mut results = measured(run, plan, output.quiet)?;
    if output.csv {
        csv.close(&results)?;
        show::refused(&results, &output.checks);
        return show::judge_explained(&results, &output.checks);
    }
    printer.finish()?;
    // With --as-published, only the lines are printed.
    if lines && args.plan.as_published {
        return show::judge(&results, &output.checks);
    }
    args.work.judge(None, |work| results.judge_by_work(work))?;
    args.over.count(&mut results)?;
    let shown = show::print_results(&results, output.shown, &output.checks);
    show::next(&results, output.quiet || output.json());
    shown
}

/// Says what `-l` is if it asks for more busy threads than make sense: cyclictest's is a number of sleeps.
fn say_many_busy(requested: &RequestedConditions) {
    let loads = requested.values("load").iter().filter_map(u16::from_value);
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    if let Some(most) = loads.max().filter(|most| usize::from(*most) > 8 * processors) {
        say!(
            "-l, --load: {most} busy threads on {processors} processors; cyclictest's -l, a number of sleeps, is here -n"
        );
    }
}

/// Refuses a plan in which this system has none of the methods: there would be nothing to measure and nothing to keep.
fn refuse_foreign(plan: &Plan) -> Result<(), Failure> {
    let here: Vec<_> = method::entries().map(|entry| entry.id.name()).collect();
    let Some(first) = plan.cells.first().filter(|_| !plan.cells.iter().any(|cell| here.contains(&&*cell.method)))
    else {
        return Ok(());
    };
    let systems = first.row().map_or(&[][..], |row| row.systems);
    if System::HERE.is_some_and(|here| systems.contains(&here)) {
        return Err(Failure::trouble(format!(
            "{} is not built into this version of oversleep; `oversleep list` shows the methods that are",
            first.method
        )));
    }
    let systems: Vec<_> = systems.iter().map(|system| system.name()).collect();
    // C has a function of the same name, whose method is another.
    let of_c = format!("{}(3)", first.method);
    let instead = oversleep_lab::session::method(&of_c).ok().filter(|row| row.name != first.method);
    let instead = instead.map_or_else(String::new, |row| format!("; for {of_c} measure -m {}", row.name));
    Err(Failure::trouble(format!(
        "{} is a method of {} and cannot be measured here{instead}; `oversleep list` shows the methods of this system, and \
         `oversleep simulate` has kernels of others",
        first.method,
        systems.join(", ")
    )))
}

/// Measures a plan, with a progress bar unless `quiet`.
pub(super) fn measured(run: Runner<'_>, plan: Plan, quiet: bool) -> Result<Results, Failure> {
    let mut bar = Bar::new(quiet);
    let results = run.measure(plan, &mut bar)?;
    bar.clear();
    if results.note.end == Some(End::Interrupted) && !results.note.late.is_some_and(|late| late.stopped) {
        say!("interrupted; this is what was measured until then");
    }
    Ok(results)
}

/// A sink that writes every sample as CSV to standard output; `None` without `--csv`.
pub(super) struct Samples(Option<Csv<BufWriter<io::Stdout>>>);

impl Samples {
    pub(super) fn new(output: &OutputArgs, plan: &Plan) -> Self {
        Self(output.csv.then(|| show::csv(plan)))
    }

    pub(super) fn sink(&mut self) -> Option<&mut dyn Sink> {
        self.0.as_mut().map(|csv| csv as &mut dyn Sink)
    }

    /// Finishes the CSV. Problems are reported on standard error, as standard output has only samples.
    pub(super) fn close(self, results: &Results) -> Result<(), Failure> {
        let Some(csv) = self.0 else { return Ok(()) };
        csv.finish()?;
        notes::unavailable(&results.meta, &results.note, Screen::PLAIN).lines().for_each(|line| say!("{line}"));
        Ok(())
    }
}

/// Prints the error of each sleep as it becomes known. If a line cannot be written, the run goes on without printing,
/// and [`Printer::finish`] returns the error.
pub(crate) struct Printer {
    lines: WallSecondFormat,
    refused: Option<io::Error>,
}

impl Printer {
    pub(crate) fn new(as_published: bool, debug: bool) -> Self {
        Self { lines: WallSecondFormat { as_published, debug }, refused: None }
    }

    /// Returns the error of the first line that could not be written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.refused.map_or(Ok(()), |error| Err(error.into()))
    }

    fn print(&self, batch: &[Sample]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for sample in batch {
            writeln!(out, "{}", self.lines.line(sample))?;
        }
        out.flush()
    }
}

impl Sink for Printer {
    fn samples(&mut self, batch: &[Sample]) {
        if self.refused.is_none() {
            self.refused = self.print(batch).err();
        }
    }

    fn note(&mut self, _: &Note) {}
}

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("csv or work").args(["csv", "work"])))]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) machine: ConditionArgs<OfMachines>,
    /// Have this command sleep instead, which prints a table of its sleeps (docs/RUNTIMES.md says how)
    #[arg(long, help_heading = "What to sleep", value_name = "CMD", value_parser = values::command_line, conflicts_with_all = ["method", "experiment"])]
    pub(crate) command: Option<String>,
    /// Collect and flush samples this often, up to every second: for tests of what a killed run leaves
    #[arg(long, hide = true, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) flush_every: Option<Nanos>,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) trace: TraceOptions,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl MeasureArgs {
    /// Returns the measurement that these arguments ask for.
    pub(crate) fn request(&self) -> MeasureRequest {
        let trace = self.trace.request(self.late.on_late.is_some());
        let mut request = MeasureRequest { trace, ..self.plan.request() };
        request.conditions.extend(&self.machine.requested);
        request
    }

    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.plan.check()?;
        values::check_policies(&self.plan.conditions.requested)?;
        self.work.check(self.plan.interval)?;
        self.over.refuse_beside(self.output.csv.then_some("--csv"))?;
        self.over.refuse_beside(self.trace.trace.then_some("--trace"))?;
        // What a command sleeps is known when it has slept.
        let keeps_schedule = self.plan.keeps_schedule() || self.command.is_some();
        self.output.checks.before(keeps_schedule, self.work.work)?;
        if self.trace.tier.is_some() && !self.trace.trace && self.late.on_late.is_none() {
            return Err(Failure::usage(
                "--tier needs --trace or --on-late: without them there are no tiers to choose from",
            ));
        }
        if self.plan.interval.is_some() && self.plan.experiment.is_none() && self.command.is_some() {
            // The message names --interval, which was given, rather than the experiment that --interval implies.
            return Err(Failure::usage("--command keeps no schedule; leave out --interval"));
        }
        if self.trace.trace && self.flush_every.is_some() {
            return Err(Failure::usage("--flush-every cannot be used with --trace"));
        }
        Ok(())
    }
}
