//! Ticks are on their grid, whatever happens between them.

use crate::{at, kernel, ms, us};
use oversleep::machine::{Machine, Simulated};
use oversleep::{Hertz, Missed, Moment, Nanos, Period, Sleeper, Ticker};
use proptest::prelude::*;
use std::time::Duration;

fn ticker(machine: &Simulated, period: Period) -> Ticker<Simulated> {
    missing(Missed::default(), machine, period)
}

fn missing(missed: Missed, machine: &Simulated, period: Period) -> Ticker<Simulated> {
    Ticker::builder(period).missed(missed).build_with(Sleeper::on(machine.clone()))
}

fn hertz(numerator: u64, denominator: u64) -> Period {
    Period::try_from(Hertz::new(numerator, denominator).unwrap()).unwrap()
}

#[test]
fn a_minute_at_one_kilohertz_does_not_drift() {
    let machine = kernel::hrtimer(us(25), us(6));
    let mut ticker = missing(Missed::Burst, &machine, hertz(1_000, 1));
    for n in 0..60_000_i64 {
        let tick = ticker.tick().unwrap();
        assert_eq!(tick.deadline, at(ms(n)));
        assert_eq!(tick.index, n.unsigned_abs());
    }
}

#[test]
fn video_time_is_exact() {
    let machine = Simulated::punctual();
    let ticks: Vec<_> = ticker(&machine, hertz(60_000, 1_001)).take(60_001).collect();
    assert_eq!(ticks[1].deadline, at(Nanos::new(16_683_334)));
    assert_eq!(ticks[60_000].deadline, at(Nanos::from_secs(1_001)));
    assert!(ticks.iter().all(|tick| tick.lateness.nanos() == Nanos::ZERO && tick.missed == 0));
}

/// Returns seven ticks, the consumer of the third busy for 3.5 ms: index, deadline in µs, end in µs, ticks left out.
fn stumble(missed: Missed) -> Vec<(u64, i64, i64, u64)> {
    let machine = Simulated::punctual();
    let mut ticker = missing(missed, &machine, Period::every(ms(1)));
    let mut seen = Vec::new();
    for n in 0..7 {
        let tick = ticker.tick().unwrap();
        let micros = |time: Moment| time.as_nanos().get() / 1_000;
        seen.push((tick.index, micros(tick.deadline), micros(machine.now()), tick.missed));
        if n == 2 {
            machine.advance(us(3_500));
        }
    }
    seen
}

#[test]
fn burst_catches_up() {
    let ticks = [(0, 0, 0, 0), (1, 1_000, 1_000, 0), (2, 2_000, 2_000, 0)];
    let late = [(3, 3_000, 5_500, 0), (4, 4_000, 5_500, 0), (5, 5_000, 5_500, 0), (6, 6_000, 6_000, 0)];
    assert_eq!(stumble(Missed::Burst), [&ticks[..], &late].concat());
}

#[test]
fn skip_hands_out_the_latest_and_keeps_the_grid() {
    let ticks = [(0, 0, 0, 0), (1, 1_000, 1_000, 0), (2, 2_000, 2_000, 0)];
    let late = [(5, 5_000, 5_500, 2), (6, 6_000, 6_000, 0), (7, 7_000, 7_000, 0), (8, 8_000, 8_000, 0)];
    assert_eq!(stumble(Missed::Skip), [&ticks[..], &late].concat());
}

#[test]
fn delay_begins_anew() {
    let ticks = [(0, 0, 0, 0), (1, 1_000, 1_000, 0), (2, 2_000, 2_000, 0)];
    let late = [(3, 3_000, 5_500, 0), (4, 6_500, 6_500, 0), (5, 7_500, 7_500, 0), (6, 8_500, 8_500, 0)];
    assert_eq!(stumble(Missed::Delay), [&ticks[..], &late].concat());
}

/// The same after a delay of less than a period: 1.8 ms of work after every second tick of 1 ms.
#[test]
fn delay_leaves_a_period_after_every_late_tick() {
    let machine = Simulated::punctual();
    let period = Period::every(us(1_000));
    let mut ticker = missing(Missed::Delay, &machine, period);
    let mut came = Vec::new();
    for n in 0..6 {
        ticker.tick().unwrap();
        came.push(machine.now().as_nanos().get() / 1_000);
        machine.advance(if n % 2 == 1 { us(1_800) } else { us(100) });
    }
    assert_eq!(came, [0, 1_000, 2_800, 3_800, 5_600, 6_600]);
}

/// The same when the kernel was late: by 5 ms at one tick of 2 ms, and by 0.1 ms at all others.
#[test]
fn delay_leaves_a_period_after_a_very_late_wake_up() {
    let mut sleeps = 0;
    let machine = Simulated::new(move |_now, deadline| {
        sleeps += 1;
        deadline + if sleeps == 4 { ms(5) } else { us(100) }
    });
    let period = Period::every(ms(2));
    let sleeper = Sleeper::builder().spin_ceiling(Nanos::ZERO).build_on(machine.clone());
    let mut ticker = Ticker::builder(period).missed(Missed::Delay).build_with(sleeper);
    let came: Vec<i64> =
        (0..7).map(|_| ticker.tick().map_or(0, |_| machine.now().as_nanos().get() / 100_000)).collect();
    let late = came.iter().position(|at| at % 20 > 1).unwrap();
    assert!(came[late] - came[late - 1] > 60, "{came:?}");
    assert_eq!(came[late + 1] - came[late], 21, "{came:?}");
    assert_eq!(came[late + 2] - came[late + 1], 20, "its little lateness does not add up: {came:?}");
}

#[test]
fn a_late_start_is_missed_ticks() {
    let machine = Simulated::punctual();
    machine.advance(us(2_500));
    let period = Period::every(ms(1));
    let mut ticker = Ticker::builder(period).starting_at(at(Nanos::ZERO)).build_with(Sleeper::on(machine.clone()));
    let tick = ticker.tick().unwrap();
    assert_eq!((tick.index, tick.missed, tick.lateness.nanos()), (2, 2, us(500)));
    assert_eq!(ticker.next_deadline(), Some(at(ms(3))));
}

#[test]
fn a_suspension_is_told_once() {
    let machine = Simulated::punctual();
    let mut ticker = ticker(&machine, Period::every(ms(20)));
    machine.suspend(at(ms(50)), Nanos::from_secs(3_600));
    let slept: Vec<_> = ticker.by_ref().take(6).map(|tick| tick.disturbed.suspended.get() / 1_000_000_000).collect();
    assert_eq!(slept, [0, 0, 0, 3_600, 0, 0]);
}

#[test]
fn the_schedule_ends_with_the_clock() {
    let machine = Simulated::punctual();
    let mut ticker = ticker(&machine, Period::every(Nanos::new(i64::MAX - 1)));
    assert!(ticker.tick().is_some());
    assert!(ticker.tick().is_some());
    assert!(ticker.tick().is_none());
    assert_eq!(ticker.tick(), None);
}

#[test]
fn a_new_period_counts_from_the_tick_before_it_was_set() {
    let machine = Simulated::punctual();
    let mut ticker = ticker(&machine, Period::every(ms(10)));
    let due = |ticker: &mut Ticker<Simulated>| {
        let tick = ticker.tick().unwrap();
        (tick.index, tick.deadline.as_nanos(), tick.missed)
    };
    // Before the first tick, that stays where it is.
    ticker.set_period(ms(20));
    assert_eq!([due(&mut ticker), due(&mut ticker)], [(0, Nanos::ZERO, 0), (1, ms(20), 0)]);
    // However late it is set.
    machine.advance(ms(3));
    ticker.set_period(ms(4));
    assert_eq!((ticker.period(), ticker.next_deadline()), (Period::every(ms(4)), Some(at(ms(24)))));
    assert_eq!([due(&mut ticker), due(&mut ticker)], [(2, ms(24), 0), (3, ms(28), 0)]);
    // So late that ticks of the new period are missed.
    machine.advance(ms(5));
    ticker.set_period(ms(1));
    assert_eq!([due(&mut ticker), due(&mut ticker)], [(8, ms(33), 4), (9, ms(34), 0)]);
    ticker.set_period(Duration::from_secs(3_600));
    assert_eq!(due(&mut ticker), (10, ms(3_600_034), 0));
}

#[test]
fn a_period_set_again_and_again_does_not_drift() {
    let machine = Simulated::punctual();
    let mut ticker = missing(Missed::Burst, &machine, Period::hz(60));
    for _ in 0..=60 * 60 {
        ticker.tick().unwrap();
        ticker.set_period(Period::hz(60));
    }
    assert_eq!(machine.now(), at(Nanos::from_secs(60)));
}

#[test]
fn a_ticker_that_was_reset_has_missed_nothing() {
    let machine = Simulated::punctual();
    let mut ticker = ticker(&machine, Period::every(ms(10)));
    ticker.by_ref().take(3).for_each(drop);
    machine.advance(ms(35));
    ticker.reset();
    let ticks: Vec<_> = ticker.by_ref().take(2).map(|tick| (tick.index, tick.deadline, tick.missed)).collect();
    assert_eq!(ticks, [(3, at(ms(65)), 0), (4, at(ms(75)), 0)]);
    // A period that is set after a reset counts from that.
    ticker.reset();
    machine.advance(us(300));
    ticker.set_period(ms(1));
    let ticks: Vec<_> = ticker.by_ref().take(2).map(|tick| (tick.index, tick.deadline, tick.missed)).collect();
    assert_eq!(ticks, [(5, at(ms(76)), 0), (6, at(ms(77)), 0)]);
}

#[test]
fn a_schedule_that_would_leave_the_clock_s_range_ends() {
    let machine = Simulated::punctual();
    let mut ticker = ticker(&machine, Period::every(ms(10)));
    machine.advance(Nanos::MAX - ms(5));
    ticker.reset();
    assert_eq!((ticker.next_deadline(), ticker.tick()), (None, None));
    ticker.set_period(ms(2));
    assert_eq!(ticker.by_ref().map(|tick| (tick.index, tick.missed)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
}

/// As many ticks as there can be: one each nanosecond of the clock's range.
#[test]
fn indices_reach_the_end_of_the_clock_s_range() {
    for missed in [Missed::Skip, Missed::Delay, Missed::Burst] {
        let machine = Simulated::punctual();
        machine.advance(Nanos::MAX - Nanos::new(3));
        let builder = Ticker::builder(Nanos::new(1)).starting_at(at(Nanos::MIN)).missed(missed);
        let mut ticker = builder.build_with(Sleeper::on(machine.clone()));
        let tick = ticker.tick().unwrap();
        let last = if missed == Missed::Skip { u64::MAX - 3 } else { 0 };
        assert_eq!((tick.index, tick.missed), (last, last));
        machine.advance(Nanos::MAX);
        let rest = ticker.take(5).map(|tick| tick.index).collect::<Vec<_>>();
        let expected = match missed {
            Missed::Skip => vec![u64::MAX - 1],
            Missed::Burst => vec![1, 2, 3, 4, 5],
            _ => vec![1],
        };
        assert_eq!(rest, expected, "{missed:?}");
    }
}

#[test]
fn a_start_292_years_ago_ends_no_schedule() {
    let machine = Simulated::punctual();
    let builder = Ticker::builder(Period::hz(60)).starting_at(at(Nanos::MIN + Nanos::SECOND));
    let mut ticker = builder.build_with(Sleeper::on(machine.clone()));
    machine.advance(Nanos::from_secs(10));
    let first = ticker.tick().unwrap();
    assert!(first.lateness < Nanos::new(16_666_668), "{}", first.lateness);
    let second = ticker.tick().unwrap();
    assert_eq!((second.index, second.missed), (first.index + 1, 0));
}

#[test]
fn short_names_make_the_same_tickers() {
    let period = Period::every(Duration::from_millis(5));
    assert_eq!(Ticker::hz(200).period(), period);
    assert_eq!(Ticker::every(Duration::from_millis(5)).period(), period);
    assert_eq!(Ticker::new(ms(5)).period(), period);
    assert_eq!(Ticker::new("200Hz".parse::<Period>().unwrap()).period(), period);
}

proptest! {
    /// Whatever the kernel and the consumer do, no tick is early, none comes twice, and each is on the grid.
    #[test]
    fn every_tick_is_on_the_grid(
        rate in (1_u64..20_000, 1_u64..100), busy in prop::collection::vec(0_i64..5_000_000, 1..60), burst: bool,
    ) {
        let machine = kernel::hrtimer(us(25), us(20));
        let period = hertz(rate.0, rate.1);
        let mut ticker = missing(if burst { Missed::Burst } else { Missed::Skip }, &machine, period);
        let mut expected = 0;
        for busy in busy {
            let tick = ticker.tick().unwrap();
            prop_assert_eq!(tick.deadline, at(period.offset(tick.index).unwrap()));
            prop_assert_eq!(tick.index, expected + tick.missed);
            prop_assert!(tick.lateness.nanos() >= Nanos::ZERO);
            prop_assert_eq!(tick.deadline.saturating_add(tick.lateness.nanos()), machine.now());
            expected = tick.index + 1;
            machine.advance(Nanos::new(busy));
        }
    }
}
