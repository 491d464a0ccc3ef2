//! Figures of files that hold buckets: each quantile with the bounds of its bucket, and what the file does not say.

use super::columns::{self, Column};
use super::requests;
use super::style::{Screen, figure, float};
use super::table::conditions;
use oversleep_figures::buckets;
use oversleep_recording::document::{Bounds, DistributionFigures};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Returns the table, the meaning of its figures, and what the file lost; without distributions, only the meaning.
pub fn text(distributions: &[DistributionFigures], conventions: &[String], screen: Screen) -> String {
    if distributions.is_empty() {
        return remarks(conventions, screen);
    }
    let mut out = columns::fitted(&columns(distributions), screen);
    out.push('\n');
    out += &remarks(conventions, screen);
    if distributions.iter().any(knows_quantiles) {
        let text = "quantiles by nearest rank lie within the bounds shown; –: too few values";
        out += &screen.lines(0, &screen.aside(text));
    }
    if distributions.iter().filter_map(|row| row.corrected.as_ref()).any(|corrected| corrected.n_high.is_none()) {
        let text = "corrected figures hold for any period: the file states none";
        out += &screen.lines(0, &screen.aside(text));
    }
    let lost: Vec<&str> = distributions
        .iter()
        .flat_map(|row| &row.lost)
        .map(|loss| loss.name())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    out += &screen.lines(0, &format!("{} {}", screen.warning("not in the file:"), lost.join("; ")));
    out
}

fn remarks(conventions: &[String], screen: Screen) -> String {
    conventions.iter().map(|convention| screen.lines(0, &screen.aside(convention))).collect()
}

/// What distributions are, a text for each, and which of it is needed to distinguish them.
struct Identity {
    methods: Vec<String>,
    conditions: Vec<String>,
    what: Vec<String>,
    asked: Vec<String>,
    needs_conditions: bool,
    needs_what: bool,
    needs_asked: bool,
}

impl Identity {
    fn from_distributions(distributions: &[DistributionFigures]) -> Self {
        let values =
            |f: &dyn Fn(&DistributionFigures) -> String| -> Vec<String> { distributions.iter().map(f).collect() };
        let methods = values(&|row| row.method.clone());
        let conditions = values(&|row| conditions(&row.conditions, None));
        let what = values(&|row| row.quantity.name().to_owned());
        let asked = values(&|row| {
            row.requested_ns.map_or_else(|| "–".to_owned(), |period| format!("every {}", requests::period(period)))
        });
        let [_, needs_conditions, needs_what, needs_asked] = columns::needed([&methods, &conditions, &what, &asked]);
        Self { methods, conditions, what, asked, needs_conditions, needs_what, needs_asked }
    }
}

/// Returns a label for each row: its method, and what else distinguishes it from the others.
pub fn labels(distributions: &[DistributionFigures]) -> Vec<String> {
    let id = Identity::from_distributions(distributions);
    let others = [(id.needs_what, id.what), (id.needs_conditions, id.conditions), (id.needs_asked, id.asked)];
    let needed: Vec<Vec<String>> = others.into_iter().filter(|(needed, _)| *needed).map(|(_, texts)| texts).collect();
    let label = |(row, method): (usize, &String)| {
        needed.iter().fold(method.clone(), |label, texts| format!("{label}, {}", texts[row]))
    };
    id.methods.iter().enumerate().map(label).collect()
}

/// Rank of the number of values, which is worth broken lines.
const NUMBER: u8 = 8;

fn columns(distributions: &[DistributionFigures]) -> Vec<Column> {
    let values = |f: &dyn Fn(&DistributionFigures) -> String| -> Vec<String> { distributions.iter().map(f).collect() };
    let unless = |needed: bool, column: Column, rank| if needed { column } else { column.expendable(rank) };
    let Identity { methods, conditions, what, asked, needs_conditions, needs_what, needs_asked } =
        Identity::from_distributions(distributions);
    let mut columns = vec![Column::words("method", methods).broken_beside(NUMBER)];
    if needs_conditions || conditions.iter().any(|text| text != "default") {
        columns.push(unless(needs_conditions, Column::words("conditions", conditions).broken_beside(NUMBER), 3));
    }
    columns.push(unless(needs_what, Column::words("what", what).broken_beside(NUMBER), 2));
    if needs_asked || asked.iter().any(|text| text != "–") {
        columns.push(unless(needs_asked, Column::figures("asked", asked), 0));
    }
    columns.push(Column::figures("n", values(&|row| row.n.to_string())).expendable(NUMBER));
    if distributions.iter().any(|row| row.outside > 0) {
        columns.push(Column::figures("in no bucket", values(&|row| row.outside.to_string())).expendable(5));
    }
    let has_p999 = distributions.iter().any(|row| row.p999.is_some());
    columns.extend([
        Column::figures("min", values(&|row| figure(row.min))).expendable(4),
        Column::figures("mean", values(&|row| float(row.mean_ns))).expendable(1),
    ]);
    if distributions.iter().any(knows_quantiles) {
        columns.extend([
            Column::figures("p50", values(&|row| bounds(row.p50))).broken_beside(NUMBER),
            Column::figures("p90", values(&|row| bounds(row.p90))).expendable(0),
            Column::figures("p99", values(&|row| bounds(row.p99))).broken_beside(NUMBER),
            Column::figures("p99.9", values(&|row| bounds(row.p999))).expendable(if has_p999 { 7 } else { 0 }),
        ]);
    }
    columns.push(Column::figures("max", values(&|row| largest(row.max))).broken_beside(NUMBER));
    if distributions.iter().any(|row| corrected_p99(row).is_some_and(|corrected| Some(corrected) != row.p99)) {
        columns.push(Column::figures("corrected p99", values(&|row| bounds(corrected_p99(row)))).expendable(6));
    }
    columns
}

/// Returns whether a quantile is known any better than by the least and the greatest value.
fn knows_quantiles(row: &DistributionFigures) -> bool {
    let between = |quantile: Option<Bounds>| {
        quantile.is_some_and(|bounds| {
            let from_min = bounds.low.is_none() || bounds.low <= row.min;
            let to_max = bounds.high.is_none() || bounds.high >= row.max;
            !(from_min && to_max)
        })
    };
    row.min == row.max || [row.p50, row.p90, row.p99, row.p999].into_iter().any(between)
}

/// Returns the bounds of the 99th percentile of every period, those that were skipped included.
fn corrected_p99(row: &DistributionFigures) -> Option<Bounds> {
    row.corrected.as_ref()?.p99
}

/// Formats the largest value: `39.0 to 40.0 µs` where the file counts whole microseconds.
pub(super) fn largest(max: Option<Nanos>) -> String {
    bounds(max.map(buckets::largest))
}

/// Joins two times, the first without its unit if both have the same, or if it is zero: `33.0 to 34.0 µs`, `0 to 34.0 µs`,
/// `950 ns to 1.00 µs`.
pub(super) fn between(low: impl Display, high: impl Display) -> String {
    let (low, high) = (low.to_string(), high.to_string());
    match (low.rsplit_once(' '), high.rsplit_once(' ')) {
        _ if low == high => low,
        (Some((number, unit)), Some((_, same))) if unit == same || number == "0" => format!("{number} to {high}"),
        _ => format!("{low} to {high}"),
    }
}

/// Formats bounds: `33.0 to 34.0 µs`, or `above 20 µs` if only one is known.
pub(super) fn bounds(bounds: Option<Bounds>) -> String {
    match bounds {
        Some(Bounds { low: Some(low), high: Some(high) }) if low == high => low.to_string(),
        Some(Bounds { low: Some(low), high: Some(high) }) => {
            // A bucket ends just below the next one: 33 µs to 33.999 µs is shown as 33.0 to 34.0 µs.
            let end = if high.get() % 10 == 9 { high.saturating_add(Nanos::new(1)) } else { high };
            between(low, end)
        }
        Some(Bounds { low: Some(low), high: None }) => format!("above {low}"),
        Some(Bounds { low: None, high: Some(high) }) => format!("below {high}"),
        Some(Bounds { low: None, high: None }) | None => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Quantity;
    use oversleep_recording::document::CorrectedBounds;
    use oversleep_recording::plan::Conditions;

    #[test]
    fn a_unit_that_both_bounds_have_is_written_once() {
        let shown =
            |low: i64, high: i64| bounds(Some(Bounds { low: Some(Nanos::new(low)), high: Some(Nanos::new(high)) }));
        assert_eq!(shown(19_000, 19_999), "19.0 to 20.0 µs");
        assert_eq!(shown(0, 999), "0 to 1.00 µs");
        assert_eq!(shown(950, 999), "950 ns to 1.00 µs");
        assert_eq!(shown(-2_000, 1_000), "-2.00 to 1.00 µs");
        assert_eq!(shown(33_000, 33_000), "33.0 µs");
    }

    /// What every period experienced is left out before the tail of the wake-ups, which is left out last.
    #[test]
    fn the_tail_is_the_last_to_be_left_out() {
        let bounds = |us| Some(Bounds { low: Some(Nanos::from_micros(us)), high: Some(Nanos::from_micros(us + 1)) });
        let corrected =
            CorrectedBounds { n_low: 1010, n_high: None, p50: None, p90: None, p99: bounds(900), p999: None };
        let row = DistributionFigures {
            cell: 0,
            method: "thread 0".into(),
            requested_ns: None,
            conditions: Conditions::default(),
            quantity: Quantity::Oversleep,
            n: 5000,
            outside: 0,
            min: Some(Nanos::from_micros(2)),
            mean_ns: Some(7_000.0),
            p50: bounds(5),
            p90: bounds(8),
            p99: bounds(30),
            p999: bounds(80),
            max: Some(Nanos::new(99_999)),
            corrected: Some(corrected),
            lost: Vec::new(),
        };
        let headings = |width| {
            let text = text(std::slice::from_ref(&row), &[], Screen { width, colour: false });
            text.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(headings(200), "method what n min mean p50 p90 p99 p99.9 max corrected p99");
        assert_eq!(headings(84), "method n p50 p99 p99.9 max");
    }
}
