//! The project's tools that need its own crates. `cargo xtask` builds and runs this program.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::{child, toolchain, tree};

mod bench;
mod figures;
mod planted;

/// Benchmarks and figures of the oversleep repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Run a named benchmark.
    Bench(bench::Options),
    /// Redraw the figures of docs/SIMULATOR.md from simulation.
    Figures(figures::Options),
    /// Be a runtime with a planted rule: a probe for `oversleep runtimes --command`.
    Planted(planted::Options),
}

fn main() -> ExitCode {
    let root = tree::root();
    let good = match Arguments::parse().tool {
        Tool::Bench(options) => bench::run(&options),
        Tool::Figures(options) => figures::run(&root, &options),
        Tool::Planted(options) => planted::run(&options).map_err(|why| eprintln!("{why}")).is_ok(),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
