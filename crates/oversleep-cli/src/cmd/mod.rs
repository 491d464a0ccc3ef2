//! The subcommands, one module each.

mod attach;
mod background;
mod bounds;
mod checkup;
mod clocks;
mod compare;
mod diagnose;
mod every;
mod explain;
mod export;
mod list;
mod manual;
mod measure;
mod pace;
mod probes;
mod report;
mod reproduce;
mod runtimes;
mod serve;
mod simulate;
mod stalls;
mod trace;
mod tune;
mod watch;

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
