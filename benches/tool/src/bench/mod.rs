//! Benchmarks by name. They measure times, so they never run as part of `check`.

mod analysis;
mod builds;
mod compare;
mod diagnose;
mod explain;
mod library;
mod memory;
mod observer;
mod plants;
mod probe;
mod remedies;
mod runtimes;
mod serve;
mod sheet;
mod sim;
mod slack;
mod stall;
mod startup;
mod stops;
mod tool;
mod trace;
mod watch;

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// Which benchmark; without a name, list them.
    name: Option<String>,
    /// Take longer and know more.
    #[arg(long)]
    long: bool,
    /// Print markdown for docs/BENCHMARKS.md.
    #[arg(long)]
    markdown: bool,
    /// Install what it needs and lacks.
    #[arg(long)]
    install: bool,
    /// What only this benchmark understands, after `--`.
    #[arg(last = true)]
    own: Vec<String>,
}

/// A benchmark, which prints its figures or returns why it could not measure them.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Options) -> Result<(), String>,
}

/// All benchmarks. A new one needs a module beside this one and an entry here.
const BENCHES: &[Bench] = &[
    Bench { name: "probe", about: "our periodic schedule against cyclictest (about 4 min)", run: probe::run },
    Bench { name: "startup", about: "start-up to the first sample, and `oversleep list`", run: startup::run },
    Bench {
        name: "builds",
        about: "this build beside another one: -- OTHER/oversleep (about 4 min)",
        run: builds::run,
    },
    Bench {
        name: "observer",
        about: "whether progress and collecting disturb the sleepers (about 1 min)",
        run: observer::run,
    },
    Bench {
        name: "compare",
        about: "false alarms on pairs of the same, and 2 µs planted (about 2 min, with --long an hour)",
        run: compare::run,
    },
    Bench {
        name: "watch",
        about: "whether the live view shifts what it shows: -- drawing (2 min, with --long 12 min), runs (4 min, 25 min)",
        run: watch::run,
    },
    Bench {
        name: "serve",
        about: "whether the exporter answers under 200 clients and kills (about 2 min)",
        run: serve::run,
    },
    Bench { name: "memory", about: "a day at 1 kHz on two threads within 64 MiB", run: memory::run },
    Bench { name: "stall", about: "one SIGSTOP of 200 ms in a 1 kHz schedule", run: stall::run },
    Bench {
        name: "stops",
        about: "ten SIGSTOPs of three lengths under every tool here, from its own file: -- OVERSLEEP [TOOL…] (root, about 5 min)",
        run: stops::run,
    },
    Bench { name: "slack", about: "timer slack of nanosleep, and the 0.1 % of select (about 1 min)", run: slack::run },
    Bench { name: "trace", about: "whole chains, unexplained time and disturbance of traced sleeps", run: trace::run },
    Bench {
        name: "runtimes",
        about: "timers of the runtimes installed here, and twelve rules planted in one: -- table (1 min), write (5 min), planted [quiet] [loaded] [RULE…] (20 min)",
        run: runtimes::run,
    },
    Bench { name: "library", about: "the precise-sleep library beside its peers", run: library::run },
    Bench { name: "sim", about: "how fast kernels are simulated", run: sim::run },
    Bench {
        name: "explain",
        about: "time and memory of `explain` on a million sleeps, with --long on a hundred million",
        run: explain::run,
    },
    Bench {
        name: "analysis",
        about: "figures of ten million sleeps beside DuckDB's, with --long of a hundred million: -- [FOLDER to keep them]",
        run: analysis::run,
    },
    Bench {
        name: "diagnose",
        about: "confusion table of the pattern witness on random simulated kernels, and its speed",
        run: diagnose::run,
    },
    Bench {
        name: "plants",
        about: "what is said of sleeps that something planted makes late (root, about 5 min)",
        run: plants::run,
    },
    Bench {
        name: "remedies",
        about: "what remedies are predicted to be worth, beside what is measured (root, about 2 min)",
        run: remedies::run,
    },
];

pub(crate) fn run(options: &Options) -> bool {
    let Some(name) = &options.name else {
        for bench in BENCHES {
            println!("{:12} {}", bench.name, bench.about);
        }
        return true;
    };
    let Some(bench) = BENCHES.iter().find(|bench| bench.name == name) else {
        eprintln!("no benchmark is called `{name}`; `cargo xtask bench` lists them");
        return false;
    };
    match (bench.run)(options) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("{name}: {why}");
            false
        }
    }
}
