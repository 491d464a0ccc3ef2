//! A runtime that really waits, with one planted rule: a probe for `oversleep runtimes --command`.

mod probe;
mod rule;

pub(crate) use probe::run;
pub(crate) use rule::Rule;

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// What it does to its sleeps.
    #[arg(value_enum)]
    rule: Rule,
    /// Seeds what is random in it.
    #[arg(default_value_t = 1)]
    seed: u64,
}
