//! What the project's tools do with its own crates. `cargo xtask` builds this program and runs it.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::{child, outcome, tree};

mod bench;
mod figures;
mod platforms;

/// Benchmarks, figures and generated documents of the oversleep repository.
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
    /// Print a generated document.
    #[command(subcommand)]
    Document(Document),
}

#[derive(Subcommand)]
enum Document {
    /// docs/PLATFORMS.md, from the catalogue of methods.
    Platforms,
}

fn main() -> ExitCode {
    let root = tree::root();
    let good = match Arguments::parse().tool {
        Tool::Bench(options) => bench::run(&options),
        Tool::Figures(options) => figures::run(&root, &options),
        Tool::Document(Document::Platforms) => {
            print!("{}", platforms::render());
            true
        }
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
