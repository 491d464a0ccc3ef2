//! How long does your sleep really sleep, why, and how do you sleep on time?

mod args;
mod beside;
mod cmd;
mod failure;
mod input;
mod interrupt;
mod progress;
mod running;
mod say;
mod show;

use crate::say::say;
use clap::FromArgMatches;
use std::process::ExitCode;

fn main() -> ExitCode {
    let read = args::help::command().try_get_matches().and_then(|matches| args::Args::from_arg_matches(&matches));
    match read.map_err(failure::Failure::from).and_then(cmd::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(text) = failure.text() {
                say!("oversleep: {}", failure::on_one_line(text));
            }
            ExitCode::from(failure.code())
        }
    }
}
