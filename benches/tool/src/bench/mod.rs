//! Benchmarks that need the project's crates, by name; those that run programs are in `benches/programs`. They measure times, so
//! they never run as part of `check`.

mod bounds;
mod diagnose;
mod plants;
mod remedies;
mod sheet;
mod sim;
mod tool;

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// Which benchmark.
    name: String,
    /// Take longer and know more.
    #[arg(long)]
    long: bool,
    /// Print markdown for docs/BENCHMARKS.md.
    #[arg(long)]
    markdown: bool,
    /// What only this benchmark understands, after `--`.
    #[arg(last = true)]
    own: Vec<String>,
}

/// A benchmark, which prints its figures or returns why it could not measure them.
struct Bench {
    name: &'static str,
    run: fn(&Options) -> Result<(), String>,
}

/// All of them. A new one needs a module, an entry here, and one in `benches/programs/bench.py`.
const BENCHES: &[Bench] = &[
    Bench { name: "sim", run: sim::run },
    Bench { name: "bounds", run: bounds::run },
    Bench { name: "diagnose", run: diagnose::run },
    Bench { name: "plants", run: plants::run },
    Bench { name: "remedies", run: remedies::run },
];

pub(crate) fn run(options: &Options) -> bool {
    let Some(bench) = BENCHES.iter().find(|bench| bench.name == options.name) else {
        eprintln!("no benchmark is called `{}`; `cargo xtask bench` lists them", options.name);
        return false;
    };
    match (bench.run)(options) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("{}: {why}", options.name);
            false
        }
    }
}
