//! `analysis`: the figures of a long recording, beside `DuckDB`'s for the same sleeps in Parquet.
//!
//! What each does beyond those figures: ours reads every column and verifies every checksum, and computes mean, deviation,
//! early wakes and the median's interval; its time is that of the whole process. `DuckDB` reads two columns of a compressed
//! file, and its quantiles are exact beyond 262 µs too; only its query is timed, not the start of Python.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Measured, Scratch};
use crate::toolchain;
use crate::tree;
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const MILLION: u64 = 1_000_000;
/// Estimated size of a sleep in both files, in bytes.
const BYTES: u64 = 90;
/// Goals: time over that of `DuckDB`, and peak memory.
const GOAL_RATIO: f64 = 1.0;
const GOAL_MIB: f64 = 256.0;
/// Largest error of our quantiles where they come from a histogram, as a share.
const HISTOGRAM_ERROR: f64 = 1e-3;

/// A simulated kernel whose sleeps are recorded.
struct Kernel {
    name: &'static str,
    about: &'static str,
    /// Arguments of `simulate`.
    arguments: &'static [&'static str],
}

const KERNELS: [Kernel; 2] = [
    Kernel {
        name: "timers",
        about: "high-resolution timers; nearly all sleeps are less than 262 µs late and counted by the nanosecond",
        arguments: &["linux-2.6-hrtimer"],
    },
    Kernel {
        name: "ticks",
        about: "ticks of 4 ms; nearly all sleeps are later and go into a histogram of three digits",
        arguments: &["linux-nohighres-hz250", "--phase", "random:4ms"],
    },
];

/// What both kernels have: latency with an exponential part of 15 µs, and a clock that shows nanoseconds.
const BOTH: [&str; 4] = ["--set", "lat_exp_us=15", "--set", "read_unit_ns=1"];
/// Requests that each kernel sleeps, in equal numbers.
const REQUESTS: [&str; 3] = ["200us", "1ms", "5ms"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    if options.install {
        toolchain::allow_installing();
    }
    let python = toolchain::python_environment(&tree::root(), "requirements.txt")?;
    let ours = tool::release()?;
    let scratch = Scratch::new("analysis")?;
    let (folder, kept) = match &options.own[..] {
        [] => (scratch.0.clone(), false),
        [folder] => (PathBuf::from(folder), true),
        _ => return Err("after `--` comes a folder that keeps the recordings, or nothing".to_owned()),
    };
    let (sleeps, blocks) = if options.long { (100 * MILLION, 3) } else { (10 * MILLION, 5) };
    println!("{}", sheet::place());
    let mut sheet = Sheet::new(
        &format!("Figures of {} M sleeps beside DuckDB's, {blocks} ABBA blocks", sleeps / MILLION),
        &["kernel", "recording, Parquet", "ours", "DuckDB", "ratio, 95 % interval", "peak memory", "figures"],
    );
    let mut missed = Vec::new();
    for kernel in &KERNELS {
        let files = Files::of(kernel, sleeps, &folder);
        files.make(&ours, Path::new(&python), kernel, sleeps, &folder)?;
        let seen = Seen::measure(&ours, Path::new(&python), &files, blocks)?;
        sheet.row(seen.row(kernel, &files));
        sheet.remark(format!("{}: {}. {}.", kernel.name, kernel.about, seen.engine));
        missed.extend(seen.missed().into_iter().map(|why| format!("{}: {why}", kernel.name)));
        if !kept {
            files.remove();
        }
    }
    sheet.print(options);
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ")) }
}

/// The same sleeps as a recording and in Parquet.
struct Files {
    recording: String,
    parquet: String,
}

impl Files {
    fn of(kernel: &Kernel, sleeps: u64, folder: &Path) -> Self {
        let file = |ending| folder.join(format!("{}-{}M.{ending}", kernel.name, sleeps / MILLION));
        let [recording, parquet] = ["arrows", "parquet"].map(|ending| file(ending).display().to_string());
        Self { recording, parquet }
    }

    /// Makes both files, unless the folder has them from an earlier run.
    fn make(&self, ours: &Path, python: &Path, kernel: &Kernel, sleeps: u64, folder: &Path) -> Result<(), String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        // The script gives its file the name only when it is whole.
        if Path::new(&self.parquet).exists() {
            return Ok(());
        }
        tool::room(folder, sleeps * BYTES)?;
        eprintln!("analysis: making {sleeps} sleeps ({})", kernel.name);
        let each = (sleeps / REQUESTS.len() as u64).to_string();
        let requests = REQUESTS.join(",");
        let own = ["-q", "-r", &requests, "-n", &each, "--out", &self.recording, "--force"];
        tool::run(ours, &[&["simulate"][..], kernel.arguments, &BOTH, &own].concat())?;
        let script = tree::root().join(toolchain::ENGINES).join("to_parquet.py").display().to_string();
        tool::run(python, &[&script, &self.recording, &self.parquet])?;
        Ok(())
    }

    /// Reads both files once, so that they are in memory before the first run.
    fn warm(&self) -> Result<(), String> {
        for path in [&self.recording, &self.parquet] {
            File::open(path)
                .and_then(|mut file| io::copy(&mut file, &mut io::sink()))
                .map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(())
    }

    fn megabytes(&self) -> String {
        let size = |path: &String| fs::metadata(path).map_or(0, |data| data.len()) / MILLION;
        format!("{}, {} MB", size(&self.recording), size(&self.parquet))
    }

    fn remove(&self) {
        for file in [&self.recording, &self.parquet] {
            let _ = fs::remove_file(file);
        }
    }
}

/// What was measured of a kernel's sleeps; of pairs, ours comes first.
struct Seen {
    seconds: [Vec<f64>; 2],
    ratios: Vec<f64>,
    peaks_kib: [Option<u64>; 2],
    agreement: String,
    engine: String,
}

impl Seen {
    /// Measures in blocks A B B A, and compares the figures.
    fn measure(ours: &Path, python: &Path, files: &Files, blocks: u32) -> Result<Self, String> {
        let script = tree::root().join(toolchain::ENGINES).join("quantiles.py").display().to_string();
        let mut seconds = [Vec::new(), Vec::new()];
        let (mut ratios, mut peaks_kib) = (Vec::new(), [None; 2]);
        let mut documents = [Value::Null, Value::Null];
        files.warm()?;
        for block in 1..=blocks {
            eprintln!("analysis: block {block} of {blocks}");
            let mut sums = [0.0; 2];
            for side in [0, 1, 1, 0] {
                let Measured { printed, elapsed, peak_kib } = match side {
                    0 => tool::measured(ours, &["report", "--json", &files.recording])?,
                    _ => tool::measured(python, &[&script, &files.parquet])?,
                };
                let document: Value = serde_json::from_str(&printed).map_err(|error| error.to_string())?;
                let taken = document["seconds"].as_f64().unwrap_or(elapsed.as_secs_f64());
                seconds[side].push(taken);
                sums[side] += taken;
                peaks_kib[side] = peaks_kib[side].max(peak_kib);
                documents[side] = document;
            }
            ratios.push(sums[0] / sums[1]);
        }
        let [ours, theirs] = &documents;
        let agreement = agreement(&ours["cells"], &theirs["cells"])?;
        let engine = format!("DuckDB {}, {} threads", theirs["version"].as_str().unwrap_or("?"), theirs["threads"]);
        Ok(Self { seconds, ratios, peaks_kib, agreement, engine })
    }

    fn row(&self, kernel: &Kernel, files: &Files) -> [String; 7] {
        let [ours, theirs] =
            self.seconds.each_ref().map(|all| tool::median(all).map_or(f64::NAN, |(middle, ..)| middle));
        let [our_peak, their_peak] =
            self.peaks_kib.map(|kib| kib.map_or("?".to_owned(), |kib| (kib >> 10).to_string()));
        [
            kernel.name.to_owned(),
            files.megabytes(),
            format!("{ours:.2} s"),
            format!("{theirs:.2} s"),
            tool::ratio(&self.ratios),
            format!("{our_peak}, {their_peak} MiB"),
            self.agreement.clone(),
        ]
    }

    /// Returns which goals were missed.
    fn missed(&self) -> Vec<String> {
        let mut missed = Vec::new();
        if tool::median(&self.ratios).is_none_or(|(middle, ..)| middle > GOAL_RATIO) {
            missed.push(format!("{} of DuckDB's time, goal {GOAL_RATIO}", tool::ratio(&self.ratios)));
        }
        if let Some(kib) = self.peaks_kib[0].filter(|kib| *kib as f64 / 1_024.0 > GOAL_MIB) {
            missed.push(format!("{} MiB, goal {GOAL_MIB}", kib >> 10));
        }
        missed
    }
}

/// Compares the cells' figures, and returns how many are equal; an error if one differs by more than a histogram explains.
fn agreement(ours: &Value, theirs: &Value) -> Result<String, String> {
    let cells = |document: &Value| document.as_array().cloned().unwrap_or_default();
    let (ours, theirs) = (cells(ours), cells(theirs));
    if ours.is_empty() || ours.len() != theirs.len() {
        return Err(format!("{} cells, {} in DuckDB", ours.len(), theirs.len()));
    }
    let (mut equal, mut all, mut furthest) = (0, 0, 0.0_f64);
    for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        for key in ["n", "min_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns"] {
            let (Some(our), Some(their)) = (ours[key].as_f64(), theirs[key].as_f64()) else {
                return Err(format!("cell {number}: no {key}"));
            };
            let error = (our - their).abs() / their.abs().max(1.0);
            let binned = key.starts_with('p') && ours["quantiles_exact"] == false;
            if error > if binned { HISTOGRAM_ERROR } else { 0.0 } {
                return Err(format!("cell {number}: {key} is {our}, {their} in DuckDB"));
            }
            all += 1;
            equal += usize::from(error == 0.0);
            furthest = furthest.max(error);
        }
    }
    let rest = if equal == all { String::new() } else { format!(", others within {:.3} %", furthest * 100.0) };
    Ok(format!("{equal} of {all} equal{rest}"))
}

#[cfg(test)]
mod tests {
    use super::agreement;
    use serde_json::{Value, json};

    fn cells(p99: i64, most: i64, exact: bool) -> Value {
        json!([{"n": 9, "min_ns": -1, "p50_ns": 5, "p90_ns": 7, "p99_ns": p99, "p999_ns": 9, "max_ns": most, "quantiles_exact": exact}])
    }

    #[test]
    fn figures_agree_exactly_or_within_the_histograms_error() {
        let theirs = cells(100_000, 200_000, true);
        assert_eq!(agreement(&theirs, &theirs), Ok("7 of 7 equal".to_owned()));
        assert_eq!(
            agreement(&cells(100_050, 200_000, false), &theirs),
            Ok("6 of 7 equal, others within 0.050 %".to_owned())
        );
        assert!(agreement(&cells(100_050, 200_000, true), &theirs).is_err(), "exact figures have no error");
        assert!(agreement(&cells(100_101, 200_000, false), &theirs).is_err(), "beyond the histogram's error");
        assert!(agreement(&cells(100_000, 200_001, false), &theirs).is_err(), "extremes are always exact");
        assert!(agreement(&json!([]), &json!([])).is_err() && agreement(&theirs, &json!([{}])).is_err());
    }
}
