use super::*;
use oversleep_figures::Summariser;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::build::{Grid, measure};
use oversleep_recording::plan::{Conditions, Pattern};
use oversleep_recording::{Meta, Origin, Sample, Sink};

/// Returns the figures of sleeps of nanosleep under each condition and request, whose lateness `late` returns by cell and number.
fn cells(
    requests: &[Nanos],
    conditions: &[Conditions],
    each: u64,
    late: impl Fn(u32, u64) -> Nanos,
) -> Vec<CellSummary> {
    let patterns: Vec<Pattern> = requests.iter().map(|asked| Pattern::fixed(*asked)).collect();
    let grid = Grid { rows: &[MethodId::Nanosleep.row()], requests: &patterns, conditions };
    let meta = Meta::new("test", Origin::Live, measure(&grid, each, 0));
    let mut summary = Summariser::new(&meta);
    for planned in &meta.plan.cells {
        let (cell, requested) = (planned.id, planned.pattern.requested().unwrap());
        let sample = |sequence: u64| Sample {
            cell,
            sequence,
            requested,
            end: requested + late(cell, sequence),
            ..Sample::BLANK
        };
        summary.samples(&(0..each).map(sample).collect::<Vec<_>>());
    }
    summary.finish()
}

/// Returns the headline of cells that are no changes of a baseline.
fn headline(cells: &[CellSummary]) -> String {
    of_sleeps(cells, false, None, "Linux").text
}

const MS: Nanos = Nanos::MILLISECOND;
const US: fn(i64) -> Nanos = Nanos::from_micros;

#[test]
fn a_long_tail_is_in_the_sentence_on_the_median() {
    let with_tail = |tail: i64| {
        let late = |_, number| if number < 8 { US(tail) } else { US(50) };
        headline(&cells(&[MS], &[Conditions::default()], 400, late))
    };
    assert_eq!(
        [with_tail(499), with_tail(500)],
        [
            "Sleeps of 1 ms end 50.0 µs late at the median. One in a hundred ends 499 µs late or later.",
            "Sleeps of 1 ms end 50.0 µs late at the median; but one in a hundred ends 500 µs late or later.",
        ]
    );
}

/// Under several conditions no row is typical: the range of all comes first, the worst tail with it. Of two rows none is in the
/// middle.
#[test]
fn several_conditions_have_the_range_of_their_medians() {
    let slack = |slack| Conditions { timer_slack: Some(slack), ..Conditions::default() };
    let all = [slack(Nanos::new(1)), slack(US(25)), slack(US(50))];
    let late = |cell, number| US(if number < 8 { 4_000 } else { 15 + 50 * i64::from(cell) });
    let two = cells(&[MS], &all[..2], 400, late);
    assert_eq!(
        headline(&two),
        "Sleeps of 1 ms end 15.0 µs to 65.0 µs late at the median in 2 rows; one in a hundred of the worst row ends 4.00 ms late \
         or later. The earlier row, nanosleep, slack 1 ns: 15.0 µs late; the later, nanosleep, slack 25.0 µs: 65.0 µs late."
    );
    assert!(of_sleeps(&two, true, None, "Linux").text.contains("the baseline of 2 rows"));
    assert_eq!(
        headline(&cells(&[MS], &all, 400, late)),
        "Sleeps of 1 ms end 15.0 µs to 115 µs late at the median in 3 rows; one in a hundred of the worst row ends 4.00 ms late \
         or later. In the middle, nanosleep, slack 25.0 µs: 65.0 µs late."
    );
}

/// A sentence on one row of several is not about all.
#[test]
fn the_latest_of_one_row_is_not_that_of_all() {
    let free = [Conditions::default()];
    let late = |cell, number: u64| US(if number == 0 { 100 + 5_000 * i64::from(cell) } else { 70 + i64::from(cell) });
    let requests = [MS, US(500), US(200)];
    assert_eq!(
        headline(&cells(&requests, &free, 10, late)),
        "Sleeps of 500 µs end 71.0 µs late at the median (nanosleep, of 3 rows the one with the middle median). The latest of these \
         ended 5.10 ms late, that of all rows 10.1 ms late."
    );
    assert_eq!(
        headline(&cells(&requests[..2], &free, 400, late)),
        "Sleeps of 1 ms end 70.0 µs late at the median (nanosleep, of 2 rows the one with the smaller median). One in a hundred of \
         these ends 70.0 µs late or later."
    );
    assert_eq!(
        headline(&cells(&requests[..1], &free, 10, late)),
        "Sleeps of 1 ms end 70.0 µs late at the median. The latest ended 100 µs late."
    );
}

/// A median of equal sleeps needs five of them; pictures may join different ones and have a median.
#[test]
fn too_few_sleeps_for_a_median_are_too_few_in_each_row() {
    let text = |requests: &[Nanos], each| headline(&cells(requests, &[Conditions::default()], each, |_, _| US(70)));
    let requests: Vec<Nanos> = (1..=42).map(Nanos::from_millis).collect();
    assert_eq!(
        text(&requests, 2),
        "84 sleeps, at most 2 of them with the same method, request and conditions: too few for a median, which needs 5 such sleeps."
    );
    assert!(text(&requests, 1).starts_with("42 sleeps, no two of them with the same method"));
    assert_eq!(text(&[MS], 4), "4 sleeps are too few for a median, which needs 5.");
    assert_eq!(text(&[MS], 1), "One sleep is too few for a median, which needs 5.");
    assert_eq!(text(&[MS], 5), "Sleeps of 1 ms end 70.0 µs late at the median. The latest ended 70.0 µs late.");
}
