//! `trace`: another name for `measure --trace` of one method and request that keeps no recording.

use super::measure::Samples;
use crate::args::{Checks, OutputArgs, TraceArgs, names};
use crate::failure::Failure;
use crate::say::say;
use crate::{running, show};
use oversleep_lab::session::{Archive, Breakdown, MeasureRequest, Runner, TraceRequest, plan};
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::{End, Meta, Recording};

/// Measures traced sleeps and shows the results. Nothing is printed while sleeps are measured.
pub(crate) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let trace = TraceRequest {
        tier: Some(args.tier),
        marks_only: args.marks_only,
        block: Some(args.block),
        traced_first: args.late.on_late.is_some(),
    };
    let request = MeasureRequest {
        methods: vec![args.method.clone()],
        requests: vec![Pattern::fixed(args.request)],
        repeats: Some(args.count),
        conditions: args.conditions.requested.clone(),
        trace: Some(trace.clone()),
        ..MeasureRequest::default()
    };
    names::say_stand_ins(&request.methods);
    let began: String = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let beside = Archive::of_user().filter(|_| args.late.on_late.is_some());
    let beside = beside.filter(|archive| std::fs::create_dir_all(archive.folder()).is_ok());
    let run =
        Runner { late: args.late.request(None), beside: beside.map(|archive| archive.stem(&began)), ..running::run()? };
    let output = OutputArgs { shown: args.shown, csv: false, quiet: args.quiet, checks: Checks::default() };
    traced(run, plan(&request)?, &trace, &output, args.every)
}

/// Measures sleeps with kernel events or counters recorded, and shows what the lateness consists of.
pub(super) fn traced(
    run: Runner<'_>,
    plan: Plan,
    trace: &TraceRequest,
    output: &OutputArgs,
    every: bool,
) -> Result<(), Failure> {
    let mut csv = Samples::new(output, &plan);
    let (results, end) = Runner { subscriber: csv.sink(), ..run }.trace(plan, trace)?;
    let Some(recording) = &results.recording else { return Ok(()) };
    if !output.csv {
        let breakdown = Breakdown { recording, every };
        show::print(if output.json() { Ok(breakdown.json()) } else { Err(breakdown.text(output.screen())) })?;
    }
    complete(&results.meta, recording, &end)?;
    show::limits(&results, &output.checks)?;
    csv.close(&results)
}

/// Reports which sleeps were not traced and why; returns an error if none was.
fn complete(meta: &Meta, recording: &Recording, end: &End) -> Result<(), Failure> {
    let traced: u64 = recording.note.traced_sleeps.iter().map(|block| block.sleeps).sum();
    let pairs = meta.plan.traced_pairs();
    for (_, cell) in &pairs {
        let untraced = !recording.note.tracing.iter().any(|tracing| tracing.cell == cell.id);
        let missing = recording.note.unavailable.iter().find(|missing| untraced && missing.what == cell.method);
        if let Some(missing) = missing {
            say!("{} is not traced: {}: {}", cell.method, missing.kind, missing.why);
        }
    }
    let by_itself = recording.note.late.is_some_and(|late| late.stopped);
    let planned = meta.plan.turns.iter().filter(|turn| pairs.iter().any(|(_, traced)| traced.id == turn.cell));
    let planned: u64 = planned.map(|turn| turn.sleeps).sum();
    match end {
        End::Interrupted if traced < planned && !by_itself => {
            say!("interrupted; this is what was traced until then: {traced} of {planned} sleeps");
        }
        End::TimeOver => {
            say!("time ran out; this is what was traced until then: {traced} of {planned} sleeps");
        }
        _ => {}
    }
    if traced == 0 && !by_itself {
        return Err(Failure::trouble("no sleep was traced; the lines above say why"));
    }
    Ok(())
}
