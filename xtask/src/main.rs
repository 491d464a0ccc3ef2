//! The project's own chores. `cargo xtask check` is the test command; a chore has a file or a folder here.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod check;
mod child;
mod cpio;
mod figures;
mod generate;
mod outcome;
mod platforms;
mod schema;
mod targets;
mod tree;

/// Chores of the oversleep repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every check; exit 1 if one failed.
    Check(check::Options),
    /// Lint the workspace for every supported system (compiles; runs nothing).
    Targets,
    /// Write the generated files, or with --check say which have drifted.
    Gen(generate::Options),
    /// Run a named benchmark.
    Bench(bench::Options),
    /// Redraw the figures of docs/SIMULATOR.md from simulation.
    Figures(figures::Options),
}

fn main() -> ExitCode {
    let root = tree::root();
    let good = match Arguments::parse().chore {
        Chore::Check(options) => check::run(&root, &options),
        Chore::Targets => outcome::report(&targets::run(&root)),
        Chore::Gen(options) => generate::run(&root, &options),
        Chore::Bench(options) => bench::run(&options),
        Chore::Figures(options) => figures::run(&root, &options),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
