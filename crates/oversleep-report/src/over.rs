//! How many sleeps were later than a limit, or stalls longer than it, and how large their share may be.

use super::columns::{self, Column};
use super::headline;
use super::percent::percent_two_digits;
use super::stalls;
use super::style::Screen;
use super::table;
use oversleep_figures::CellSummary;
use oversleep_recording::document::ShareOver;

/// Returns a table with one row per cell that has sleeps or was watched for stalls; empty if there is none.
pub fn text(cells: &[(&CellSummary, ShareOver)], screen: Screen) -> String {
    let shown: Vec<_> = cells.iter().filter(|(_, over)| over.of > 0 || over.watched.is_some()).collect();
    let Some((_, ShareOver { limit, .. })) = shown.first() else { return String::new() };
    let mut columns = table::names(shown.iter().map(|(cell, _)| *cell));
    columns.push(Column::words(&format!("over {limit}"), shown.iter().map(|(_, over)| counted(over)).collect()));
    let mut out = format!("\n{}", columns::fitted(&columns, screen));
    if shown.iter().any(|(_, over)| over.share_high.is_some()) {
        out += &screen.lines(0, &screen.aside(MEANING));
    }
    if shown.iter().any(|(_, over)| !over.exact) {
        let rounded = "more late sleeps than are stored one by one: the limit is rounded to three digits";
        out += &screen.lines(0, &screen.aside(rounded));
    }
    out
}

/// Returns how many sleeps of the worst row were later than the limit, or how many stalls were longer; `None` without any.
pub fn sentence(cells: &[(&CellSummary, ShareOver)]) -> Option<String> {
    let share = |over: &ShareOver| over.count as f64 / over.of.max(1) as f64;
    let slept = cells.iter().enumerate().filter(|(_, (_, over))| over.of > 0 || over.watched.is_some());
    let (at, (_, worst)) = slept.max_by(|(_, (_, a)), (_, (_, b))| share(a).total_cmp(&share(b)))?;
    if worst.watched.is_some() {
        let sum = |of: fn(&ShareOver) -> u64| cells.iter().map(|(_, over)| of(over)).sum::<u64>();
        let (count, all) = (sum(|over| over.count), sum(|over| over.of));
        return Some(format!("{count} of {all} stalls were longer than {:#}.", worst.limit));
    }
    if worst.count == 0 && cells.len() > 1 {
        let of: u64 = cells.iter().map(|(_, over)| over.of).sum();
        return Some(format!("None of {of} sleeps in {} rows was later than {:#}.", cells.len(), worst.limit));
    }
    let row = if cells.len() == 1 {
        String::new()
    } else {
        let summaries: Vec<CellSummary> = cells.iter().map(|(cell, _)| (*cell).clone()).collect();
        format!(" of the worst of {} rows ({})", cells.len(), headline::labels(&summaries)[at])
    };
    let ShareOver { count, of, limit, .. } = *worst;
    let percent = percent_two_digits(share(worst));
    Some(format!("{count} of {of} sleeps{row} were later than {limit:#}: {percent}{}.", interval(count, of)))
}

/// Meaning of the interval of a share.
const MEANING: &str =
    "in brackets: the 95 % interval of the share, exact for sleeps that are late independently of each other";

/// Returns the count in words: `2 of 7180, 0.028% (at most 0.1%)`; of stalls also their time.
fn counted(over: &ShareOver) -> String {
    let ShareOver { count, of, .. } = *over;
    match over.time.zip(over.watched) {
        Some((time, watched)) => {
            let share = stalls::share(time, watched).map_or_else(|| "–".to_owned(), percent_two_digits);
            format!("{count} of {of} stalls, {time} of {watched} watched, {share}")
        }
        None => {
            format!("{count} of {of}, {}{}", percent_two_digits(count as f64 / of.max(1) as f64), interval(count, of))
        }
    }
}

/// Returns the 95 % interval of a share in brackets, after a space; empty if there is none.
pub(super) fn interval(count: u64, of: u64) -> String {
    match oversleep_figures::interval::share(count, of) {
        Some((low, high)) if low > 0.0 && high < 1.0 => {
            format!(" ({} to {})", percent_two_digits(low), percent_two_digits(high))
        }
        Some((low, _)) if low > 0.0 => format!(" (at least {})", percent_two_digits(low)),
        Some((_, high)) => format!(" (at most {})", percent_two_digits(high)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn a_share_is_told_with_its_interval() {
        let over = |count, of, stalls: Option<i64>| ShareOver {
            limit: Nanos::from_millis(10),
            count,
            of,
            share_low: None,
            share_high: None,
            time: stalls.map(Nanos::from_millis),
            watched: stalls.map(|_| Nanos::from_secs(10)),
            exact: true,
        };
        let shown = [over(2, 7_180, None), over(0, 7_180, None), over(9, 9, None), over(3, 40, Some(50))];
        assert_eq!(
            shown.each_ref().map(counted),
            [
                "2 of 7180, 0.028% (0.0034% to 0.1%)",
                "0 of 7180, 0% (at most 0.051%)",
                "9 of 9, 100% (at least 66%)",
                "3 of 40 stalls, 50.0 ms of 10.0 s watched, 0.5%"
            ]
        );
    }
}
