//! `startup`: how soon the first sleep begins, and how long `list` takes.
//!
//! This program and `oversleep` read the same clock. So the first `start_ns` minus a reading before the start is the
//! time to the first sleep, including the start of the process.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use oversleep_sys::clock::monotonic;
use std::path::Path;

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    println!("{}", sheet::place());
    let runs = if options.long { 100 } else { 20 };
    let scratch = Scratch::new("startup")?;
    let mut sheet = Sheet::new(&format!("Start-up, {runs} runs"), &["", "median, 95 % interval", "goal"]);
    let out = format!("--out={}", scratch.file("ours.arrows"));
    let one = ["measure", "-q", "-m", "nanosleep", "-r", "1us", "-n", "1", "--csv"];
    let all = ["measure", "-q", "-m", "all", "-r", "1us", "-n", "1", "--csv"];
    let kept = ["--force", &out];
    sheet.row(["to the first sample", &first_sample(&ours, &[&one[..], &kept].concat(), runs)?, "< 20 ms"]);
    sheet.row([
        "to the first sample, every method opened",
        &first_sample(&ours, &[&all[..], &kept].concat(), runs)?,
        "< 20 ms",
    ]);
    sheet.row([
        "to the first sample, nothing kept",
        &first_sample(&ours, &[&one[..], &["--no-save"]].concat(), runs)?,
        "< 20 ms",
    ]);
    sheet.row(["oversleep list", &whole(&ours, &["list"], runs)?, "< 10 ms"]);
    sheet.row(["oversleep --version", &whole(&ours, &["--version"], runs)?, ""]);
    sheet.print(options);
    Ok(())
}

fn millis(values: &[f64]) -> String {
    tool::median(values).map_or("–".to_owned(), |(middle, low, high)| {
        format!("{:.2} ms [{:.2}, {:.2}]", middle / 1e6, low / 1e6, high / 1e6)
    })
}

fn first_sample(ours: &Path, arguments: &[&str], runs: u32) -> Result<String, String> {
    let mut values = Vec::new();
    for _ in 0..runs {
        let begun = monotonic();
        let printed = tool::run(ours, arguments)?;
        let first = tool::first_start(&printed.out).ok_or("no sample on the monotonic clock")?;
        values.push((first - begun.get()) as f64);
    }
    Ok(millis(&values))
}

fn whole(ours: &Path, arguments: &[&str], runs: u32) -> Result<String, String> {
    let mut values = Vec::new();
    for _ in 0..runs {
        let begun = monotonic();
        tool::run(ours, arguments)?;
        values.push((monotonic() - begun).as_f64());
    }
    Ok(millis(&values))
}
