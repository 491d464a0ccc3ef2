//! The project's tools. `cargo xtask check` runs all tests and checks.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use xtask::{child, toolchain, tree};

mod check;
mod generate;
mod release;
mod rules;
mod steps;

/// Tools of the oversleep repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Run the checks; exit 1 if one failed.
    Check(check::CheckOptions),
    /// Write the generated files, or with --check say which have changed.
    Gen(generate::GenerateOptions),
    /// Build and test every package of a release, without an upload; exit 1 if one failed.
    Release(release::ReleaseOptions),
    /// Run a named benchmark; without a name, list them.
    Bench(Passed),
    /// Redraw the figures of docs/SIMULATOR.md from simulation.
    Figures(Passed),
    /// Boot our binary as the first program of real kernels, and compare what `explain` says of them.
    Recordings(Passed),
}

/// Arguments for a program that the front end builds and runs.
#[derive(Args)]
#[command(disable_help_flag = true)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

fn main() -> ExitCode {
    let root = tree::root();
    let good = match Arguments::parse().tool {
        Tool::Check(options) => check::run(&root, &options),
        Tool::Release(options) => release::run(&root, &options),
        Tool::Gen(options) => generate::run(&root, &options),
        Tool::Bench(passed) => pass(&root, &["python3", "benches/programs/bench.py"], &passed),
        Tool::Figures(passed) => {
            pass(&root, &["cargo", "run", "--quiet", "--release", "--package", "bench-tool", "--", "figures"], &passed)
        }
        Tool::Recordings(passed) => pass(&root, &["kernels/recordings.sh"], &passed),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn pass(root: &Path, program: &[&str], passed: &Passed) -> bool {
    let mut command = child::command(root, program);
    command.args(&passed.words);
    child::run(command).map_err(|why| eprintln!("{why}")).is_ok()
}
