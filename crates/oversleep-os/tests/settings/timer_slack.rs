use crate::support::alone;
use oversleep_os::settings::timer_slack;
use oversleep_sys::units::Nanos;
use std::panic;

#[test]
fn what_was_set_is_read_and_what_was_before_comes_back() {
    alone(|| {
        let before = timer_slack::read().unwrap();
        for ns in [1, 12_345, 1_000_000, 5_000_000_000] {
            let guard = timer_slack::apply(Nanos::new(ns)).unwrap();
            assert_eq!(guard.obtained(), Nanos::new(ns));
            assert_eq!(timer_slack::read().unwrap(), Nanos::new(ns));
            drop(guard);
            assert_eq!(timer_slack::read().unwrap(), before);
        }
    });
}

#[test]
fn a_panic_puts_it_back() {
    alone(|| {
        let before = timer_slack::read().unwrap();
        let caught = panic::catch_unwind(|| {
            let guard = timer_slack::apply(Nanos::new(777)).unwrap();
            assert_eq!(guard.obtained(), Nanos::new(1), "on purpose");
        });
        assert!(caught.is_err());
        assert_eq!(timer_slack::read().unwrap(), before);
    });
}

#[test]
fn zero_asks_for_the_default_and_less_for_nothing() {
    alone(|| {
        let default = timer_slack::read().unwrap();
        let outer = timer_slack::apply(Nanos::new(777)).unwrap();
        assert_eq!(timer_slack::apply(Nanos::ZERO).unwrap().obtained(), default);
        assert_eq!(timer_slack::read().unwrap(), outer.obtained());
        let refusal = timer_slack::apply(Nanos::new(-1)).unwrap_err();
        assert_eq!(refusal.reason(), "a timer slack cannot be negative (-1 ns)");
    });
}
