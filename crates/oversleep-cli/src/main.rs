//! How long does your sleep really sleep, why, and how do you sleep on time?

mod args;
mod atomic_file;
mod cmd;
mod failure;
mod input;
mod interrupt;
mod progress;
mod running;
mod say;
mod show;

use crate::failure::Failure;
use crate::say::say;
use clap::FromArgMatches;
use std::process::ExitCode;

fn main() -> ExitCode {
    match read().and_then(cmd::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(text) = failure.text() {
                say!("oversleep: {text}");
            }
            ExitCode::from(failure.code())
        }
    }
}

/// Reads the command line.
fn read() -> Result<args::Args, Failure> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let of_cyclictest = || failure::of_cyclictest(&words);
    if let Some(wrong) = failure::histogram_asked(&words) {
        return Err(of_cyclictest().unwrap_or(wrong));
    }
    let read = args::help::command().try_get_matches();
    let matches =
        read.map_err(|error| error.use_stderr().then(of_cyclictest).flatten().unwrap_or_else(|| error.into()))?;
    let chosen = matches.subcommand().map_or(&matches, |(_, of_command)| of_command);
    say::keep_quiet(matches!(chosen.try_get_one("quiet"), Ok(Some(true))));
    Ok(args::Args::from_arg_matches(&matches)?)
}
