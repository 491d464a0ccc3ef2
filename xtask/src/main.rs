//! The project's tools. `cargo xtask check` runs all tests and checks.

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use xtask::{child, deadline, outcome, toolchain, tree};

mod arrows;
mod check;
mod generate;
mod program;
mod targets;

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
    /// Lint what knows platforms for every other supported system (compiles; runs nothing).
    Targets,
    /// Write the generated files, or with --check say which have changed.
    Gen(generate::GenerateOptions),
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
        Tool::Targets => outcome::report(&targets::run(&root)),
        Tool::Gen(options) => generate::run(&root, &options),
        Tool::Bench(passed) => program::bench(&root, "bench", &passed.words),
        Tool::Figures(passed) => program::bench(&root, "figures", &passed.words),
        Tool::Recordings(passed) => program::recordings(&root, &passed.words),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_its_arguments_as_they_are() {
        let read = Arguments::try_parse_from(["xtask", "bench", "library", "--long", "--", "--parts", "a"]);
        let Ok(Arguments { tool: Tool::Bench(passed) }) = read else { panic!("not read") };
        assert_eq!(passed.words, ["library", "--long", "--", "--parts", "a"]);
    }
}
