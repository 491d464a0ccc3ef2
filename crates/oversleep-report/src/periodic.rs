//! The periods of a schedule, and its raw and corrected series.

use super::columns::{self, Column};
use super::requests;
use super::style::{Screen, figure, float};
use oversleep_figures::{CellSummary, ThreadSummary};
use oversleep_recording::document::{Figures, TimeLeft};
use oversleep_sys::units::Nanos;

/// Returns for each periodic cell its counts of periods in one line, then the raw and the corrected figures. A run that was
/// cut off has no such counts: they come at its end. Files of other programs have none. Below stands how much of the periods
/// was left after the wake-ups, or, if `work` is how long the work of a period takes, in how many of them there was time for
/// it.
pub fn text(cells: &[CellSummary], work: Option<Nanos>, screen: Screen) -> String {
    let mut out = String::new();
    for cell in cells.iter().filter(|cell| cell.corrected.is_some()) {
        let account = cell.periods.map_or_else(
            || "not counted: the run was cut off, or its file is of a program that does not count them".to_owned(),
            |periods| {
                format!(
                    "{} periods asked = {} fresh + {} late + {} skipped ({:.1} % woken in time); {} early",
                    periods.asked,
                    periods.fresh,
                    periods.late,
                    periods.skipped,
                    delivered(periods.fresh, periods.asked),
                    periods.early,
                )
            },
        );
        let asked = super::table::asked(std::iter::once(cell)).concat();
        let account = format!("{}  {}, {asked}: {account}", screen.heading("periods"), cell.cell.method);
        out.push_str(&screen.lines(0, &account));
        let mut series = vec![("raw: each wake-up as it came".to_owned(), &cell.raw)];
        series.extend(cell.threads.iter().map(|one| (format!("  thread {}{}", one.thread, skipped(one)), &one.raw)));
        series.extend(
            cell.corrected.as_ref().map(|figures| ("corrected: what every period experienced".to_owned(), figures)),
        );
        out.push_str(&columns::fitted(&columns(&series), screen));
        if let Some((cost, share)) = cell.cost.zip(super::table::share_of_processor(cell)) {
            let time = float(Some(cost.processor_ns));
            out += &screen.lines(0, &format!("processor time of a wake-up: {time}, {share} of one processor"));
        }
        let left = cell.time_left(work).and_then(|time_left| left(&time_left));
        out.extend(left.map(|line| screen.lines(0, &line)));
        if work.is_some() && cell.periods.is_some_and(|periods| periods.skipped > 0) {
            out += &screen.lines(0, &screen.aside(OF_SKIPPED));
        }
    }
    if cells.iter().any(|cell| cell.periods.is_some()) {
        out += &screen.lines(0, &screen.aside(MEANING));
    }
    out
}

/// Meaning of the counts of periods.
pub(super) const MEANING: &str = "fresh: woken before the next period's deadline; late: at or after it; skipped: no wake-up of its own, \
                       because the one before came after its deadline";

/// What a skipped period has left for its work.
const OF_SKIPPED: &str = "a skipped period has left what the wake-up in it, which was due before, leaves of it";

/// Returns how much of the periods of a schedule was left after the wake-ups, or in how many of them there was time for
/// their work; `None` without a wake-up.
pub fn left(time_left: &TimeLeft) -> Option<String> {
    let (least, period) = (time_left.least?, requests::period(time_left.period));
    if let Some(work) = time_left.work {
        let (percent, time) = (delivered(work.enough, work.all()), work.time);
        return Some(format!(
            "left {time} or more for work in {percent:.1} % of periods ({} of {}); least {least} of {period}",
            work.enough,
            work.all()
        ));
    }
    let quantile = [("99", time_left.p99), ("90", time_left.p90), ("50", time_left.p50)];
    Some(match quantile.into_iter().find_map(|(share, left)| Some((share, left?))) {
        Some((share, at_least)) => {
            format!("time left after waking: at least {at_least} of {period} in {share} % of periods, least {least}")
        }
        None => format!("time left after waking: least {least} of {period}"),
    })
}

/// Returns the share of the periods that had a wake-up in time, or time left, in percent and rounded down: only all of them are 100.
pub(super) fn delivered(woken: u64, asked: u64) -> f64 {
    (1_000.0 * woken as f64 / asked.max(1) as f64).floor() / 10.0
}

/// Returns the number of periods that a thread skipped, if any, as text.
fn skipped(thread: &ThreadSummary) -> String {
    match thread.periods {
        Some(periods) if periods.skipped > 0 => format!(", {} skipped", periods.skipped),
        _ => String::new(),
    }
}

fn columns(series: &[(String, &Figures)]) -> Vec<Column> {
    let values = |f: &dyn Fn(&Figures) -> String| series.iter().map(|(_, figures)| f(figures)).collect();
    let has_p999 = series.iter().any(|(_, figures)| figures.p999.is_some());
    vec![
        Column::words("series", series.iter().map(|(name, _)| name.clone()).collect()),
        Column::figures("n", values(&|figures| figures.n.to_string())).expendable(5),
        Column::figures("min", values(&|figures| figure(figures.min))).expendable(4),
        Column::figures("mean", values(&|figures| float(figures.mean_ns))).expendable(1),
        Column::figures("sd", values(&|figures| float(figures.sd_ns))).expendable(0),
        Column::figures("p50", values(&|figures| figure(figures.p50))),
        Column::figures("p90", values(&|figures| figure(figures.p90))).expendable(2),
        Column::figures("p99", values(&|figures| figure(figures.p99))),
        Column::figures("p99.9", values(&|figures| figure(figures.p999))).expendable(if has_p999 { 6 } else { 3 }),
        Column::figures("max", values(&|figures| figure(figures.max))),
    ]
}
