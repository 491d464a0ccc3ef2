//! `trace`: another name for `measure --trace` of one method and request that keeps no recording.

use super::measure::Samples;
use crate::args::{
    Checks, ConditionArgs, ConditionOption, ConditionSet, LateArgs, OutputArgs, OutputFormat, chosen, names, values,
};
use crate::failure::Failure;
use crate::say::say;
use crate::{running, show};
use clap::Args as ClapArgs;
use oversleep_lab::session::{Archive, Breakdown, MeasureRequest, Runner, TraceRequest, plan};
use oversleep_recording::plan::build::{DEFAULT_METHODS, TRACED_BLOCK};
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{End, Meta, Recording};
use oversleep_sys::units::Nanos;

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
        let diagnosis = results.diagnosis();
        show::print(if output.json() {
            Ok(breakdown.json(&results, diagnosis.as_ref()))
        } else {
            Err(breakdown.text(&results, diagnosis.as_ref(), "", output.screen()))
        })?;
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
    if *end == End::Interrupted && traced < planned && !by_itself {
        say!("interrupted; this is what was traced until then: {traced} of {planned} sleeps");
    }
    if traced == 0 && !by_itself {
        return Err(Failure::trouble("no sleep was traced; the lines above say why"));
    }
    Ok(())
}

/// Tracing, as part of a measurement.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Tracing")]
pub(crate) struct TraceOptions {
    /// Record the kernel's own account of each sleep and say where each microsecond of its lateness went; as many sleeps
    /// are made untraced, in alternating blocks
    #[arg(long)]
    pub(crate) trace: bool,
    /// With --trace or --on-late: the best evidence to use: events, switches, counters or slack
    /// [default: events]
    #[arg(long, value_parser = values::tier(), value_name = "TIER", hide_possible_values = true)]
    pub(crate) tier: Option<Tier>,
    /// With --trace: record only the chain of events from timer to wake-up: less disturbance, but interrupts are not named
    #[arg(long, requires = "trace")]
    pub(crate) marks_only: bool,
    /// With --trace: sleeps in a block before tracing is turned on or off [default: 20]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=1_000), requires = "trace")]
    pub(crate) block: Option<u64>,
}

impl TraceOptions {
    /// Returns how to trace sleeps; `None` without `--trace`.
    pub(crate) fn request(&self, traced_first: bool) -> Option<TraceRequest> {
        let Self { trace, tier, marks_only, block } = *self;
        trace.then_some(TraceRequest { tier, marks_only, block, traced_first })
    }
}

/// Conditions of the traced sleeps.
#[derive(Clone)]
pub(crate) struct OfTracing;

impl ConditionSet for OfTracing {
    fn options() -> Vec<ConditionOption> {
        chosen(&[
            (
                "policy",
                "Scheduling policy: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10, deadline:100us/1ms",
            ),
            ("timer_slack", "Timer slack, such as 1ns"),
            ("affinity", "Processors the thread may use, such as 0 or 0-3"),
            ("load", "Number of busy threads during the sleeps"),
        ])
    }
}

/// What `trace` accepts.
#[derive(ClapArgs)]
pub(crate) struct TraceArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = DEFAULT_METHODS.trace.name(), value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true)]
    pub(crate) method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) request: Nanos,
    /// Traced sleeps; as many are made untraced, in alternating blocks
    #[arg(long, short = 'n', default_value_t = 1_000, value_name = "N", value_parser = values::whole::<u64>(1..=100_000))]
    pub(crate) count: u64,
    /// Sleeps in a block before tracing is turned on or off
    #[arg(long, default_value_t = TRACED_BLOCK, value_name = "N", value_parser = values::whole::<u64>(1..=1_000))]
    pub(crate) block: u64,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs<OfTracing>,
    /// The best evidence to use: events, switches, counters or slack
    #[arg(long, default_value = "events", value_parser = values::tier(), value_name = "TIER", hide_possible_values = true)]
    pub(crate) tier: Tier,
    /// Record only the chain of events from timer to wake-up: less disturbance, but interrupts are not named
    #[arg(long)]
    pub(crate) marks_only: bool,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// With --json: include the breakdown of every sleep
    #[arg(long, requires = "json")]
    pub(crate) every: bool,
}
