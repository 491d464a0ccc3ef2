//! What `diagnose` can be told.

use super::{Keep, Output, values};
use crate::args::values::Cpus;
use clap::Args as ClapArgs;
use oversleep_lab::session::DiagnoseRequest;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Policy};
use oversleep_sys::units::Nanos;

#[derive(ClapArgs)]
pub(crate) struct DiagnoseArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = DEFAULT_METHODS.diagnose.name(), value_name = "NAME")]
    pub(crate) method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) request: Nanos,
    /// About how long to take, such as 60 or 5min [default: 25, or what 12 blocks take if that is longer]
    #[arg(long, short, value_name = "SECONDS", value_parser = values::seconds, allow_hyphen_values = true)]
    pub(crate) seconds: Option<Nanos>,
    /// Scheduling policy of the base: other, batch, idle, fifo:80, rr:10, deadline:100us/1ms
    #[arg(long, short, value_name = "POLICY")]
    pub(crate) policy: Option<Policy>,
    /// Timer slack of the base, such as 1ns
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) slack: Option<Nanos>,
    /// Processors the base may use, such as 0 or 0-3
    #[arg(long, short, value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) affinity: Option<Cpus>,
    /// Let the trace testify too, where it can be had (see `oversleep measure --trace`): some seconds more
    #[arg(long)]
    pub(crate) trace: bool,
    /// Seed of the order in which variants take turns
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    pub(crate) output: Output,
}

impl DiagnoseArgs {
    /// Returns what is to be diagnosed.
    pub(crate) fn request(&self) -> DiagnoseRequest {
        DiagnoseRequest {
            method: self.method.clone(),
            request: self.request,
            time: self.seconds,
            conditions: Conditions {
                policy: self.policy,
                timer_slack: self.slack,
                affinity: self.affinity.clone().map(|cpus| cpus.0),
                ..Conditions::default()
            },
            trace: self.trace,
            seed: self.seed,
        }
    }
}
