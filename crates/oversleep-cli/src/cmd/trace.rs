//! `trace`: another name for `measure --trace` of one method and request that keeps no recording.

use super::traced::Tracing;
use crate::args::{Evidence, Keep, LateArgs, look, values};
use crate::failure::Failure;
use clap::{Args, ColorChoice};
use oversleep_recording::plan::build::{self, Blocks, Grid, TRACED_BLOCK};
use oversleep_recording::plan::{Conditions, Load, LoadKind, Pattern, Policy};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;

/// What `trace` can be told.
#[derive(Args)]
pub(crate) struct TraceArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = "nanosleep", value_name = "NAME")]
    method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    request: Nanos,
    /// Traced sleeps; as many are made untraced, in turns
    #[arg(long, short = 'n', default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    repeats: u64,
    /// Sleeps of a block before tracing is turned on or off
    #[arg(long, default_value_t = TRACED_BLOCK, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    block: u64,
    /// Scheduling policy: other, batch, idle, fifo:80, rr:10, deadline:100us/1ms
    #[arg(long, short, value_name = "POLICY")]
    policy: Option<Policy>,
    /// Timer slack, such as 1ns
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    slack: Option<Nanos>,
    /// Processors the thread may use, such as 0 or 0-3
    #[arg(long, short, value_parser = values::cpus, value_name = "CPUS")]
    affinity: Option<values::Cpus>,
    /// Busy threads beside the sleeper
    #[arg(long, short, value_name = "N")]
    load: Option<u16>,
    /// The best evidence to use: events, switches, counters or slack
    #[arg(long, default_value = "events", value_parser = values::tier, value_name = "TIER")]
    tier: Tier,
    /// Record the chain of marks alone: fewer events, less disturbance, no interrupts among the culprits
    #[arg(long)]
    marks_only: bool,
    #[command(flatten)]
    late: LateArgs,
    /// Results as JSON
    #[arg(long)]
    json: bool,
    /// With --json, every sleep's breakdown as well
    #[arg(long, requires = "json")]
    every: bool,
    /// When to use colour
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    color: ColorChoice,
}

/// Sleeps and shows. Nothing is printed while sleeping.
pub(crate) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let row = values::method(&args.method).map_err(Failure::usage)?;
    let conditions = Conditions {
        policy: args.policy,
        timer_slack: args.slack,
        affinity: args.affinity.clone().map(|cpus| cpus.0),
        load: args.load.map(|threads| Load { threads, kind: LoadKind::Spin }),
        ..Conditions::default()
    };
    let blocks = Blocks { sleeps: args.repeats, block: args.block, traced_first: args.late.on_late.is_some() };
    let grid =
        Grid { rows: &[row], requests: &[Pattern::fixed(args.request)], conditions: std::slice::from_ref(&conditions) };
    let evidence = Evidence { tier: Some(args.tier), marks_only: args.marks_only, block: Some(args.block) };
    let stamp: String = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    Tracing {
        late: &args.late,
        keep: &Keep { no_save: true, ..Keep::default() },
        beside: Some(format!("oversleep-{stamp}").into()),
        csv: false,
        json: args.json,
        every: args.every,
        look: look(args.color),
        fail_if: &[],
    }
    .run(build::traced(&grid, blocks, 1), &evidence.settings())
}
