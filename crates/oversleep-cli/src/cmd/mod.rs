//! The subcommands, one module each: their arguments, and what they do.

pub(crate) mod attach;
mod background;
pub(crate) mod bounds;
mod checkup;
pub(crate) mod clocks;
mod compare;
pub(crate) mod diagnose;
pub(crate) mod every;
mod explain;
mod export;
mod list;
mod manual;
pub(crate) mod measure;
pub(crate) mod pace;
mod probes;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod runtimes;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod stalls;
pub(crate) mod trace;
pub(crate) mod tune;
pub(crate) mod watch;

use crate::args::{Args, Command};
use crate::failure::Failure;

/// Runs the command named on the command line; the check-up if there is none.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        None => checkup::run(&args),
        Some(Command::Measure(args)) => measure::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Bounds(args)) => bounds::run(&args),
        Some(Command::Diagnose(args)) => diagnose::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Attach(args)) => attach::run(&args),
        Some(Command::Clocks(args)) => clocks::run(&args),
        Some(Command::Trace(args)) => trace::run(&args),
        Some(Command::Runtimes(args)) => runtimes::run(&args),
        Some(Command::Stalls(args)) => stalls::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Every(args)) => every::run(&args),
        Some(Command::Pace(args)) => pace::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { folder }) => manual::pages(&folder),
    }
}
