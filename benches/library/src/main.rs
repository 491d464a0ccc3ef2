//! Compares the precise-sleep library with similar libraries: contenders take turns in one run, and the output is
//! Markdown.
//!
//! The absolute numbers of a run mean little; those of contenders of one cell may be compared. Run it on an otherwise
//! idle machine.

mod clocks;
mod condition;
mod control;
mod first;
mod group;
mod loops;
mod pacers;
#[cfg(windows)]
mod perfect;
mod promise;
mod sdl;
mod stats;
mod tickers;

use clap::{Parser, ValueEnum};
use condition::Class;
use group::Group;
use oversleep::{Hertz, Nanos};
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Loops of a rate: lateness by a clock outside, missed periods, processor time.
    Loops,
    /// The first ten sleeps of a fresh thread.
    First,
    /// Cost, order and drift of clocks.
    Clocks,
    /// Periodic schedules and aligned seconds.
    Tickers,
    /// Rates.
    Pacers,
    /// The requested and the achieved share of sleeps on time, and its price: 10 000 sleeps each, or
    /// what 60 s allow (a tenth with --quick).
    Promise,
    /// A control during honest and slow sleeps: false alarms, and faults that are detected.
    Control,
}

/// The precise-sleep library and its peers, interleaved.
#[derive(Debug, Parser)]
struct Args {
    /// Only these parts.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// A tenth of everything: to see that it runs, not to be quoted.
    #[arg(long)]
    quick: bool,
    /// Number of busy threads during the measurement.
    #[arg(long, value_delimiter = ',')]
    busy: Vec<usize>,
    /// Scheduling classes of the measured thread.
    #[arg(long, value_enum, value_delimiter = ',')]
    class: Vec<condition::Class>,
    /// Durations of the sleeps of promise, such as 250us.
    #[arg(long, value_delimiter = ',')]
    duration: Vec<Nanos>,
    /// Sleeps of promise per contender and cell. [default: 10000, at most 60 s]
    #[arg(long)]
    sleeps: Option<usize>,
    /// Promise without its peers: the requested and the achieved share, in half the time.
    #[arg(long)]
    alone: bool,
    /// Rates of the loops per second, such as 60 or 48000/64. [default: 60,144,250,750]
    #[arg(long, value_delimiter = ',')]
    rate: Vec<Hertz>,
    /// Processor time of each loop's work. [default: 0 and 1ms, or 300us where the period is below 2 ms]
    #[arg(long, value_delimiter = ',')]
    work: Vec<Nanos>,
    /// How the loop and the busy threads are grouped.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "as-is")]
    group: Vec<Group>,
    /// Contenders of the loops. [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    contender: Vec<loops::Kind>,
    /// Seconds of each contender in each round of a loop. [default: 1; with --quick 0.3]
    #[arg(long)]
    seconds: Option<f64>,
    /// Rounds of the loops. [default: 5; with --quick 2]
    #[arg(long)]
    rounds: Option<usize>,
    /// Seed of the order in which the contenders of a loop take turns.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to which the figures of each round of the loops are appended as lines of JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Only spins on this many threads until the input ends.
    #[arg(long, hide = true)]
    spin: Option<usize>,
}

/// Returns the values given, or the default `otherwise` if there are none.
fn given<T: Clone>(values: &[T], otherwise: &[T]) -> Vec<T> {
    if values.is_empty() { otherwise.to_vec() } else { values.to_vec() }
}

fn loops(args: &Args) -> Result<(), String> {
    let rates = [60, 144, 250, 750].map(|rate| Hertz::new(rate, 1).expect("not zero"));
    let seconds = args.seconds.unwrap_or(if args.quick { 0.3 } else { 1.0 });
    if !(0.01..=3_600.0).contains(&seconds) {
        return Err("--seconds must be between 0.01 and 3600".to_owned());
    }
    let open = |path: &PathBuf| File::options().append(true).create(true).open(path);
    let json = args.json.as_ref().map(|path| open(path).map_err(|error| format!("{}: {error}", path.display())));
    let plan = loops::Plan {
        contenders: given(&args.contender, &loops::Plan::everyone()),
        block: Nanos::from_f64(1e9 * seconds),
        rounds: args.rounds.unwrap_or(if args.quick { 2 } else { 5 }).max(1),
        seed: args.seed,
        json: json.transpose()?,
    };
    let classes = given(&args.class, &[Class::Other, Class::Fifo]);
    let cells =
        loops::cells(&given(&args.rate, &rates), &args.work, &classes, &given(&args.busy, &[0, 2, 4]), &args.group);
    loops::section(&cells, &plan)
}

fn promise(args: &Args) -> String {
    promise::section(&promise::Plan {
        durations: given(&args.duration, &promise::DURATIONS.map(Nanos::from_micros)),
        classes: given(&args.class, &[Class::Other, Class::Fifo]),
        busy: given(&args.busy, &[0, 1, 2]),
        sleeps: args.sleeps,
        fewer: if args.quick { 10 } else { 1 },
        peers: !args.alone,
    })
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(threads) = args.spin {
        group::spin_until_end_of_input(threads);
        return ExitCode::SUCCESS;
    }
    let wanted = |part| args.only.is_empty() || args.only.contains(&part);
    let fewer = if args.quick { 10 } else { 1 };
    println!("# The precise-sleep library and its peers\n\n{}\n", condition::machine());
    if wanted(Part::Loops)
        && let Err(reason) = loops(&args)
    {
        eprintln!("error: {reason}");
        return ExitCode::FAILURE;
    }
    let sections: [(Part, &dyn Fn() -> String); 6] = [
        (Part::First, &|| first::section(200 / fewer)),
        (Part::Clocks, &|| clocks::section(fewer)),
        (Part::Tickers, &|| tickers::section(fewer)),
        (Part::Pacers, &|| pacers::section(fewer)),
        (Part::Promise, &|| promise(&args)),
        (Part::Control, &|| control::section(&given(&args.busy, &[0, 2, 4, 8]), fewer)),
    ];
    for (part, section) in sections {
        if wanted(part) {
            // Printed at once, so that it is not lost if a later section fails.
            println!("{}", section());
        }
    }
    ExitCode::SUCCESS
}
