//! How many sleeps were later than a limit, or stalls longer than it, and how large their share may be.

use super::columns::{self, Column};
use super::stalls;
use super::style::Screen;
use super::table;
use oversleep_figures::CellSummary;
use oversleep_recording::document::ShareOver;

/// Returns a table with one row per cell that has sleeps or was watched for stalls; empty if there is none.
pub fn text(cells: &[(&CellSummary, ShareOver)], screen: Screen) -> String {
    let shown: Vec<_> = cells.iter().filter(|(_, over)| over.of > 0 || over.watched.is_some()).collect();
    let Some((_, ShareOver { limit, .. })) = shown.first() else { return String::new() };
    let each = |of: &dyn Fn(&CellSummary, &ShareOver) -> String| -> Vec<String> {
        shown.iter().map(|(cell, over)| of(cell, over)).collect()
    };
    let methods = each(&|cell, _| cell.cell.method.clone());
    let asked = table::asked(shown.iter().map(|(cell, _)| *cell));
    let conditions = each(&|cell, _| table::conditions(&cell.cell.conditions, cell.obtained.as_ref()));
    let [_, needs_asked, needs_conditions] = columns::needed([&methods, &asked, &conditions]);
    let mut columns = vec![Column::words("method", methods)];
    if needs_asked {
        columns.push(Column::figures("asked", asked));
    }
    if needs_conditions {
        columns.push(Column::words("conditions", conditions));
    }
    columns.push(Column::words(&format!("over {limit}"), each(&|_, over| counted(over))));
    let mut out = format!("\n{}", columns::fitted(&columns, screen));
    if shown.iter().any(|(_, over)| over.share_high.is_some()) {
        out += &screen.lines(0, &screen.aside(MEANING));
    }
    if shown.iter().any(|(_, over)| !over.exact) {
        let rounded = "more late sleeps than are kept one by one: the limit is rounded to three digits";
        out += &screen.lines(0, &screen.aside(rounded));
    }
    out
}

/// Meaning of the interval of a share.
const MEANING: &str =
    "in brackets: the 95 % interval of the share, exact for sleeps that are late independently of each other";

/// Returns the count in words: `2 of 7180, 0.028% (at most 0.1%)`; of stalls also their time.
fn counted(over: &ShareOver) -> String {
    let ShareOver { count, of, .. } = *over;
    match over.time.zip(over.watched) {
        Some((time, watched)) => {
            let share = stalls::share(time, watched).map_or_else(|| "–".to_owned(), percent);
            format!("{count} of {of} stalls, {time} of {watched} watched, {share}")
        }
        None => format!("{count} of {of}, {}{}", percent(count as f64 / of.max(1) as f64), interval(count, of)),
    }
}

/// Returns the 95 % interval of a share in brackets, after a space; empty if there is none.
pub(super) fn interval(count: u64, of: u64) -> String {
    match oversleep_figures::interval::share(count, of) {
        Some((low, high)) if low > 0.0 && high < 1.0 => format!(" ({} to {})", percent(low), percent(high)),
        Some((low, _)) if low > 0.0 => format!(" (at least {})", percent(low)),
        Some((_, high)) => format!(" (at most {})", percent(high)),
        None => String::new(),
    }
}

/// Returns a share (0 to 1) in percent with two digits that count, or as many as tell it from 100: `1.2%`, `0.0034%`,
/// `99.97%`.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let nearest = percent.min(100.0 - percent);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 12
    let decimals = if nearest > 0.0 { (1.0 - nearest.log10().floor()).clamp(0.0, 12.0) as usize } else { 0 };
    let shown = format!("{percent:.decimals$}");
    let shown = if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.') } else { &shown };
    format!("{shown}%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn shares_have_two_digits_that_count() {
        let shown = [0.0, 1.0, 0.000_278_6, 0.012_6, 0.3, 0.999_72, 0.005_571].map(percent);
        assert_eq!(shown, ["0%", "100%", "0.028%", "1.3%", "30%", "99.972%", "0.56%"]);
    }

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
