//! The rows in the form that the OS X clocks article printed.

use oversleep_recording::document::clocks::Clocks;
use std::fmt::Write;

/// Returns one line per clock and loop, with a blank line between clocks:
///
/// ```text
/// mach_absolute_time, op: 1000,    total(ns):      70447, 70 (ns/call)
/// ```
pub fn as_the_article(survey: &Clocks) -> String {
    let width = survey.clocks.iter().map(|measured| measured.clock.len()).max().unwrap_or(0);
    let mut out = String::new();
    for measured in survey.clocks.iter().filter(|measured| !measured.costs.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        for cost in &measured.costs {
            out += &line(&measured.clock, width, cost.calls, cost.total.get());
        }
    }
    out
}

/// Formats one loop, with nanoseconds per call cut off as in the article.
fn line(name: &str, width: usize, calls: u64, total: i64) -> String {
    let per_call = total / i64::try_from(calls.max(1)).unwrap_or(i64::MAX);
    let mut line = String::new();
    _ = writeln!(line, "{name:<width$}, op: {:<8} total(ns): {total:>10}, {per_call} (ns/call)", format!("{calls},"));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_article_s_own_rows_come_out_as_it_printed_them() {
        let width = "mach_absolute_time".len();
        let row = |name, calls, total| line(name, width, calls, total).trim_end().to_owned();
        assert_eq!(
            row("mach_absolute_time", 1_000, 70_447),
            "mach_absolute_time, op: 1000,    total(ns):      70447, 70 (ns/call)"
        );
        assert_eq!(
            row("clock_get_time", 5_000_000, 11_689_396_590),
            "clock_get_time    , op: 5000000, total(ns): 11689396590, 2337 (ns/call)"
        );
    }
}
