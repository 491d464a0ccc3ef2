//! Runs cyclictest and reads its results.

use crate::bench::tool;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Arguments of cyclictest for the same conditions as [`OURS`]: FIFO 80 and locked memory; it holds latency to 0 by
/// default.
pub(super) const SAME: [&str; 4] = ["-m", "-p", "80", "-q"];
/// Arguments of oversleep.
pub(super) const OURS: [&str; 8] = [
    "measure",
    "-q",
    "--experiment=periodic",
    "--policy=fifo:80",
    "--mlock",
    "--latency-hold=0us",
    "--json",
    "--force",
];

/// Returns cyclictest's version, or why it cannot be run.
pub(super) fn find() -> Result<String, String> {
    // It has no option for the version, but its help begins with it.
    let output = std::process::Command::new("cyclictest").arg("--help").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok(text.lines().next().unwrap_or("cyclictest of unknown version").to_owned())
}

/// The results of one run.
pub(super) struct Found {
    pub(super) cycles: f64,
    pub(super) mean_ns: f64,
    /// Median latency; only with a histogram (`-h`, `-N`).
    pub(super) median_ns: Option<f64>,
}

/// Runs cyclictest; `json` is the path of the file for its results.
pub(super) fn run(arguments: &[&str], json: &str) -> Result<Found, String> {
    let file = format!("--json={json}");
    tool::run(Path::new("cyclictest"), &[&SAME, arguments, &[&file]].concat())?;
    let text = fs::read_to_string(json).map_err(|error| format!("{json}: {error}"))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| format!("{json}: {error}"))?;
    let thread = document.pointer("/thread/0").ok_or("cyclictest's results name no thread")?;
    let number = |key: &str| thread.get(key).and_then(Value::as_f64).ok_or(format!("cyclictest's results lack {key}"));
    Ok(Found { cycles: number("cycles")?, mean_ns: number("avg")?, median_ns: median(thread) })
}

/// Returns the histogram's median; values beyond the histogram count as above it.
fn median(thread: &Value) -> Option<f64> {
    let bins = thread.get("histogram")?.as_object()?;
    let mut bins: Vec<(u64, u64)> =
        bins.iter().filter_map(|(value, count)| Some((value.parse().ok()?, count.as_u64()?))).collect();
    bins.sort_unstable();
    let total = thread.get("cycles")?.as_u64()?;
    let mut seen = 0;
    bins.into_iter().find_map(|(value, count)| {
        seen += count;
        (2 * seen >= total).then_some(value as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn overflow_counts_as_above_the_histogram() {
        assert_eq!(median(&json!({"cycles": 4, "histogram": {"100": 1, "20": 1, "30": 1}})), Some(30.0));
        assert_eq!(median(&json!({"cycles": 9, "histogram": {"20": 1, "30": 2}})), None);
        assert_eq!(median(&json!({"cycles": 9, "histogram": {}})), None);
    }
}
