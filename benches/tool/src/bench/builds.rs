//! `builds`: compares the speed of this build with another one, in turns A B B A.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use oversleep_sys::clock::monotonic;
use std::path::{Path, PathBuf};

/// A figure that is measured on both builds; smaller is better.
struct Figure {
    name: &'static str,
    blocks: usize,
    /// The table's unit in nanoseconds.
    unit_ns: f64,
    measure: fn(&Path, &Scratch) -> Result<f64, String>,
}

const FIGURES: &[Figure] = &[
    Figure { name: "`oversleep list`, ms", blocks: 30, unit_ns: 1e6, measure: |program, _| whole(program, &["list"]) },
    Figure { name: "to the first sample, every method, ms", blocks: 30, unit_ns: 1e6, measure: first_sample },
    Figure { name: "`explain`, 1 M sleeps, ms", blocks: 8, unit_ns: 1e6, measure: explain },
    Figure { name: "`simulate`, 3 M sleeps, ms", blocks: 8, unit_ns: 1e6, measure: simulate },
    Figure { name: "periodic, FIFO 80, 1 ms: median oversleep, µs", blocks: 10, unit_ns: 1e3, measure: periodic },
    Figure { name: "`clock-nanosleep-abs`, 200 µs: median oversleep, µs", blocks: 12, unit_ns: 1e3, measure: sleeps },
];

/// Compares the release build with the program whose path is given after `--`.
pub(super) fn run(options: &Options) -> Result<(), String> {
    let [other] = options.own.as_slice() else {
        return Err("say which program to compare with: cargo xtask bench builds -- OTHER/oversleep".to_owned());
    };
    let (ours, other) = (tool::release()?, PathBuf::from(other));
    println!("{}", sheet::place());
    let scratch = Scratch::new("builds")?;
    simulated(&ours, &["-r", "1ms", "--phase", "random:4ms", "-n", "1000000", "--out", &scratch.file(MILLION)])?;
    let mut sheet = Sheet::new(
        "This build against another, ABBA blocks; medians",
        &["", "this build", "the other", "ratio, 95 % interval"],
    );
    for figure in FIGURES {
        eprintln!("builds: {}", figure.name);
        let (mut a, mut b, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..figure.blocks {
            let of = |program: &Path| (figure.measure)(program, &scratch);
            let [first, second, third, fourth] = [of(&ours)?, of(&other)?, of(&other)?, of(&ours)?];
            a.extend([first, fourth]);
            b.extend([second, third]);
            ratios.push((first + fourth) / (second + third));
        }
        let middle = |values: &[f64]| tool::median(values).map_or(f64::NAN, |(middle, ..)| middle / figure.unit_ns);
        let shown = |values: &[f64]| format!("{:.2}", middle(values));
        sheet.row([figure.name.to_owned(), shown(&a), shown(&b), tool::ratio(&ratios)]);
    }
    sheet.print(options);
    Ok(())
}

/// Name of the recording of a million sleeps.
const MILLION: &str = "million.arrows";

fn simulated(program: &Path, arguments: &[&str]) -> Result<(), String> {
    tool::run(program, &[&["simulate", "-q", "linux-nohighres-hz250"], arguments].concat()).map(|_| ())
}

/// Runs the program; returns how long it took, in nanoseconds.
fn whole(program: &Path, arguments: &[&str]) -> Result<f64, String> {
    let begun = monotonic();
    tool::run(program, arguments)?;
    Ok((monotonic() - begun).as_f64())
}

fn first_sample(program: &Path, _: &Scratch) -> Result<f64, String> {
    let begun = monotonic();
    let printed = tool::run(program, &["measure", "-q", "-m", "all", "-r", "1us", "-n", "1", "--csv", "--no-save"])?;
    let first = tool::first_start(&printed.out).ok_or("no sample on the monotonic clock")?;
    Ok((first - begun.get()) as f64)
}

fn explain(program: &Path, scratch: &Scratch) -> Result<f64, String> {
    whole(program, &["explain", &scratch.file(MILLION)])
}

fn simulate(program: &Path, _: &Scratch) -> Result<f64, String> {
    whole(program, &["simulate", "-q", "dragonfly-1.0-i8254", "-r", "10ms", "-n", "3000000", "--json"])
}

/// Measures a schedule under a real-time policy, which the machine must allow; returns the median oversleep in
/// nanoseconds.
fn periodic(program: &Path, _: &Scratch) -> Result<f64, String> {
    let own = ["-e", "periodic", "--policy", "fifo:80", "--interval", "1ms", "--latency-hold", "0us", "--mlock"];
    median(program, &[&own[..], &["-n", "2500"]].concat())
}

fn sleeps(program: &Path, _: &Scratch) -> Result<f64, String> {
    median(program, &["-m", "clock-nanosleep-abs", "-r", "200us", "-n", "2000"])
}

/// Measures; returns the median oversleep of the first cell, in nanoseconds.
fn median(program: &Path, arguments: &[&str]) -> Result<f64, String> {
    let document = tool::json(program, &[&["measure", "-q", "--json", "--no-save"], arguments].concat())?;
    tool::figure(&document, 0, "p50_ns").ok_or_else(|| "no median".to_owned())
}
