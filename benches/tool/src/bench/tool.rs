//! Functions that run the release build and other programs, and read their output.

use crate::{child, toolchain, tree};
use oversleep_lab::figures::interval::median_ranks;
use oversleep_lab::figures::quantile::{Fraction, of_sorted};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the path of the program named after `--`, or else of a release build, as users get it.
pub(super) fn named_or_release(options: &super::Options) -> Result<PathBuf, String> {
    match &options.own[..] {
        [] => {
            let root = tree::root();
            eprintln!("building the release binary");
            child::cargo(&root, &["build", "--quiet", "--release", "-p", "oversleep-cli"])?;
            Ok(toolchain::target_folder(&root).join("release").join("oversleep"))
        }
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

/// Runs a program to its end; returns its standard output, or an error if it fails.
pub(super) fn run(program: &Path, arguments: &[&str]) -> Result<String, String> {
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
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program whose standard output is one JSON document.
pub(super) fn json(program: &Path, arguments: &[&str]) -> Result<Value, String> {
    let printed = run(program, arguments)?;
    serde_json::from_str(&printed).map_err(|error| format!("{}: {error}", program.display()))
}

/// Returns the median by nearest rank and its 95 % interval (as of the percentile bootstrap); with too few values, the
/// interval is the whole range.
pub(super) fn median(values: &[f64]) -> Option<(f64, f64, f64)> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let middle = of_sorted(&sorted, Fraction::P50)?;
    let index = |rank: u64| usize::try_from(rank).map_or(0, |rank| rank - 1);
    let (low, high) = median_ranks(n as u64).map_or((0, n - 1), |(low, high)| (index(low), index(high)));
    Some((middle, sorted[low], sorted[high]))
}
