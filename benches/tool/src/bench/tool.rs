//! Functions that run the release build and other programs, and read their output.

use crate::child;
use crate::tree;
use oversleep_lab::figures::interval::median_ranks;
use oversleep_lab::figures::quantile::{Fraction, of_sorted};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Builds `oversleep` as users get it; returns its path.
pub(super) fn release() -> Result<PathBuf, String> {
    let root = tree::root();
    eprintln!("building the release binary");
    let words = ["cargo", "build", "--quiet", "--release", "-p", "oversleep-cli"];
    let status = child::command(&root, &words).status();
    match status {
        Ok(status) if status.success() => {
            let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
            Ok(folder.join("release").join("oversleep"))
        }
        Ok(status) => Err(format!("cargo build: {status}")),
        Err(error) => Err(format!("cargo: {error}")),
    }
}

/// Returns the path of the program named after `--`, or else of a release build.
pub(super) fn named_or_release(options: &super::Options) -> Result<PathBuf, String> {
    match &options.own[..] {
        [] => release(),
        [path] => fs::canonicalize(path).map_err(|error| format!("{path}: {error}")),
        _ => Err("after `--` comes the binary to run, or nothing".to_owned()),
    }
}

/// A temporary folder, removed when this is dropped.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("oversleep-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    pub(super) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Standard output and standard error of a command that succeeded.
pub(super) struct Printed {
    pub(super) out: String,
    pub(super) err: String,
}

/// Runs a program to its end; an error if it fails.
pub(super) fn run(program: &Path, arguments: &[&str]) -> Result<Printed, String> {
    let name = program.display();
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{name} {}: {}", arguments.join(" "), err.lines().last().unwrap_or("no message")));
    }
    Ok(Printed { out: String::from_utf8_lossy(&output.stdout).into_owned(), err })
}

/// Runs a program whose standard output is one JSON document.
pub(super) fn json(program: &Path, arguments: &[&str]) -> Result<Value, String> {
    let printed = run(program, arguments)?;
    serde_json::from_str(&printed.out).map_err(|error| format!("{}: {error}", program.display()))
}

/// Returns when the first sleep of a CSV of samples began, in nanoseconds of the monotonic clock. Samples on other
/// clocks do not count, because their times cannot be compared.
pub(super) fn first_start(samples: &str) -> Option<i64> {
    let mut lines = samples.lines();
    let header: Vec<_> = lines.next()?.split(',').collect();
    let column = |name: &str| header.iter().position(|field| *field == name);
    let (clock, start) = (column("clock")?, column("start_ns")?);
    let starts = lines.filter_map(|line| {
        let fields: Vec<_> = line.split(',').collect();
        (fields.get(clock) == Some(&"monotonic")).then(|| fields.get(start)?.parse::<i64>().ok())?
    });
    starts.min()
}

/// Returns a figure of a cell, by its JSON pointer within the cell.
pub(super) fn figure(document: &Value, cell: usize, pointer: &str) -> Option<f64> {
    document.pointer(&format!("/cells/{cell}/{pointer}"))?.as_f64()
}

/// Waits for a child; returns its peak resident memory in KiB, or `None` where the system does not say it. The value is
/// read every 20 ms while the child runs; the kernel keeps the maximum (`VmHWM`).
pub(super) fn peak_kib(child: &mut Child) -> Option<u64> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while let Ok(None) = child.try_wait() {
        peak = high_water(Path::new(&status)).or(peak);
        sleep(Duration::from_millis(20));
    }
    peak
}

/// Reads the peak resident memory (`VmHWM`) in KiB from a process's status file.
pub(super) fn high_water(status: &Path) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

/// What was measured of a program that ran to its end.
pub(super) struct Measured {
    /// Its standard output.
    pub(super) printed: String,
    /// Time from its start to its end.
    pub(super) elapsed: Duration,
    /// Peak resident memory, as of [`peak_kib`].
    pub(super) peak_kib: Option<u64>,
}

/// Runs a program to its end and measures it; an error if it fails.
pub(super) fn measured(program: &Path, arguments: &[&str]) -> Result<Measured, String> {
    let name = program.display();
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut out = child.stdout.take().ok_or("no standard output")?;
    let ended = AtomicBool::new(false);
    let (mut printed, mut elapsed) = (String::new(), Duration::ZERO);
    let (ended_well, peak_kib) = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = None;
            while !ended.load(Ordering::Relaxed) {
                peak = high_water(&status).or(peak);
                sleep(Duration::from_millis(20));
            }
            peak
        });
        let read = out.read_to_string(&mut printed).and_then(|_| child.wait());
        elapsed = begun.elapsed();
        ended.store(true, Ordering::Relaxed);
        (read, watch.join().unwrap_or_default())
    });
    match ended_well {
        Ok(status) if status.success() => Ok(Measured { printed, elapsed, peak_kib }),
        Ok(status) => Err(format!("{name} {}: {status}", arguments.join(" "))),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// Returns an error if the disk does not have room for twice this number of bytes in a folder.
pub(super) fn room(folder: &Path, bytes: u64) -> Result<(), String> {
    let folder = folder.display().to_string();
    let printed = run(Path::new("df"), &["-Pk", &folder])?.out;
    let free = printed.lines().nth(1).and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
    match free {
        Some(kib) if kib * 1_024 < 2 * bytes => {
            Err(format!("{folder} has {} MB free; {} are needed", kib / 1_000, 2 * bytes / 1_000_000))
        }
        _ => Ok(()),
    }
}

/// Returns the order of a round's runs: forwards in even rounds, backwards in odd ones, so that a drift of the machine
/// affects all alike.
pub(super) fn order<const N: usize>(round: usize) -> [usize; N] {
    std::array::from_fn(|at| if round.is_multiple_of(2) { at } else { N - 1 - at })
}

/// Returns the median by nearest rank and its 95 % interval (as of the percentile bootstrap); with too few values, the
/// interval is the whole range.
pub(super) fn median(values: &[f64]) -> Option<(f64, f64, f64)> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let middle = of_sorted(&sorted, Fraction::P50)?;
    let at = |rank: u64| usize::try_from(rank).map_or(0, |rank| rank - 1);
    let (low, high) = median_ranks(n as u64).map_or((0, n - 1), |(low, high)| (at(low), at(high)));
    Some((middle, sorted[low], sorted[high]))
}

/// Returns a median with its interval as text: `0.987 [0.961, 1.012]`.
pub(super) fn ratio(values: &[f64]) -> String {
    match median(values) {
        Some((middle, low, high)) => format!("{middle:.3} [{low:.3}, {high:.3}]"),
        None => "–".to_owned(),
    }
}

/// Returns nanoseconds as text in microseconds.
pub(super) fn micros(ns: f64) -> String {
    format!("{:.2} µs", ns / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sample_is_the_earliest_on_the_monotonic_clock() {
        let samples = "cell,clock,start_ns\n0,monotonic,30\n1,realtime,5\n2,monotonic,20\n";
        assert_eq!(first_start(samples), Some(20));
        assert_eq!(first_start("cell,clock,end_ns\n0,monotonic,30\n"), None);
    }

    #[test]
    fn a_median_stands_between_its_bounds() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, f64::NAN]), Some((1.0, 1.0, 3.0)));
        let many: Vec<f64> = (1..=101).map(f64::from).collect();
        let (middle, low, high) = median(&many).unwrap();
        assert_eq!(middle.to_bits(), 51_f64.to_bits());
        assert!(low > 30.0 && low < 51.0 && high > 51.0 && high < 72.0);
    }
}
