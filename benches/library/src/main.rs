//! Compares the precise-sleep library with similar libraries: contenders take turns in one run, and the output is
//! Markdown.
//!
//! The absolute numbers of a run mean little; the ratios between contenders of one cell count. Run it on an otherwise
//! idle machine. What disturbed it shows in the rows of `spin`, which makes no system calls to sleep.

mod clocks;
mod condition;
mod contender;
mod first;
mod pacers;
#[cfg(windows)]
mod perfect;
mod promise;
mod sleeps;
mod stats;
mod tickers;
mod verdict;

use clap::{Parser, ValueEnum};

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Lateness and processor time of sleeps.
    Sleeps,
    /// The first ten sleeps of a fresh thread.
    First,
    /// Cost, order and drift of clocks.
    Clocks,
    /// Periodic schedules and aligned seconds.
    Tickers,
    /// Rates.
    Pacers,
    /// The share of sleeps on time that is asked for beside the one achieved, and its price: 10 000 sleeps each (1000 with
    /// --quick), by default of time sharing and without busy threads.
    Promise,
}

/// The precise-sleep library beside its peers, interleaved.
#[derive(Debug, Parser)]
struct Args {
    /// Only these parts.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// A tenth of everything: to see that it runs, not to be quoted.
    #[arg(long)]
    quick: bool,
    /// Busy threads beside the measured one.
    #[arg(long, value_delimiter = ',')]
    busy: Vec<usize>,
    /// Scheduling classes of the measured thread.
    #[arg(long, value_enum, value_delimiter = ',')]
    class: Vec<condition::Class>,
    /// Durations of the sleeps, such as 250us.
    #[arg(long, value_delimiter = ',')]
    duration: Vec<oversleep::Nanos>,
    /// Sleeps per contender and cell; the time per cell follows. [default: 2000; for promise 10000]
    #[arg(long)]
    sleeps: Option<usize>,
}

/// Returns the values given, or the default `otherwise` if there are none.
fn given<T: Clone>(values: &[T], otherwise: &[T]) -> Vec<T> {
    if values.is_empty() { otherwise.to_vec() } else { values.to_vec() }
}

fn sleeps(args: &Args, fewer: usize) -> String {
    let durations = [50, 100, 250, 1_000, 4_000, 16_700].map(oversleep::Nanos::from_micros);
    let classes = given(&args.class, &[condition::Class::Other, condition::Class::Fifo]);
    let busy = given(&args.busy, &[0, 1, 2, 4]);
    sleeps::section(&given(&args.duration, &durations), &classes, &busy, args.sleeps.unwrap_or(2_000) / fewer)
}

fn promise(args: &Args, fewer: usize) -> String {
    let durations = promise::DURATIONS.map(oversleep::Nanos::from_micros);
    let classes = given(&args.class, &[condition::Class::Other]);
    let busy = given(&args.busy, &[0]);
    promise::section(&given(&args.duration, &durations), &classes, &busy, args.sleeps.unwrap_or(10_000) / fewer)
}

fn main() {
    let args = Args::parse();
    let wanted = |part| args.only.is_empty() || args.only.contains(&part);
    let fewer = if args.quick { 10 } else { 1 };
    println!("# The precise-sleep library beside its peers\n\n{}\n", condition::machine());
    let sections: [(Part, &dyn Fn() -> String); 6] = [
        (Part::Sleeps, &|| sleeps(&args, fewer)),
        (Part::First, &|| first::section(200 / fewer)),
        (Part::Clocks, &|| clocks::section(fewer)),
        (Part::Tickers, &|| tickers::section(fewer)),
        (Part::Pacers, &|| pacers::section(fewer)),
        (Part::Promise, &|| promise(&args, fewer)),
    ];
    for (part, section) in sections {
        if wanted(part) {
            // Printed at once, so that it is not lost if a later section fails.
            println!("{}", section());
        }
    }
}
