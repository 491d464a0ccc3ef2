//! The phase-locked ticker: lock time, jitter, and steps as stated in its documentation.

use crate::{at, ms, us};
use oversleep::clock::WallTime;
use oversleep::machine::{Machine, Simulated};
use oversleep::ticker::LockedTicker;
use oversleep::{Nanos, Period, Sleeper};

fn locked(machine: &Simulated, time_constant: u32) -> LockedTicker<Simulated> {
    machine.set_wall(WallTime::from_nanos(Nanos::from_secs(1_000) + ms(5)));
    LockedTicker::builder(Period::every(ms(10))).time_constant(time_constant).build_with(Sleeper::on(machine.clone()))
}

#[test]
fn it_locks_to_a_clock_of_another_rate_in_the_stated_time() {
    for time_constant in [4, 16, 64] {
        let machine = Simulated::punctual();
        machine.drift_wall(100_000); // 100 ppm
        let mut ticker = locked(&machine, time_constant);
        let stated_peak = 100e-6 * 10e6 * f64::from(time_constant + 1) / std::f64::consts::E;
        let mut peak = 0.0_f64;
        for _ in 0..8 * time_constant {
            assert!(!ticker.is_locked());
            ticker.tick().unwrap();
            peak = peak.max(ticker.phase_error().abs().as_f64());
        }
        assert!(peak <= stated_peak + 2.0, "{peak} {stated_peak}");
        assert!(peak >= stated_peak * 0.5, "{peak} {stated_peak}");
        for _ in 0..200 {
            let tick = ticker.tick().unwrap();
            assert!(ticker.is_locked());
            assert!(ticker.phase_error().abs().as_f64() <= stated_peak * 0.01 + 2.0, "{}", ticker.phase_error());
            // In phase on the wall clock, which runs 100 ppm fast.
            let wall = machine.wall().as_nanos();
            assert!((wall - Period::every(ms(10)).offset(tick.index).unwrap()).abs() < us(1));
        }
    }
}

#[test]
fn intervals_stay_even_while_a_small_step_is_slewed() {
    let machine = Simulated::punctual();
    let mut ticker = locked(&machine, 16);
    machine.step_wall(at(Nanos::from_secs(2)), ms(2));
    let deadlines: Vec<_> = ticker.by_ref().take(2_000).map(|tick| tick.deadline).collect();
    for pair in deadlines.windows(2) {
        let off = (pair[1].saturating_since(pair[0]) - ms(10)).abs();
        assert!(off <= us(5) + Nanos::new(1), "{off}"); // 500 ppm of 10 ms
    }
    assert!(ticker.phase_error().abs() < us(1), "{}", ticker.phase_error());
}

#[test]
fn what_it_does_not_follow_it_is_not_locked_to() {
    let machine = Simulated::punctual();
    let mut ticker = locked(&machine, 16);
    machine.step_wall(at(Nanos::from_secs(4)), ms(3));
    let ticks = |ticker: &mut LockedTicker<Simulated>, n| (0..n).all(|_| ticker.tick().is_some());
    assert!(ticks(&mut ticker, 350) && ticker.is_locked());
    assert!(ticks(&mut ticker, 60) && !ticker.is_locked(), "a step of 3 ms is slewed for six seconds");
    assert!(ticks(&mut ticker, 2_000) && ticker.is_locked());
    // 700 ppm are more than it may slew.
    machine.drift_wall(700_000);
    assert!(ticks(&mut ticker, 2_000) && !ticker.is_locked(), "{}", ticker.phase_error());
}

#[test]
fn a_large_step_is_told_and_jumped() {
    let machine = Simulated::punctual();
    let mut ticker = locked(&machine, 16);
    machine.step_wall(at(Nanos::from_secs(2)), Nanos::from_secs(-30) + ms(3));
    let ticks: Vec<_> = ticker.by_ref().take(400).collect();
    let disturbed: Vec<_> = ticks.iter().filter(|tick| !tick.disturbed.is_quiet()).collect();
    assert_eq!(disturbed.len(), 1);
    assert_eq!(disturbed[0].disturbed.stepped, Nanos::from_secs(-30) + ms(3));
    let last = ticks.last().unwrap();
    assert!((machine.wall().as_nanos() - Nanos::new(i64::try_from(last.index).unwrap() * 10_000_000)).abs() < us(1));
    assert!(ticker.is_locked());
}

#[test]
fn a_locked_ticker_that_was_reset_is_in_phase_and_keeps_its_pace() {
    let machine = Simulated::punctual();
    machine.drift_wall(100_000); // 100 ppm
    let mut ticker = locked(&machine, 16);
    ticker.by_ref().take(1_000).for_each(drop);
    assert!(ticker.is_locked());
    machine.advance(Nanos::from_secs(5));
    ticker.reset();
    assert!(!ticker.is_locked());
    let first = ticker.tick().unwrap();
    assert!(first.lateness < us(1), "{first:?}");
    // Without the learned pace the phase error would grow to 6 µs.
    for _ in 0..200 {
        ticker.tick().unwrap();
        assert!(ticker.phase_error().abs() < us(2), "{}", ticker.phase_error());
    }
    ticker.set_period(Period::every(ms(20)));
    let [one, other] = [(); 2].map(|()| ticker.tick().unwrap());
    assert_eq!((ticker.period(), other.index - one.index), (Period::every(ms(20)), 1));
    assert!((other.deadline - one.deadline - ms(20)).abs() < us(5), "{}", other.deadline - one.deadline);
}
