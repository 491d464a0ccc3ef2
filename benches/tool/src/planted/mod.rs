//! A runtime that really waits, with one planted rule: a probe for `oversleep runtimes --command`.

mod probe;
mod rule;

pub(crate) use probe::run;
pub(crate) use rule::Rule;

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Options {
    /// What it does to its sleeps.
    #[arg(value_enum)]
    rule: Rule,
    /// Seeds what is random in it.
    #[arg(default_value_t = 1)]
    seed: u64,
    /// Append by how much each block of a re-armed schedule slipped: lines `REQUEST_NS TICKS SLIP_NS`.
    #[arg(long, value_name = "FILE")]
    slips: Option<PathBuf>,
}
