//! `measure`: a plan of the user's own, or a classic one.

mod heard;

use super::traced::Tracing;
use crate::args::{Experiment, MeasureArgs};
use crate::failure::Failure;
use crate::session::{Session, Show};
use oversleep_lab::capture::trace::Settings;
use oversleep_lab::report::herman::Lines;
use oversleep_recording::catalog::{Mode, Row};
use oversleep_recording::plan::build::{self, Blocks, Grid};
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::{Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::io::{self, Write};

/// The sleeping calls of Herman's and O'Neill's programs; portable ones where the system lacks them.
const RIZZO: [&str; 4] = ["usleep", "nanosleep", "select", "poll"];

pub(crate) fn run(args: &MeasureArgs) -> Result<(), Failure> {
    if args.trace.trace {
        return traced(args);
    }
    let plan = plan(args).map_err(Failure::usage)?;
    guard_real_time(&plan).map_err(Failure::usage)?;
    let lines = args.experiment == Some(Experiment::Herman) && !args.output.json && !args.output.csv;
    // Whoever wants the lines as they were published wants nothing else among them.
    let show = if lines && args.as_published { Show::Nothing } else { Show::Figures };
    let session = Session {
        keep: &args.keep,
        output: &args.output,
        late: &args.late,
        late_tier: &args.late_tier,
        time_limit: args.time_limit,
        flush_every: args.flush_every,
        show,
    };
    if lines {
        let mut printer = Printer::new(args.as_published, args.debug);
        session.run(plan, Some(&mut printer))?;
        return printer.finish();
    }
    session.run(plan, None)
}

/// The same with the kernel's account beside each sleep.
fn traced(args: &MeasureArgs) -> Result<(), Failure> {
    heard::traced(args).map_err(Failure::usage)?;
    let rows = args.rows(&["nanosleep"]).map_err(Failure::usage)?;
    let requests =
        if args.request.is_empty() { vec![Pattern::fixed(Nanos::MILLISECOND)] } else { args.request.clone() };
    let blocks = Blocks {
        sleeps: args.repeats.unwrap_or(1_000),
        block: args.trace.evidence.block(),
        traced_first: args.late.on_late.is_some(),
    };
    let grid = Grid { rows: &rows, requests: &requests, conditions: &args.all_conditions() };
    let plan = build::traced(&grid, blocks, args.seed);
    guard_real_time(&plan).map_err(Failure::usage)?;
    let settings = Settings { time_limit: args.time_limit, ..args.trace.evidence.settings() };
    let output = &args.output;
    Tracing {
        late: &args.late,
        keep: &args.keep,
        beside: None,
        csv: output.csv,
        json: output.json,
        every: false,
        look: output.look(),
        fail_if: &output.fail_if,
    }
    .run(plan, &settings)
}

pub(crate) fn plan(args: &MeasureArgs) -> Result<Plan, String> {
    heard::all(args)?;
    let conditions = args.conditions();
    let one = |default: &str| -> Result<&'static Row, String> {
        match args.rows(&[default])?[..] {
            [row] => Ok(row),
            _ => Err("this experiment takes one method".to_owned()),
        }
    };
    Ok(match args.experiment {
        None => {
            let rows = args.rows(&["nanosleep"])?;
            let requests =
                if args.request.is_empty() { vec![Pattern::fixed(Nanos::MILLISECOND)] } else { args.request.clone() };
            let grid = Grid { rows: &rows, requests: &requests, conditions: &args.all_conditions() };
            build::measure(&grid, args.repeats.unwrap_or(1_000), args.seed)
        }
        Some(Experiment::Herman) => build::herman(one("usleep")?, args.repeats.unwrap_or(200), &conditions, args.seed),
        Some(Experiment::Rizzo) => {
            let (from, to) = (args.from.unwrap_or(Nanos::MICROSECOND), args.to.unwrap_or(Nanos::from_secs(10)));
            let fixed = |pattern: &Pattern| pattern.requested().ok_or("a sweep takes single requests, not ranges");
            let requests = match args.request.as_slice() {
                [] => build::rizzo_requests(from, to),
                some => some.iter().map(fixed).collect::<Result<_, _>>()?,
            };
            if requests.is_empty() {
                return Err(format!("between {from} and {to} there is nothing to sweep"));
            }
            build::rizzo(&args.rows(&RIZZO)?, &requests, args.repeats.unwrap_or(20), &conditions, args.seed)
        }
        Some(Experiment::Oneill) => {
            let loads = if args.load.is_empty() { vec![0, 1, 2, 3, 4, 5] } else { args.load.clone() };
            build::oneill(one("nanosleep")?, args.repeats.unwrap_or(50), &loads, args.kind(), &conditions, args.seed)
        }
        Some(Experiment::Periodic) => {
            let row = one("clock-nanosleep-abs")?;
            if row.mode == Mode::Yield {
                return Err(format!("{} takes no time, so it can keep no schedule", row.name));
            }
            let period = args.period.unwrap_or(Nanos::MILLISECOND);
            let ten_seconds = (Nanos::from_secs(10).get() / period.get()).max(1).unsigned_abs();
            let count = args.repeats.unwrap_or(ten_seconds);
            let length = i64::try_from(count).ok().and_then(|count| period.checked_mul(count));
            if length.is_none() {
                return Err(format!("{count} periods of {period} last longer than 292 years"));
            }
            build::periodic(row, period, count, &conditions, args.seed)
        }
    })
}

/// A real-time thread that never sleeps would keep everything else off its processor for as long as it runs.
fn guard_real_time(plan: &Plan) -> Result<(), String> {
    let spins = |row: &Row| row.mode == Mode::Yield || row.name == "spin";
    let real_time = |cell: &&oversleep_recording::plan::Cell| cell.conditions.is_real_time();
    match plan.cells.iter().filter(real_time).find(|cell| cell.row().is_some_and(spins)) {
        Some(cell) => Err(format!(
            "{} never gives its processor up: under a real-time policy it would starve the machine; leave it out or the policy",
            cell.method
        )),
        None => Ok(()),
    }
}

/// Prints each error as it becomes known. A line that cannot be written is not worth ending a run for; its end says so.
pub(crate) struct Printer {
    lines: Lines,
    refused: Option<io::Error>,
}

impl Printer {
    pub(crate) fn new(as_published: bool, debug: bool) -> Self {
        Self { lines: Lines { as_published, debug }, refused: None }
    }

    /// Whether every line was written.
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
