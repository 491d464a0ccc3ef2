//! What stops must look like in a report, and whether they do.

use oversleep_sys::units::Nanos;
use serde_json::Value;

/// How far a figure may be from what was planted.
const WITHIN: f64 = 0.1;

/// Which figure of a report is compared with which of the stops.
#[derive(Clone, Copy)]
pub(super) enum Expectation {
    /// A schedule in samples: the corrected 99th percentile.
    Schedule,
    /// A schedule in buckets whose program skips what it missed: the corrected 99th percentile.
    Skipping,
    /// A distribution whose program skips no period, or has corrected it: its 99th percentile as it is.
    Complete,
    /// Sleeps or gaps without a schedule, of which each stop makes one value: the largest is the longest stop.
    Largest,
    /// Neither: a stop leaves a mark only if it falls between sending and arrival. The largest value is shown.
    Handover,
}

/// Whether a report is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Within 10 % of what was planted.
    Agrees,
    /// Its bounds hold what was planted, and it says what the file lacks.
    Covers,
    Wrong,
    /// Nothing is expected of the figure.
    NotJudged,
}

impl Expectation {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Schedule | Self::Skipping => "p99 of every period",
            Self::Complete => "p99, nothing to correct",
            Self::Largest => "longest stop",
            Self::Handover => "nothing: handovers",
        }
    }

    /// Compares a report with the stops of a run, both in seconds; returns the comparison as text.
    pub(super) fn judge(self, document: &Value, stops: &[f64], lasted: f64) -> Result<(String, Verdict), String> {
        let expected = match self {
            Self::Largest | Self::Handover => stops.iter().copied().fold(0.0, f64::max),
            _ => p99(stops, lasted),
        };
        let at = |pointer: &str| document.pointer(pointer).and_then(Value::as_f64).map(|ns| ns / 1e9);
        let both = |pointer: &str| Some((at(&format!("{pointer}/low_ns"))?, at(&format!("{pointer}/high_ns"))?));
        let one = |pointer: &str| at(pointer).map(|value| (value, value));
        let found = match self {
            Self::Schedule => one("/cells/0/corrected/p99_ns"),
            Self::Skipping => both("/distributions/0/corrected/p99"),
            Self::Complete => both("/distributions/0/p99"),
            Self::Largest | Self::Handover => one("/distributions/0/max_ns"),
        };
        let (low, high) = found.ok_or("the report has no such figure")?;
        let verdict = match self {
            Self::Handover => Verdict::NotJudged,
            _ => verdict(expected, low, high, lost(document) != "–"),
        };
        let reported = if time(low) == time(high) { time(low) } else { format!("{} to {}", time(low), time(high)) };
        let reported = match verdict {
            Verdict::Agrees => reported,
            Verdict::NotJudged => return Ok((format!("– → {reported}"), verdict)),
            Verdict::Covers => format!("({reported})"),
            Verdict::Wrong => format!("{reported} ✗"),
        };
        Ok((format!("{} → {reported}", time(expected)), verdict))
    }
}

fn verdict(expected: f64, low: f64, high: f64, says: bool) -> Verdict {
    let near = |value: f64| (value / expected - 1.0).abs() <= WITHIN;
    match (near(low) && near(high), says && low <= expected && expected <= high) {
        (true, _) => Verdict::Agrees,
        (false, true) => Verdict::Covers,
        (false, false) => Verdict::Wrong,
    }
}

/// Returns the 99th percentile of what the periods of a run felt, in seconds: beyond it, the waits of all stops add up to
/// a hundredth of the run. A period that became due when `left` of a stop was to come waited for `left`, so the periods
/// of a stop waited for all times up to its length alike; the others waited for next to nothing.
fn p99(stops: &[f64], lasted: f64) -> f64 {
    let (mut low, mut high) = (0.0, stops.iter().copied().fold(0.0, f64::max));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let beyond: f64 = stops.iter().map(|stop| (stop - middle).max(0.0)).sum();
        if beyond > lasted / 100.0 { low = middle } else { high = middle }
    }
    high
}

/// Returns what a report says that the file lacks.
pub(super) fn lost(document: &Value) -> String {
    let words = document.pointer("/distributions/0/lost").and_then(Value::as_array);
    let words: Vec<&str> = words.into_iter().flatten().filter_map(Value::as_str).collect();
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}

fn time(seconds: f64) -> String {
    Nanos::from_f64(seconds * 1e9).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_is_that_of_the_waits_written_out() {
        // 5 s of 1 ms, two stops: every wait in units of 1 ms.
        let mut waits: Vec<u32> = (1..=50).chain(1..=200).collect();
        waits.resize(5_000, 0);
        waits.sort_unstable();
        let found = p99(&[0.05, 0.2], 5.0) * 1e3;
        assert!((found - f64::from(waits[4_949])).abs() <= 1.0, "{found} and {}", waits[4_949]);
        assert!(p99(&[0.001], 5.0) < 1e-9, "too little to be seen");
    }

    #[test]
    fn bounds_are_right_if_near_or_if_they_hold_it_and_say_why_they_are_wide() {
        assert_eq!(verdict(1.0, 0.95, 1.09, false), Verdict::Agrees);
        assert_eq!(verdict(1.0, 0.01, 1.09, true), Verdict::Covers);
        assert_eq!(verdict(1.0, 0.01, 1.09, false), Verdict::Wrong);
        assert_eq!(verdict(1.0, 1.2, 1.3, true), Verdict::Wrong);
    }
}
