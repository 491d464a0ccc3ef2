//! `diagnose`: changes one thing at a time and says what each was worth.

use crate::args::{DiagnoseArgs, values};
use crate::failure::Failure;
use crate::files::Kept;
use crate::progress::Bar;
use crate::say::say;
use crate::session::{describe, on_signals};
use crate::show;
use oversleep_lab::analysis::patterns::diagnose;
use oversleep_lab::analysis::{CellSummary, Summariser, corroboration};
use oversleep_lab::capture::sleeps::{self, Settings, Stop, probe};
use oversleep_lab::capture::trace as traced;
use oversleep_lab::report;
use oversleep_os::method;
use oversleep_os::settings::{affinity, timer_slack};
use oversleep_recording::plan::build::Blocks;
use oversleep_recording::plan::intervene::{Change, Here, cells, comparable};
use oversleep_recording::plan::{Cell, Pattern, Plan, Policy, build};
use oversleep_recording::{End, Note, Recording, Sink, Unobtained};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::io::{self, Write};

/// What it takes if nothing is said.
const USUAL: Nanos = Nanos::from_secs(25);

pub(crate) fn run(args: &DiagnoseArgs) -> Result<(), Failure> {
    let stop = on_signals()?;
    let (plan, refused, time) = plan(args)?;
    let mut meta = describe(with_trace(args, plan));
    let plan = meta.plan.untraced();
    meta.unavailable = refused;
    announce(args, &plan);
    let mut sink = show::All {
        kept: Kept::create(&args.keep, &meta)?,
        summary: Summariser::new(&meta),
        csv: args.output.csv.then(|| show::csv(&meta)),
        recording: Some(Recording::new(meta.clone())),
        lines: None,
        late: None,
    };
    // Where sleeps take much longer than they ask for, there are fewer blocks, not longer runs.
    let settings = Settings { stop: stop.clone(), time_limit: Some(time), flush_every: None };
    if args.trace {
        trace(&meta.plan, &stop, &mut sink);
    }
    let mut bar = Bar::new(args.output.quiet);
    let end = sleeps::run(&plan, &settings, &mut sink, &mut bar)
        .map_err(|error| Failure::trouble(format!("cannot start a thread to sleep in: {error}")))?;
    bar.clear();
    if end == End::Interrupted {
        say!("interrupted; this is what was measured until then");
    } else if end == End::TimeOver {
        say!("the time was over before all blocks were slept: sleeps lasted longer than they should");
    }
    let show::All { kept, summary, csv, recording, .. } = sink;
    kept.finish();
    let cells = summary.finish();
    if let Some(csv) = csv {
        csv.finish()?;
        return show::verdict(&cells, &args.output);
    }
    if let Some(recording) = recording {
        results(&recording, &cells, args)?;
    }
    show::verdict(&cells, &args.output)
}

/// The base and every variant that can be had here; and what cannot, with the reason.
fn plan(args: &DiagnoseArgs) -> Result<(Plan, Vec<Unobtained>, Nanos), Failure> {
    let row = values::method(&args.method).map_err(Failure::usage)?;
    if !comparable(row.id) {
        return Err(Failure::usage(format!(
            "{} is not one sleep per call, so it has no variants to compare with",
            row.name
        )));
    }
    let grid =
        build::Grid { rows: &[row], requests: &[Pattern::fixed(args.request)], conditions: &[args.conditions()] };
    let base = build::measure(&grid, 1, args.seed).cells.remove(0);
    probe(&base).map_err(|refusal| Failure::trouble(format!("{}: {refusal}", row.name)))?;
    let here = Here {
        cpu: affinity::read().ok().and_then(|cpus| cpus.first().copied()),
        methods: method::entries().map(|entry| entry.id.name().to_owned()).collect(),
        slack: timer_slack::read().ok(),
    };
    let (cells, refused) = allowed(cells(&base, &here));
    let least = build::diagnose_takes(&cells);
    let time = match args.seconds {
        Some(time) if time < least => {
            let seconds = least.get() / 1_000_000_000 + 1;
            let variants = cells.len() - 1;
            return Err(Failure::usage(format!(
                "{variants} variants need {} blocks, which take about {seconds} s; use --seconds {seconds} or a shorter --request",
                build::FEWEST_BLOCKS
            )));
        }
        Some(time) => time,
        None => USUAL.max(least),
    };
    // Twice what they should take is time enough for twelve blocks of any sleeps but the latest.
    let limit = time
        .max(least.checked_mul(2).unwrap_or(Nanos::MAX))
        .checked_mul(5)
        .map_or(Nanos::MAX, |limit| Nanos::new(limit.get() / 4));
    // A short run may end late rather than without an answer.
    let limit = limit.max(Nanos::from_secs(12));
    Ok((build::diagnose(cells, time, args.seed), refused, limit))
}

/// Tries every variant out, so that no time is spent on what would not be obtained.
fn allowed(all: Vec<Cell>) -> (Vec<Cell>, Vec<Unobtained>) {
    let (mut cells, mut no) = (Vec::new(), Vec::new());
    let base = all.first().cloned();
    for cell in all {
        match probe(&cell) {
            Ok(()) => cells.push(Cell { id: u32::try_from(cells.len()).unwrap_or(u32::MAX), ..cell }),
            Err(refusal) => {
                let changes = base.as_ref().map_or_else(Vec::new, |base| Change::between(base, &cell));
                // What failed for one change is not told again of cells that combine it with others.
                let known = no.iter().any(|known: &Unobtained| known.why == refusal.reason());
                if changes.len() == 1 || !known {
                    no.push(refused(&words(&changes), &refusal));
                }
            }
        }
    }
    (cells, no)
}

fn words(changes: &[Change]) -> String {
    changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn announce(args: &DiagnoseArgs, plan: &Plan) {
    if args.output.quiet {
        return;
    }
    let blocks = plan.turns.len() / plan.cells.len().max(1);
    let sleeps = plan.turns.first().map_or(0, |turn| turn.sleeps);
    if args.trace {
        say!("tracing {} cells first: {TRACED} sleeps of each traced, as many not", traceable(plan).count());
    }
    say!(
        "{} of {}: {} variants and the base, {blocks} blocks of {sleeps} sleeps each in random order",
        args.method,
        args.request,
        plan.cells.len() - 1
    );
}

/// Cells of which the trace is to speak: the base, its slack varied, and real time.
fn traceable(plan: &Plan) -> impl Iterator<Item = &Cell> {
    let base = &plan.cells[0];
    plan.cells.iter().filter(|cell| match Change::between(base, cell)[..] {
        [] | [Change::Slack { .. }] => true,
        [Change::Policy { policy: Some(policy) }] => matches!(policy, Policy::Fifo { .. }),
        _ => false,
    })
}

/// Sleeps that are traced of each such cell; as many are not, in turns. 400 carry a 99th percentile if three of four
/// are whole.
const TRACED: u64 = 400;

/// The plan with traced sleeps before it, so that no interval of its samples has tracing in it.
fn with_trace(args: &DiagnoseArgs, plan: Plan) -> Plan {
    let traced_too = args.trace && traced::refusal(&plan.cells[0]).is_none();
    let which: Vec<u32> = traceable(&plan).filter(|_| traced_too).map(|cell| cell.id).collect();
    build::with_traced(plan, &which, Blocks { sleeps: TRACED, block: build::TRACED_BLOCK, traced_first: false })
}

/// Sleeps in the traced cells, and notes what could not be had.
fn trace(plan: &Plan, stop: &Stop, sink: &mut show::All<'_>) {
    let unavailable = if let Some(why) = traced::refusal(&plan.cells[0]) {
        vec![refused("trace", &why)]
    } else {
        let settings = traced::Settings { stop: stop.clone(), ..traced::Settings::default() };
        traced::pairs(plan, &settings, sink);
        let first = sink.summary.notes().tracing.first();
        let tiers = first.map_or(&[][..], |tracing| &tracing.refused).iter();
        tiers.map(|tier| refused(&format!("trace by {}", tier.tier.name()), &tier.why)).collect()
    };
    sink.note(&Note { unavailable, ..Note::default() });
}

fn refused(what: &str, refusal: &Refusal) -> Unobtained {
    Unobtained { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
}

fn results(recording: &Recording, cells: &[CellSummary], args: &DiagnoseArgs) -> Result<(), Failure> {
    let look = args.output.look();
    let (meta, note) = (&recording.meta, &recording.note);
    let mut diagnosis = diagnose(recording);
    let stand = corroboration::stand(recording, &mut diagnosis);
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let mut document = report::findings::document(meta, note, cells, &diagnosis);
        report::witnesses::enter(&mut document, &meta.plan, &stand);
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        if stand.interventions.is_none() {
            writeln!(out, "not enough to tell: fewer than {} blocks were slept", build::FEWEST_BLOCKS)?;
        }
        write!(out, "{}", report::witnesses::show(&meta.plan, &meta.machine.system, &stand, &diagnosis, look))?;
        let notes = report::notes::unavailable(meta, note, look);
        let between = if notes.is_empty() { "" } else { "\n" };
        write!(out, "{between}{notes}{}", report::interventions::privileges(meta, note, look))?;
    }
    out.flush()?;
    Ok(())
}
