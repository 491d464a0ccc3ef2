//! How long does your sleep really sleep, why, and how do you sleep on time?

mod args;
mod cmd;
mod failure;
mod files;
mod progress;
mod say;
mod session;
mod show;

use crate::say::say;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match cmd::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(text) = failure.text() {
                say!("oversleep: {text}");
            }
            ExitCode::from(failure.code())
        }
    }
}
