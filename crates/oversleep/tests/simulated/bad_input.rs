//! Values out of range are refused; deadlines of any kind are defined, and nothing hangs.

use crate::{at, ms};
use oversleep::machine::{Machine, Simulated};
use oversleep::ticker::LockedTicker;
use oversleep::{Hertz, Missed, Moment, Nanos, OptionError, Pacer, Sleeper, SleeperBuilder, Ticker, WallTicker};
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
    assert_eq!(sleeper.sleep_for(ms(-3)).nanos(), ms(3));
    assert_eq!(sleeper.sleep_for(Nanos::MIN).nanos(), Nanos::MAX);
    assert_eq!((sleeper.stats().sleeps(), sleeper.stats().overdue()), (0, 3));
    assert_eq!(sleeper.sleep_for(Duration::MAX).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.machine().now(), Moment::MAX);
    assert_eq!(sleeper.sleep_for(Duration::MAX).nanos(), Nanos::ZERO);
    assert_eq!(sleeper.sleep_for(Nanos::new(1)).nanos(), Nanos::ZERO);
}

#[test]
fn options_outside_their_range_are_refused() {
    let refused = |builder: SleeperBuilder| builder.try_build_on(Simulated::punctual()).unwrap_err();
    let builder = Sleeper::builder;
    for share in [f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.499, 0.99991, 1.0, 99.0] {
        assert_eq!(refused(builder().on_time(share)), OptionError::OnTime(share));
    }
    for share in [f64::INFINITY, -0.1, 1.1, 50.0] {
        assert_eq!(refused(builder().cpu_ceiling(share)), OptionError::CpuCeiling(share));
    }
    assert!(matches!(refused(builder().on_time(f64::NAN)), OptionError::OnTime(_)));
    assert!(matches!(refused(builder().cpu_ceiling(f64::NAN)), OptionError::CpuCeiling(_)));
    assert_eq!(refused(builder().spin_ceiling(ms(-1))), OptionError::SpinCeiling(ms(-1)));
    assert_eq!(refused(builder().real_time_ceiling(Nanos::MIN)), OptionError::RealTimeCeiling(Nanos::MIN));
    assert_eq!(refused(builder().early_window(ms(-1))), OptionError::EarlyWindow(ms(-1)));
}

#[test]
fn options_at_the_ends_of_their_range_are_kept() {
    for (on_time, cpu_ceiling) in [(0.5, 0.0), (0.9999, 1.0)] {
        let builder = Sleeper::builder().on_time(on_time).cpu_ceiling(cpu_ceiling).spin_ceiling(Duration::MAX);
        let mut sleeper = builder.real_time_ceiling(Nanos::ZERO).try_build_on(Simulated::punctual()).unwrap();
        for _ in 0..300 {
            assert!(sleeper.sleep_for(ms(1)) >= Nanos::ZERO);
        }
        assert_eq!(sleeper.stats().asked(), Some(on_time));
    }
    assert!(Sleeper::builder().eco().try_build().is_ok());
}

#[test]
fn options_of_tickers_outside_their_range_are_refused() {
    let wall = || WallTicker::builder(ms(10));
    for phase in [ms(10), ms(-10), Nanos::MIN] {
        assert_eq!(wall().phase(phase).try_build().unwrap_err(), OptionError::Phase(phase));
    }
    assert_eq!(wall().missed(Missed::Delay).try_build().unwrap_err(), OptionError::DelayOnTheWallClock);
    assert!(wall().phase(ms(-10) + Nanos::new(1)).missed(Missed::Burst).try_build().is_ok());
    let locked = || LockedTicker::builder(ms(10));
    assert_eq!(locked().time_constant(1).try_build().unwrap_err(), OptionError::TimeConstant(1));
    for ppm in [0.5, 100_001.0, -1.0, f64::INFINITY] {
        assert_eq!(locked().max_slew(ppm).try_build().unwrap_err(), OptionError::MaxSlew(ppm));
    }
    assert!(locked().max_slew(f64::NAN).try_build().is_err());
    assert!(locked().time_constant(2).max_slew(1.0).try_build().is_ok());
}

#[test]
fn a_builder_that_panics_says_the_same() {
    let panic_text = |build: fn()| *std::panic::catch_unwind(build).unwrap_err().downcast::<String>().unwrap();
    let sleeper = panic_text(|| drop(Sleeper::builder().on_time(99.0).build()));
    assert_eq!(sleeper, "on_time is a share from 0.5 to 0.9999, not 99; 99 % is 0.99");
    let ticker = panic_text(|| drop(WallTicker::builder(ms(1)).missed(Missed::Delay).build()));
    assert_eq!(ticker, "a wall-clock ticker cannot delay its schedule, which is the clock's; take Skip or Burst");
    let pacer = panic_text(|| _ = Pacer::builder(Hertz::new(1, 1).unwrap()).burst(0).build());
    assert_eq!(pacer, "a burst of 0 lets nothing go; it must be at least 1");
    assert_eq!(panic_text(|| drop(Ticker::every(Duration::ZERO))), "a period must be longer than zero");
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
    assert_eq!(Pacer::builder(slowest).burst(1).try_build().unwrap_err(), OptionError::BurstTooLong(1));
    assert_eq!(Pacer::builder(slowest).try_build().unwrap_err(), OptionError::BurstTooLong(2));
    assert_eq!(Pacer::builder(fastest).burst(0).try_build().unwrap_err(), OptionError::NoBurst);
    let machine = Simulated::punctual();
    let pacer = Pacer::builder(fastest).burst(u64::MAX).build_on(machine.clone());
    machine.advance(Nanos::SECOND);
    assert_eq!(pacer.take_due(u64::MAX), u64::MAX);
    assert_eq!(pacer.take_batch(0, ms(1)), 0);
}

#[test]
fn a_start_at_either_end_of_the_clock() {
    let mut late = Ticker::builder(ms(1)).starting_at(Moment::MAX).build_with(sleeper());
    assert!(late.tick().is_none());
    // The clock's whole range lies behind it: 2⁶³ ns before zero, and the machine's 10 ms.
    let mut early = Ticker::builder(ms(1)).starting_at(at(Nanos::MIN)).build_with(sleeper());
    let tick = early.tick().unwrap();
    assert_eq!((tick.index, tick.missed), ((1 << 63) / 1_000_000 + 10, (1 << 63) / 1_000_000 + 10));
    let following = early.tick().unwrap();
    assert_eq!((following.index, following.missed, following.deadline - tick.deadline), (tick.index + 1, 0, ms(1)));
}
