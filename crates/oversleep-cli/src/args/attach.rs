//! Arguments of `attach`.

use super::{KeepArgs, OutputFormat, values};
use clap::{Args as ClapArgs, ValueHint};
use oversleep_sys::units::Nanos;
use std::ffi::OsString;

/// What `attach` accepts.
#[derive(ClapArgs)]
pub(crate) struct AttachArgs {
    /// Process ID, or the name of a program that runs once
    #[arg(
        value_name = "PID|NAME",
        required_unless_present = "command",
        conflicts_with = "command",
        allow_hyphen_values = true
    )]
    pub(crate) program: Option<String>,
    /// End the recording after this time [default: when the program ends]
    #[arg(long, short, value_parser = values::duration, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Do not print what is recorded
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// A command to start and record, with its arguments
    #[arg(last = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}
