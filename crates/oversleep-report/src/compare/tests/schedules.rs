//! Reports on compared schedules.

use super::*;
use oversleep_recording::document::{
    ComparedPeriods, ComparedShare, PeriodCounts, PeriodsForWork, PeriodsOfSide, ShareShift, ShareVerdict,
};

#[test]
fn schedules_are_shown_with_the_periods_they_missed() {
    let mut made = compared(shift(ShiftVerdict::NotSeen, ErrorSource::Pairs));
    let side = |skipped, us: Option<i64>| PeriodsOfSide {
        counts: PeriodCounts { asked: 1_000, fresh: 990 - skipped, late: 10, skipped, early: 0 },
        left_p99: us.map(Nanos::from_micros),
        left_least: Some(Nanos::ZERO),
        work: None,
    };
    made.cells[0].periods = Some(ComparedPeriods { a: side(0, Some(900)), b: side(25, Some(20)), shares: Vec::new() });
    let shown = text(&made, Screen { width: 200, ..Screen::PLAIN });
    let lines = "periods: A 1000 asked, 990 fresh (99.0 %), 10 late (1.0 %), 0 skipped (0 %); B 1000 asked, 965 fresh \
                 (96.5 %), 10 late (1.0 %), 25 skipped (2.5 %)\n\
                 time left after waking, not tested: A at least 900 µs in 99 % of periods, least 0 ns; B at least 20.0 µs in 99 % of \
                 periods, least 0 ns\n";
    assert!(shown.contains(lines), "{shown}");
    made.cells[0].periods = Some(ComparedPeriods { a: side(0, None), b: side(0, None), shares: Vec::new() });
    let shown = text(&made, Screen { width: 200, ..Screen::PLAIN });
    let line = "not tested: A least 0 ns; B least 0 ns (that of 99 % needs 299 periods in each recording)\n";
    assert!(shown.contains(line), "{shown}");
}

/// Returns 1000 periods of which these left 8 ms for their work.
fn side(enough: u64) -> PeriodsOfSide {
    let work = PeriodsForWork { time: Nanos::from_millis(8), enough, missed: 1_000 - enough };
    let counts = PeriodCounts { asked: 1_000, fresh: 1_000, late: 0, skipped: 0, early: 0 };
    PeriodsOfSide { counts, left_p99: None, left_least: None, work: Some(work) }
}

fn missed(interval: Option<[f64; 2]>, verdict: ShareVerdict) -> ShareShift {
    ShareShift {
        periods: ComparedShare::Missed,
        a_percent: 0.2,
        b_percent: 12.5,
        size_points: 12.3,
        low_points: interval.map(|[low, _]| low),
        high_points: interval.map(|[_, high]| high),
        confidence: 0.97,
        p: None,
        p_corrected: None,
        between_a_points: interval.map(|_| 0.012_345),
        between_b_points: interval.map(|_| 0.01),
        verdict,
    }
}

#[test]
fn missed_periods_have_a_row_a_verdict_and_a_line() {
    let mut made = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    let late = ShareShift { periods: ComparedShare::Late, ..missed(None, ShareVerdict::Open) };
    let shares = vec![late, missed(Some([-0.5, 13.0]), ShareVerdict::More)];
    made.cells[0].periods = Some(ComparedPeriods { a: side(998), b: side(875), shares });
    made.differences.clear();
    let shown = text(&made, Screen { width: 200, ..Screen::PLAIN });
    let expected = "\
nanosleep 1.00 ms · 400 and 400 sleeps
                      A        B         shift              interval    of A  runs differ by
p50             50.0 µs  52.0 µs      +2.00 µs  +1.50 µs to +2.50 µs  +4.0 %          400 ns
missed periods    0.2 %   12.5 %  +12.3 points    −0.5 to +13 points       –   0.0123 points
periods: A 1000 asked, 1000 fresh (100 %), 0 late (0 %), 0 skipped (0 %); B 1000 asked, 1000 fresh (100 %), 0 late (0 %), 0 skipped (0 %)
left 8.00 ms or more for work: A 99.8 % of periods (998 of 1000); B 87.5 % of periods (875 of 1000)
";
    assert!(shown.contains(expected), "{shown}");
    let verdict = "Periods that left less than 8.00 ms for work: A 0.2 %, B 12.5 %; B misses more. B is later at p50 by 2.00 µs.\nA: ";
    assert!(shown.starts_with(verdict), "{shown}");
    let meaning = "\nperiods: share of all periods of a side; points: percentage points; missed: left less than 8.00 ms for work\n";
    assert!(shown.contains(meaning), "{shown}");
    let row = "| missed periods | 0.2 % | 12.5 % | +12.3 points | −0.5 to +13 points | – | 0.0123 points |\n";
    assert!(markdown(&made).contains(row), "{}", markdown(&made));
    made.cells[0].periods.as_mut().unwrap().shares = vec![missed(None, ShareVerdict::Open)];
    let shown = text(&made, Screen { width: 200, ..Screen::PLAIN });
    assert!(shown.contains("  (+12.3 points)                  none       –         unknown\n"), "{shown}");
    assert!(shown.contains("\nperiods: share of all periods; points") && !shown.contains("B misses"), "{shown}");
}

/// Shares are often small, and those near 100 % are not all.
#[test]
fn differences_of_shares_keep_the_digits_that_matter() {
    let shown = [0.0, 0.000_123_4, -0.123_45, 1.234_5, 99.994, -100.0].map(points);
    let expected = ["0", "+0.000123", "−0.123", "+1.23", "+99.99", "−100"].map(|number| format!("{number} points"));
    assert_eq!(shown, expected);
}
