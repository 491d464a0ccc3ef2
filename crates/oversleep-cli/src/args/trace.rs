//! Arguments that say how sleeps are traced.

use super::{ConditionArgs, ConditionOption, ConditionSet, LateArgs, OutputFormat, chosen, names, values};
use clap::Args as ClapArgs;
use oversleep_lab::session::TraceRequest;
use oversleep_recording::plan::build::{DEFAULT_METHODS, TRACED_BLOCK};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;

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
