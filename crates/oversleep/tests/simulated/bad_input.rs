//! Invalid values are defined, rejected or limited; nothing panics and nothing hangs.

use crate::{at, ms};
use oversleep::machine::{Machine, Simulated};
use oversleep::{Hertz, Moment, Nanos, Pacer, PacerError, Period, Sleeper, Ticker};
use std::time::Duration;

fn sleeper() -> Sleeper<Simulated> {
    let machine = Simulated::punctual();
    machine.advance(ms(10));
    Sleeper::on(machine)
}

#[test]
fn deadlines_in_the_past_return_at_once_and_tell() {
    let mut sleeper = sleeper();
    assert_eq!(sleeper.sleep_until(at(ms(4))).nanos(), ms(6));
    assert_eq!(sleeper.sleep_until(at(Nanos::MIN)).nanos(), Nanos::MAX);
    assert_eq!(sleeper.sleep_until(at(ms(10))).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.machine().now(), at(ms(10)));
    assert_eq!((sleeper.stats().sleeps(), sleeper.stats().overdue()), (0, 3));
}

#[test]
fn zero_negative_and_endless_durations() {
    let mut sleeper = sleeper();
    assert_eq!(sleeper.sleep_for(Duration::ZERO).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.sleep_for(Nanos::MIN).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.sleep_for(Duration::MAX).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.machine().now(), Moment::MAX);
    assert_eq!(sleeper.sleep_for(Duration::MAX).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.sleep_for(Nanos::new(1)).nanos(), Nanos::ZERO);
}

#[test]
fn options_outside_their_range_are_held_at_its_ends() {
    for share in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 2.0] {
        let asked = Sleeper::builder().on_time(share).cpu_ceiling(share);
        let mut sleeper = asked.spin_ceiling(ms(-1)).real_time_ceiling(Nanos::MIN).build_on(Simulated::punctual());
        for _ in 0..300 {
            assert!(sleeper.sleep_for(ms(1)).nanos() >= Nanos::ZERO);
        }
        assert_eq!(sleeper.margin(ms(1)), Nanos::ZERO);
        let mut sleeper = Sleeper::builder().early_window(Nanos::MIN).build_on(Simulated::punctual());
        assert!(sleeper.sleep_for(ms(1)).nanos() >= Nanos::ZERO);
    }
}

#[test]
fn the_shortest_sleeps_are_kept() {
    let mut sleeper = sleeper();
    for ns in 1..200 {
        let before = sleeper.machine().now();
        assert!(sleeper.sleep_for(Nanos::new(ns)).nanos() >= Nanos::ZERO);
        assert!(sleeper.machine().now() >= before.saturating_add(Nanos::new(ns)));
    }
}

#[test]
fn rates_at_the_ends() {
    let fastest = Hertz::new(u64::MAX, 1).unwrap();
    let slowest = Hertz::new(1, u64::MAX).unwrap();
    assert_eq!(Pacer::builder(slowest).burst(1).build().unwrap_err(), PacerError::BurstTooLong);
    assert_eq!(Pacer::new(slowest).unwrap_err(), PacerError::BurstTooLong);
    let machine = Simulated::punctual();
    let pacer = Pacer::builder(fastest).burst(u64::MAX).build_on(machine.clone()).unwrap();
    machine.advance(Nanos::SECOND);
    assert_eq!(pacer.take_due(u64::MAX), u64::MAX);
    assert_eq!(pacer.take_batch(0, ms(1)), 0);
    let ends = Pacer::builder(Hertz::new(1_000, 1).unwrap()).burst(0).build_on(Simulated::punctual()).unwrap();
    assert_eq!(ends.burst(), 1);
}

#[test]
fn a_start_at_either_end_of_the_clock() {
    let period = Period::every(ms(1)).unwrap();
    let mut late = Ticker::builder(period).starting_at(Moment::MAX).build_with(sleeper());
    assert!(late.tick().is_some());
    assert!(late.tick().is_none());
    let mut early = Ticker::builder(period).starting_at(at(Nanos::MIN)).build_with(sleeper());
    let tick = early.tick().unwrap();
    assert!(tick.missed > 0);
}
