//! Table 3, rows 21 to 25: O'Neill's article of March 2003.

use crate::common::{fixed, greatest, late, least, mean, preset, sd};
use oversleep_recording::plan::{Load, LoadKind};
use oversleep_sys::units::Nanos;

/// Returns the milliseconds slept by `n` calls of `Sleep(ms)` beside busy threads.
fn slept_ms(ms: i64, threads: u16, n: u64, seed: u64) -> Vec<f64> {
    let mut plan = fixed("sleep", Nanos::from_millis(ms), n);
    plan.cells[0].conditions.load = Some(Load { threads, kind: LoadKind::Spin });
    late(&preset("windows-98"), &plan, seed).iter().map(|late| late / 1e3 + ms as f64).collect()
}

#[test]
fn row_21_sleep_0() {
    let alone = slept_ms(0, 0, 50, 1);
    assert!(alone.iter().all(|ms| (0.010..=0.016).contains(ms)), "{alone:?}");
    for threads in 1..=5 {
        let beside = mean(&slept_ms(0, threads, 200, 1));
        assert!((beside - 110.0).abs() < 5.0, "{threads}: {beside}");
    }
}

#[test]
fn row_22_a_floor_of_9_ms_with_at_most_one_thread() {
    for threads in [0, 1] {
        for ms in [1, 2, 3, 6] {
            let slept = slept_ms(ms, threads, 500, 1);
            assert!((8.0..=10.0).contains(&mean(&slept)), "{ms} ms, {threads}: {}", mean(&slept));
            assert!((0.7..=1.5).contains(&sd(&slept)), "{ms} ms, {threads}: {}", sd(&slept));
        }
    }
}

#[test]
fn row_23_rarely_less_than_20_ms_with_two_or_more() {
    for threads in 2..=5 {
        let slept = slept_ms(1, threads, 500, 1);
        assert!(mean(&slept) >= 20.0 && mean(&slept) < 34.0, "{}", mean(&slept));
        assert!(least(&slept) >= 17.0, "{}", least(&slept));
    }
}

#[test]
fn row_24_fifty_sleeps_of_a_second_beside_four_threads() {
    let totals: Vec<f64> = (1..=200).map(|seed| slept_ms(1_000, 4, 50, seed).iter().sum::<f64>() / 1e3).collect();
    assert!(least(&totals) < 51.230 && 51.230 < greatest(&totals), "{} {}", least(&totals), greatest(&totals));
    let long_run = mean(&slept_ms(1_000, 4, 5_000, 1)) * 50.0 / 1e3;
    assert!((51.0..=51.6).contains(&long_run), "{long_run}");
}

#[test]
fn row_25_a_spread_of_12_to_28_ms_that_does_not_reach_50() {
    for ms in [316, 562, 1_000] {
        let slept = slept_ms(ms, 4, 2_000, 1);
        assert!((12.0..=28.0).contains(&sd(&slept)), "{ms}: {}", sd(&slept));
        assert!(greatest(&slept) > ms as f64 + 50.0);
    }
}
