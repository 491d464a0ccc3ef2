//! `compare`: how often does it report a difference between equal sides, and does it see 2 µs more timer slack?
//!
//! Every run is a process and a recording of its own. Half of the comparisons of equal sides run beside busy threads.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Options of `measure` for both of two equal sides.
const SAME: [&str; 6] = ["-m", "nanosleep", "-r", "200us", "-n", "1000"];
/// Timer slack of side A, and the planted one of side B.
const PLANTED: [&str; 2] = ["50us", "52us"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let (same, planted) = match options.own.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (true, true),
        ["--only", "same"] => (true, false),
        ["--only", "planted"] => (false, true),
        _ => return Err("after `--` comes --only with one of same, planted".to_owned()),
    };
    let ours = tool::release()?;
    println!("{}", sheet::place());
    if same {
        false_alarms(&ours, options)?;
    }
    if planted {
        seen(&ours, options)?;
    }
    Ok(())
}

/// Compares equal sides and counts how often a difference is reported.
fn false_alarms(ours: &Path, options: &Options) -> Result<(), String> {
    let pairs = if options.long { 200 } else { 8 };
    let mut sheet = Sheet::new(
        &format!("The same on both sides: {pairs} comparisons of six interleaved pairs of runs"),
        &["", "figure", "alarms", "of", "95 % interval of the share"],
    );
    for (name, busy) in [("quiet", 0), ("beside two busy threads", 2)] {
        let load = Load::start(busy);
        let mut alarms = [0_u64; 2];
        let n = pairs / 2;
        for number in 0..n {
            eprintln!("compare: {name}, pair {} of {n}", number + 1);
            let found = compared(ours, &["-d", "1s"], &[&SAME, &SAME])?;
            for (alarms, figure) in alarms.iter_mut().zip(["p50", "p99"]) {
                *alarms += u64::from(differs(&found, figure));
            }
        }
        drop(load);
        for (alarms, figure) in alarms.into_iter().zip(["p50", "p99"]) {
            sheet.row([name.to_owned(), figure.to_owned(), alarms.to_string(), n.to_string(), interval(alarms, n)]);
        }
    }
    sheet.remark("An alarm is a verdict of later or earlier; five in a hundred are what the test allows.");
    sheet.print(options);
    Ok(())
}

/// Plants 2 µs of slack; counts how often they are seen and measures how soon.
fn seen(ours: &Path, options: &Options) -> Result<(), String> {
    let (tries, patience) = if options.long { (40, "60s") } else { (2, "15s") };
    let mut seen = 0;
    let (mut took, mut sizes) = (Vec::new(), Vec::new());
    for number in 0..tries {
        eprintln!("compare: planted, try {} of {tries}", number + 1);
        let [a, b] = PLANTED.map(|slack| [&SAME[..], &["--slack", slack]].concat());
        let begun = Instant::now();
        let found = compared(ours, &["-d", patience, "--resolve", "1us"], &[&a, &b])?;
        took.push(begun.elapsed().as_secs_f64());
        seen += u64::from(later(&found, "p50"));
        sizes.extend(shift(&found, "p50").and_then(|shift| shift["size_ns"].as_f64()));
    }
    let mut sheet = Sheet::new(
        &format!("Planted: slack {} against {}, at most {patience} each", PLANTED[0], PLANTED[1]),
        &["seen at p50", "of", "95 % interval of the share", "size, median", "time, median"],
    );
    let middle = |values: &[f64]| tool::median(values).map_or(f64::NAN, |(middle, ..)| middle);
    sheet.row([
        seen.to_string(),
        tries.to_string(),
        interval(seen, tries),
        tool::micros(middle(&sizes)),
        format!("{:.1} s", middle(&took)),
    ]);
    sheet.print(options);
    Ok(())
}

/// Returns the interval of a share as text, in percent.
fn interval(count: u64, n: u64) -> String {
    let (low, high) = share(count, n);
    format!("{:.1} to {:.1} %", low * 100.0, high * 100.0)
}

/// Returns Wilson's 95 % interval of the share `count / n`.
fn share(count: u64, n: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (n, p) = (n as f64, count as f64 / n as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

/// Measures both sides in turns and returns the document of `compare`.
fn compared(ours: &Path, how: &[&str], sides: &[&[&str]; 2]) -> Result<Value, String> {
    let words = [&["compare", "-q", "--json"], how, &["--run"], sides[0], &["--"], sides[1]].concat();
    tool::json(ours, &words)
}

fn shift<'a>(found: &'a Value, figure: &str) -> Option<&'a Value> {
    found["cells"][0]["shifts"].as_array()?.iter().find(|shift| shift["figure"] == figure)
}

fn verdict<'a>(found: &'a Value, figure: &str) -> &'a str {
    shift(found, figure).and_then(|shift| shift["verdict"].as_str()).unwrap_or("none")
}

fn later(found: &Value, figure: &str) -> bool {
    verdict(found, figure) == "later"
}

fn differs(found: &Value, figure: &str) -> bool {
    matches!(verdict(found, figure), "later" | "earlier")
}

/// Busy processes, which are killed when this is dropped.
struct Load(Vec<Child>);

impl Load {
    fn start(count: usize) -> Self {
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().ok();
        Self((0..count).filter_map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{differs, later, share, shift};
    use serde_json::json;

    #[test]
    fn a_share_has_the_interval_of_the_tables() {
        let (low, high) = share(5, 100);
        assert!((low - 0.0215).abs() < 1e-3 && (high - 0.1118).abs() < 1e-3, "{low} {high}");
        assert!(share(0, 10).0.abs() < 1e-12 && share(10, 10).1 <= 1.0);
    }

    #[test]
    fn verdicts_are_read_by_figure() {
        let shifts = json!([{"figure": "p50", "verdict": "later", "size_ns": 2000.0}, {"figure": "p99", "verdict": "undecided"}]);
        let found = json!({"cells": [{"shifts": shifts}]});
        assert!(later(&found, "p50") && differs(&found, "p50") && !differs(&found, "p99") && !differs(&found, "max"));
        assert_eq!(shift(&found, "p50").map(|shift| &shift["size_ns"]), Some(&json!(2000.0)));
    }
}
