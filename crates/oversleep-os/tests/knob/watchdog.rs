use oversleep_os::knob::{realtime_watchdog, watchdog};
use oversleep_os::units::Nanos;

#[test]
fn the_strictest_limit_counts_and_the_old_one_comes_back() {
    let before = watchdog::read().unwrap();
    let outer = realtime_watchdog(Nanos::from_secs(50)).unwrap();
    let inner = realtime_watchdog(Nanos::from_secs(500)).unwrap();
    assert_eq!(inner.obtained(), outer.obtained());
    drop(inner);
    assert_eq!(watchdog::read().unwrap(), outer.obtained());
    drop(outer);
    assert_eq!(watchdog::read().unwrap(), before);
    assert!(realtime_watchdog(Nanos::new(999)).is_err());
}
