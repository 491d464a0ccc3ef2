//! Arguments that say how sleeps are traced.

use super::values;
use clap::Args as ClapArgs;
use oversleep_lab::session::TraceRequest;
use oversleep_recording::trace::Tier;

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
