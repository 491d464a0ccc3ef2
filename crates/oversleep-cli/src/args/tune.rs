//! Arguments of `tune`.

use super::values::{self, Cpus};
use clap::{Args as ClapArgs, ValueHint};
use oversleep_recording::plan::Policy;
use oversleep_sys::units::Nanos;
use std::ffi::OsString;

/// What `tune` accepts.
#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// Timer slack of the command
    #[arg(long, value_parser = values::positive, value_name = "TIME", default_value = "1ns", allow_hyphen_values = true)]
    pub(crate) slack: Nanos,
    /// Processors the command may use, such as 0 or 0-3
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<Cpus>,
    /// Scheduling policy of the command: a number (FIFO with that priority), other, batch, fifo:80, rr:10
    #[arg(long, short, value_name = "POLICY", value_parser = values::policy_here)]
    pub(crate) policy: Option<Policy>,
    /// Hold the processors' wake-up latency at or below this while the command runs
    #[arg(long, value_parser = values::request, value_name = "TIME", default_value = "0s", allow_hyphen_values = true)]
    pub(crate) latency_hold: Nanos,
    /// Leave the processors' wake-up latency as it is
    #[arg(long, conflicts_with = "latency_hold")]
    pub(crate) no_latency_hold: bool,
    /// Do not print what was changed
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}
