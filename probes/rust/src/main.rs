//! A probe for `oversleep runtimes` with the timers of Rust's runtimes. docs/RUNTIMES.md describes its protocol.
//!
//!     oversleep-probe-rust rust-tokio-sleep

mod apis;
mod clock;
mod load;

use apis::{APIS, Api};
use clock::Clock;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "--version" {
        println!("oversleep-probe-rust {} (Rust {})", env!("CARGO_PKG_VERSION"), env!("VERSION_rust"));
        return ExitCode::SUCCESS;
    }
    let Some(api) = APIS.iter().find(|api| api.name == name) else {
        let names: Vec<_> = APIS.iter().map(|api| api.name).collect();
        eprintln!("oversleep-probe-rust: no API is called '{name}'; use {}", names.join(", "));
        return ExitCode::from(2);
    };
    match answer(api) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oversleep-probe-rust: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the blocks of sleeps that standard input asks for, and prints their times.
fn answer(api: &Api) -> io::Result<()> {
    let clock = Clock::new();
    let load = std::env::var("OVERSLEEP_LOAD").ok().and_then(|load| load.parse().ok()).unwrap_or(0);
    let (cost, runtime) = (clock.cost(), api.runtime);
    let mut out = io::stdout().lock();
    let rust = env!("VERSION_rust");
    writeln!(out, "# oversleep-probe 1 clock=own mode=sleep cost_ns={cost} load={load} runtime=Rust {rust}{runtime}")?;
    out.flush()?;
    let mut sleeper = (api.open)(clock, load);
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "anchor" {
            writeln!(out, "# anchor {}", clock.now())?;
            out.flush()?;
            continue;
        }
        let mut numbers = line.split(' ').filter_map(|number| number.parse::<u64>().ok());
        let (Some(requested), Some(count)) = (numbers.next(), numbers.next()) else {
            return Err(io::Error::other(format!("'{line}' is not an order 'REQUEST_NS COUNT'")));
        };
        let rows = sleeper(Duration::from_nanos(requested), count);
        writeln!(out, "requested_ns,start_ns,end_ns")?;
        for (start, end) in rows {
            writeln!(out, "{requested},{start},{end}")?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}
