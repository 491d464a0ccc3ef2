//! Arguments of `diagnose`.

use super::{KeepArgs, OutputArgs, names, values};
use crate::args::values::Cpus;
use clap::Args as ClapArgs;
use oversleep_lab::session::DiagnoseRequest;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Load, LoadKind, Plan, Policy};
use oversleep_sys::units::Nanos;

#[derive(ClapArgs)]
pub(crate) struct DiagnoseArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = DEFAULT_METHODS.diagnose.name(), value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true)]
    pub(crate) method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) request: Nanos,
    /// About how long to run, such as 60s or 5min [default: 25s, beside --load 40s, or the time for 12 blocks if that is longer]
    #[arg(long, short, value_name = "TIME", value_parser = values::duration_of_a_run, allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    /// Scheduling policy of the baseline: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10,
    /// deadline:100us/1ms
    #[arg(long, short, value_name = "POLICY", value_parser = values::policy_here)]
    pub(crate) policy: Option<Policy>,
    /// Timer slack of the baseline, such as 1ns
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) slack: Option<Nanos>,
    /// Processors the baseline may use, such as 0 or 0-3
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<Cpus>,
    /// Busy threads beside every variant: what would help here while the machine is as busy as this?
    #[arg(long, short, value_name = "N", value_parser = values::busy_threads)]
    pub(crate) load: Option<u16>,
    /// Trace some sleeps first, where the system allows it (see `oversleep measure --trace`): takes some seconds more
    #[arg(long)]
    pub(crate) trace: bool,
    /// Seed of the order in which variants take turns
    #[arg(long, value_name = "N", default_value_t = Plan::DEFAULT_SEED, value_parser = values::whole::<u64>(0..))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl DiagnoseArgs {
    /// Returns the diagnosis that these arguments ask for.
    pub(crate) fn request(&self) -> DiagnoseRequest {
        DiagnoseRequest {
            method: self.method.clone(),
            request: self.request,
            time: self.duration,
            conditions: Conditions {
                policy: self.policy,
                timer_slack: self.slack,
                affinity: self.cpus.clone().map(|cpus| cpus.0),
                load: self.load.map(|threads| Load { threads, kind: LoadKind::Spin }),
                ..Conditions::default()
            },
            trace: self.trace,
            seed: self.seed,
        }
    }
}
