//! How sleeps are traced.

use super::values;
use clap::Args as ClapArgs;
use oversleep_lab::session::TraceRequest;
use oversleep_recording::trace::Tier;

/// Tracing, as part of a measurement.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct TraceOptions {
    /// Record the kernel's own account beside each sleep, and say where each microsecond of its lateness went; as many
    /// sleeps are made untraced, in turns
    #[arg(long)]
    pub(crate) trace: bool,
    #[command(flatten)]
    pub(crate) evidence: Evidence,
}

/// What is recorded, and in what turns.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct Evidence {
    /// With --trace: the best evidence to use: events, switches, counters or slack [default: events]
    #[arg(long, value_parser = values::tier, value_name = "TIER", requires = "trace")]
    pub(crate) tier: Option<Tier>,
    /// With --trace: record the chain of marks alone: fewer events, less disturbance, no interrupts among the culprits
    #[arg(long, requires = "trace")]
    pub(crate) marks_only: bool,
    /// With --trace: sleeps of a block before tracing is turned on or off [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000), requires = "trace")]
    pub(crate) block: Option<u64>,
}

impl Evidence {
    /// Returns how sleeps are traced.
    pub(crate) fn request(&self, traced_first: bool) -> TraceRequest {
        TraceRequest { tier: self.tier, marks_only: self.marks_only, block: self.block, traced_first }
    }
}
