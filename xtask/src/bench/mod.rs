//! Benchmarks by name. They time, so they never run as part of `check`.

mod diagnose;

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// Which benchmark; without a name, list them.
    name: Option<String>,
    /// Passed on to the benchmark.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// A benchmark: it prints its figures and returns whether it could measure them.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> bool,
}

/// Every benchmark; a new one is one file beside this one and one line here.
const BENCHES: &[Bench] = &[Bench {
    name: "diagnose",
    about: "confusion table of the pattern witness on random simulated kernels, and its speed",
    run: diagnose::run,
}];

pub(crate) fn run(options: &Options) -> bool {
    let Some(name) = &options.name else {
        for bench in BENCHES {
            println!("{:12} {}", bench.name, bench.about);
        }
        return true;
    };
    if let Some(bench) = BENCHES.iter().find(|bench| bench.name == name) {
        return (bench.run)(&options.rest);
    }
    eprintln!("no benchmark is called `{name}`; `cargo xtask bench` lists them");
    false
}
