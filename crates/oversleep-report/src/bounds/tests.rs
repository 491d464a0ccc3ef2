use super::*;

#[test]
fn a_tolerance_is_rounded_up_to_two_digits_of_its_lateness() {
    for (late, wanted) in [(0, 0), (7, 7), (99, 99), (101, 110), (340_001, 350_000), (17_600_000, 18_000_000), (-5, -5)]
    {
        assert_eq!(rounded_up(Nanos::new(late)), Nanos::new(wanted), "{late}");
    }
    assert_eq!(format!("{:#}", total(Nanos::from_millis(100), Nanos::new(340_001))), "100.35 ms");
}

#[test]
fn a_risk_is_one_of_so_many() {
    let shown = [0.5, 0.2, 0.1, 0.01, 1e-4, 1e-6, 3e-4].map(one_in);
    assert_eq!(
        shown,
        ["50% of", "20% of", "1 in 10", "1 in 100", "1 in 10\u{a0}000", "1 in 1\u{a0}000\u{a0}000", "1 in 3\u{a0}333"]
    );
}

#[test]
fn a_time_to_measure_has_two_digits() {
    let shown = [4, 87, 201, 10_753, 90_000, 900_000].map(|seconds| about(Nanos::from_secs(seconds)));
    assert_eq!(shown, ["about 4.0 s", "about 87 s", "about 3.4 min", "about 3.0 h", "about 25 h", "about 10 days"]);
}
