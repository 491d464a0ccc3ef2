//! The periods of two schedules, and the time that they left, in a line each; how far their shares differ, in rows.

use super::super::percent::percent_unrounded_at_ends;
use super::super::periodic::delivered;
use super::super::style::Screen;
use super::needed;
use super::rows::UNKNOWN;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedPeriods, ComparedShare, PeriodCounts, PeriodsForWork,
    PeriodsOfSide, ShareShift, ShareVerdict,
};

/// Returns the lines on a cell's schedules; none where it has none.
pub(super) fn lines(cell: &ComparedCell, compared: &Compared) -> Vec<String> {
    let Some(periods) = &cell.periods else { return Vec::new() };
    let several = compared.a.len().max(compared.b.len()) > 1;
    // How many periods left enough says it, where it is known how much that is.
    let left = enough(periods).or_else(|| time_left(periods, several));
    std::iter::once(counts(periods)).chain(left).collect()
}

/// Returns how many periods each side's schedule kept.
fn counts(periods: &ComparedPeriods) -> String {
    let side = |name: &str, periods: PeriodCounts| {
        let share = |count| percent_unrounded_at_ends(count as f64 / periods.asked.max(1) as f64);
        let PeriodCounts { asked, fresh, late, skipped, .. } = periods;
        let [share_fresh, share_late, share_skipped] = [fresh, late, skipped].map(share);
        format!(
            "{name} {asked} asked, {fresh} fresh ({share_fresh}), {late} late ({share_late}), {skipped} skipped ({share_skipped})"
        )
    };
    format!("periods: {}; {}", side("A", periods.a.counts), side("B", periods.b.counts))
}

/// Returns in how many of the periods of each side there was time for their work; `None` where that is not known.
fn enough(periods: &ComparedPeriods) -> Option<String> {
    let side = |name: &str, work: PeriodsForWork| {
        format!("{name} {:.1} % of periods ({} of {})", delivered(work.enough, work.all()), work.enough, work.all())
    };
    let (a, b) = (periods.a.work?, periods.b.work?);
    Some(format!("left {} or more for work: {}; {}", a.time, side("A", a), side("B", b)))
}

/// Returns how much of the periods each side's wake-ups left; `None` where a side does not tell. `several`: whether a side
/// has several recordings.
fn time_left(periods: &ComparedPeriods, several: bool) -> Option<String> {
    let side = |name: &str, periods: PeriodsOfSide| {
        let least = periods.left_least?;
        let at_least = periods.left_p99.map_or_else(String::new, |p99| format!("at least {p99} in 99 % of periods, "));
        Some(format!("{name} {at_least}least {least}"))
    };
    let (a, b) = (side("A", periods.a)?, side("B", periods.b)?);
    let remark = match (periods.a.left_p99, periods.b.left_p99) {
        (Some(_), Some(_)) if several => " (of 99 %, the median of the recordings)".to_owned(),
        (Some(_), Some(_)) => String::new(),
        _ => format!(" (that of 99 % needs {} periods in each recording)", needed(ComparedFigure::P99)),
    };
    Some(format!("time left after waking, not tested: {a}; {b}{remark}"))
}

/// Returns a row for each share of periods that is not zero in all recordings; that of missed periods, which is asked for, always.
pub(super) fn rows(cell: &ComparedCell, screen: Screen) -> Vec<[String; 7]> {
    shown(cell).map(|shift| row(shift, screen)).collect()
}

fn shown(cell: &ComparedCell) -> impl Iterator<Item = &ShareShift> {
    let all = cell.periods.iter().flat_map(|periods| periods.shares.iter().map(move |shift| (periods, shift)));
    let is_shown = |(periods, shift): &(&ComparedPeriods, &ShareShift)| {
        let any = |count: fn(&PeriodCounts) -> u64| [periods.a, periods.b].iter().any(|side| count(&side.counts) > 0);
        match shift.periods {
            ComparedShare::Late => any(|counts| counts.late),
            ComparedShare::Skipped => any(|counts| counts.skipped),
            ComparedShare::Missed => true,
        }
    };
    all.filter(is_shown).map(|(_, shift)| shift)
}

fn row(shift: &ShareShift, screen: Screen) -> [String; 7] {
    let size = points(shift.size_points);
    let differ = shift.between_a_points.zip(shift.between_b_points).map(|(a, b)| unsigned(a.max(b)));
    [
        format!("{} periods", shift.periods.name()),
        format!("{} %", digits(shift.a_percent)),
        format!("{} %", digits(shift.b_percent)),
        if is_beyond_chance(shift) { screen.heading(&size) } else { format!("({size})") },
        shift.interval().map_or_else(|| "none".to_owned(), range),
        UNKNOWN.to_owned(),
        differ.unwrap_or_else(|| "unknown".to_owned()),
    ]
}

const fn is_beyond_chance(shift: &ShareShift) -> bool {
    matches!(shift.verdict, ShareVerdict::More | ShareVerdict::Fewer)
}

/// Returns a sentence on the periods that left less than their work takes, which a comparison with work is about; nothing without work.
pub(super) fn of_work(cell: &ComparedCell) -> String {
    let Some(periods) = &cell.periods else { return String::new() };
    let missed = periods.shares.iter().find(|shift| shift.periods == ComparedShare::Missed);
    let (Some(a), Some(b), Some(shift)) = (periods.a.work, periods.b.work, missed) else { return String::new() };
    let how = match shift.verdict {
        ShareVerdict::More => "B misses more",
        ShareVerdict::Fewer => "B misses fewer",
        _ if a.missed == 0 && b.missed == 0 => "none is missed",
        _ => "this does not decide which misses more",
    };
    // As in their row of the table.
    let [of_a, of_b] = [shift.a_percent, shift.b_percent].map(digits);
    format!("Periods that left less than {} for work: A {of_a} %, B {of_b} %; {how}. ", a.time)
}

/// Returns a sentence on the shares that differ by more than chance brings about; nothing without any.
pub(super) fn verdicts(cell: &ComparedCell) -> String {
    let one = |shift: &ShareShift| {
        let direction = if shift.verdict == ShareVerdict::More { "more" } else { "fewer" };
        format!("{} {direction} {} periods", unsigned(shift.size_points.abs()), shift.periods.name())
    };
    let others = shown(cell).filter(|shift| shift.periods != ComparedShare::Missed && is_beyond_chance(shift));
    let beyond: Vec<String> = others.map(one).collect();
    if beyond.is_empty() { String::new() } else { format!(" B has {}.", beyond.join(", ")) }
}

/// Says what the rows of shares mean; `None` without any.
pub(super) fn meaning(compared: &Compared) -> Option<String> {
    let shown: Vec<&ShareShift> = compared.cells.iter().flat_map(shown).collect();
    let work = compared.cells.iter().find_map(|cell| cell.periods.as_ref()?.a.work);
    let of_side = if shown.iter().any(|shift| shift.interval().is_some()) { " of a side" } else { "" };
    let missed = work.map_or_else(String::new, |work| format!("; missed: left less than {} for work", work.time));
    (!shown.is_empty()).then(|| format!("periods: share of all periods{of_side}; points: percentage points{missed}"))
}

/// Returns a difference between shares with its interval: `+1.2 points (+0.8 to +1.6 points)`.
pub fn size_of_share(shift: &ShareShift) -> String {
    let interval = shift.interval().map_or_else(String::new, |ends| format!(" ({})", range(ends)));
    points(shift.size_points) + &interval
}

/// Returns a difference between shares: `+1.2 points`.
pub fn points(size: f64) -> String {
    format!("{}{}", sign(size), unsigned(size.abs()))
}

fn unsigned(size: f64) -> String {
    format!("{} points", digits(size))
}

fn range([low, high]: [f64; 2]) -> String {
    format!("{}{} to {}", sign(low), digits(low.abs()), points(high))
}

fn sign(size: f64) -> &'static str {
    match size {
        _ if size > 0.0 => "+",
        _ if size < 0.0 => "−",
        _ => "",
    }
}

/// Returns a positive number with three significant digits at least, and without zeros at its end.
fn digits(number: f64) -> String {
    let (mut decimals, mut unit) = (2, 1.0);
    while number < unit && decimals < 9 {
        (decimals, unit) = (decimals + 1, unit / 10.0);
    }
    let shown = format!("{number:.decimals$}");
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}
