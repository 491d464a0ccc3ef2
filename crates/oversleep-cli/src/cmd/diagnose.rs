//! `diagnose`: changes one thing at a time and says what each was worth.

use crate::args::{DiagnoseArgs, values};
use crate::failure::Failure;
use crate::files::Kept;
use crate::progress::Bar;
use crate::say::say;
use crate::session::{describe, on_signals};
use crate::show;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::diagnose::diagnose;
use oversleep_lab::analysis::intervene::intervene;
use oversleep_lab::plan::intervene::{Change, Here, cells, comparable};
use oversleep_lab::plan::{Cell, Conditions, Pattern, Plan, build};
use oversleep_lab::recording::{End, Recording, Unobtained};
use oversleep_lab::report;
use oversleep_lab::source::live::{self, Settings, probe};
use oversleep_os::knob::affinity;
use oversleep_os::method;
use oversleep_os::units::Nanos;
use std::io::{self, Write};

/// What it takes if nothing is said.
const USUAL: Nanos = Nanos::from_secs(25);

pub(crate) fn run(args: &DiagnoseArgs) -> Result<(), Failure> {
    let stop = on_signals()?;
    let (plan, refused) = plan(args)?;
    let mut meta = describe(plan);
    meta.unavailable = refused;
    announce(args, &meta.plan);
    let mut sink = show::All {
        kept: Kept::create(&args.keep, &meta),
        summary: Summariser::new(&meta),
        csv: args.output.csv.then(|| show::csv(&meta)),
        recording: Some(Recording::new(meta.clone())),
        lines: None,
    };
    let settings = Settings { stop, ..Settings::default() };
    let mut bar = Bar::new(args.output.quiet);
    let end = live::run(&meta.plan, &settings, &mut sink, &mut bar)
        .map_err(|error| Failure::trouble(format!("cannot start a thread to sleep in: {error}")))?;
    bar.clear();
    if end == End::Interrupted {
        say!("interrupted; this is what was measured until then");
    }
    let show::All { kept, summary, csv, recording, .. } = sink;
    kept.finish();
    let cells = summary.finish();
    if let Some(csv) = csv {
        csv.finish()?;
        return show::verdict(&cells, &args.output);
    }
    if let Some(recording) = recording {
        results(&recording, args)?;
    }
    show::verdict(&cells, &args.output)
}

/// The base and every variant that can be had here; and what cannot, with the reason.
fn plan(args: &DiagnoseArgs) -> Result<(Plan, Vec<Unobtained>), Failure> {
    let row = values::method(&args.method).map_err(Failure::usage)?;
    if !comparable(row.id) {
        return Err(Failure::usage(format!(
            "{} is not one sleep per call, so it has no variants to compare with",
            row.name
        )));
    }
    let grid = build::Grid {
        rows: &[row],
        requests: &[Pattern::fixed(args.request)],
        conditions: &[Conditions { ..args.conditions() }],
    };
    let base = build::measure(&grid, 1, args.seed).cells.remove(0);
    probe(&base).map_err(|refusal| Failure::trouble(format!("{}: {refusal}", row.name)))?;
    let here = Here {
        cpu: affinity::read().ok().and_then(|cpus| cpus.first().copied()),
        methods: method::entries().map(|entry| entry.id.name().to_owned()).collect(),
    };
    let (cells, refused) = allowed(cells(&base, &here));
    let least = build::diagnose_takes(&cells);
    let time = match args.seconds.map(|seconds| Nanos::from_secs(seconds.into())) {
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
    Ok((build::diagnose(cells, time, args.seed), refused))
}

/// Tries every variant out, so that no time is spent on what would not be obtained.
fn allowed(all: Vec<Cell>) -> (Vec<Cell>, Vec<Unobtained>) {
    let (mut cells, mut refused) = (Vec::new(), Vec::new());
    let base = all.first().cloned();
    for cell in all {
        match probe(&cell) {
            Ok(()) => cells.push(Cell { id: u32::try_from(cells.len()).unwrap_or(u32::MAX), ..cell }),
            Err(refusal) => refused.push(Unobtained {
                what: base.as_ref().map_or_else(String::new, |base| words(base, &cell)),
                kind: refusal.kind().to_owned(),
                why: refusal.reason().to_owned(),
            }),
        }
    }
    (cells, refused)
}

fn words(base: &Cell, cell: &Cell) -> String {
    Change::between(base, cell).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn announce(args: &DiagnoseArgs, plan: &Plan) {
    if args.output.quiet {
        return;
    }
    let blocks = plan.turns.len() / plan.cells.len().max(1);
    let sleeps = plan.turns.first().map_or(0, |turn| turn.sleeps);
    say!(
        "{} of {}: {} variants and the base, {blocks} blocks of {sleeps} sleeps each in random order",
        args.method,
        args.request,
        plan.cells.len() - 1
    );
}

fn results(recording: &Recording, args: &DiagnoseArgs) -> Result<(), Failure> {
    let look = args.output.look();
    let found = intervene(recording);
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let mut summary = Summariser::new(&recording.meta);
        oversleep_lab::recording::Sink::samples(&mut summary, &recording.samples);
        oversleep_lab::recording::Sink::note(&mut summary, &recording.note);
        let mut document =
            report::findings::document(&recording.meta, &recording.note, &summary.finish(), &diagnose(recording));
        document["interventions"] = found.as_ref().map_or(serde_json::Value::Null, report::interventions::json);
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        match &found {
            Some(found) => write!(out, "{}", report::interventions::show(found, look))?,
            None => writeln!(out, "not enough to tell: fewer than {} blocks were slept", build::FEWEST_BLOCKS)?,
        }
        write!(out, "{}", report::notes::unavailable(&recording.meta, &recording.note, look))?;
        write!(out, "{}", report::notes::privileges(&recording.meta, look))?;
    }
    out.flush()?;
    Ok(())
}
