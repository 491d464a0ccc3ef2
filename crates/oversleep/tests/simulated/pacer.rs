//! Rates are exact, bursts are limited, and callers are served in order.

use crate::hooked::Hooked;
use crate::{at, kernel, ms, us};
use oversleep::machine::{Machine, Simulated};
use oversleep::pacer::NotReady;
use oversleep::{Hertz, Nanos, Pacer, Sleeper};
use proptest::prelude::*;

fn pacer(machine: &Simulated, per_second: u64, burst: u64) -> Pacer<Simulated> {
    Pacer::builder(Hertz::new(per_second, 1).unwrap()).burst(burst).build_on(machine.clone())
}

#[test]
fn ten_seconds_have_exactly_their_units() {
    for (per_second, burst) in [(1_000, 12), (100_000, 1_002)] {
        let machine = kernel::hrtimer(us(25), us(6));
        let pacer = pacer(&machine, per_second, burst);
        let units = per_second * 10;
        for _ in 0..units {
            let lateness = pacer.until_ready();
            assert!(lateness.nanos() >= Nanos::ZERO);
        }
        // The next unit is due exactly ten seconds after the first.
        assert_eq!(pacer.next_due(), at(Nanos::from_secs(10)));
        assert_eq!(pacer.forgone(), Nanos::ZERO);
    }
}

#[test]
fn bytes_in_packets_keep_the_rate() {
    let machine = kernel::hrtimer(us(25), us(6));
    let pacer = Pacer::builder("10M".parse().unwrap()).build_on(machine.clone());
    let mut sleeper = Sleeper::on(machine.clone());
    for _ in 0..66_667 {
        let _ = pacer.take_with(&mut sleeper, 1_500).unwrap();
    }
    assert_eq!(pacer.next_due(), at(Nanos::new(100_000_500 * 100)));
    assert_eq!(pacer.forgone(), Nanos::ZERO);
}

#[test]
fn batches_take_all_that_is_due() {
    let machine = kernel::hrtimer(us(25), us(6));
    let pacer = pacer(&machine, 100_000, 1_002);
    let mut taken = 0;
    while machine.now() < at(Nanos::SECOND) {
        let due = pacer.next_due();
        let batch = pacer.take_batch(u64::MAX, us(200));
        assert!((21..60).contains(&batch), "{batch}");
        assert!(machine.now() >= due.saturating_add(us(200)));
        taken += batch;
    }
    // 10 µs apart from time zero on: exactly those up to now.
    assert_eq!(taken, u64::try_from(machine.now().as_nanos().get()).unwrap() / 10_000 + 1);
    assert!(machine.sleeps() < 5_000);
}

#[test]
fn nothing_is_saved_before_the_start_and_one_burst_after() {
    let machine = Simulated::punctual();
    machine.advance(Nanos::from_secs(100));
    let pacer = pacer(&machine, 1_000, 10);
    assert_eq!(pacer.take_due(u64::MAX), 1);
    machine.advance(Nanos::from_secs(100));
    assert_eq!(pacer.take_due(u64::MAX), 10);
    assert_eq!(pacer.take_due(u64::MAX), 0);
    // Units at 1 ms to 100 000 ms were due; the last ten of these were available.
    assert_eq!(pacer.forgone(), ms(100_000 - 10));
}

#[test]
fn try_take_is_all_or_nothing() {
    let machine = Simulated::punctual();
    let pacer = pacer(&machine, 1_000, 10);
    assert_eq!(pacer.try_take(0), Ok(()));
    assert_eq!(pacer.try_take(3), Err(NotReady::Until(at(ms(2)))));
    assert_eq!(pacer.taken(), 0);
    machine.advance(ms(2));
    assert_eq!(pacer.try_take(3), Ok(()));
    assert_eq!(pacer.try_take(1), Err(NotReady::Until(at(ms(3)))));
    assert_eq!(pacer.try_take(11), Err(NotReady::BeyondBurst(10)));
    assert_eq!(pacer.take(11), Err(NotReady::BeyondBurst(10)));
    assert_eq!(pacer.taken(), 3);
}

#[test]
fn a_deadline_is_kept_or_refused_at_once() {
    let machine = Simulated::punctual();
    let pacer = pacer(&machine, 1_000, 10);
    assert!(pacer.take_by(5, at(ms(4))).is_ok());
    assert_eq!(machine.now(), at(ms(4)));
    assert_eq!(pacer.take_by(5, at(ms(8))), Err(NotReady::Until(at(ms(9)))));
    assert_eq!(machine.now(), at(ms(4)));
    assert_eq!(pacer.taken(), 5);
    // Whether units are due by a deadline does not depend on when that is asked.
    machine.advance(ms(5));
    assert_eq!(pacer.take_by(5, at(ms(8))), Err(NotReady::Until(at(ms(9)))));
    assert_eq!(pacer.taken(), 5);
    machine.advance(ms(3));
    assert!(pacer.take_by(5, at(ms(9))).is_ok_and(|late| late.nanos() == ms(3)));
}

#[test]
fn with_a_burst_of_one_places_are_never_closer_than_the_period() {
    let machine = kernel::hrtimer(us(25), us(400));
    let pacer = pacer(&machine, 1_000, 1);
    let mut before = at(ms(-1));
    for _ in 0..1_000 {
        let lateness = pacer.until_ready();
        let place = machine.now().saturating_sub(lateness.nanos());
        assert!(place.saturating_since(before) >= ms(1), "{place:?} {before:?}");
        before = place;
    }
    assert!(pacer.forgone() > Nanos::ZERO);
}

#[test]
fn threads_share_one_rate() {
    let machine = Simulated::punctual();
    let pacer = pacer(&machine, 1_000_000, 10_002);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let _ = pacer.until_ready();
                }
            });
        }
    });
    assert_eq!(pacer.taken(), 2_000);
    assert_eq!(pacer.next_due(), at(ms(2)));
}

#[test]
fn a_batch_is_no_more_than_may_go_at_once() {
    for burst in [1, 4] {
        let machine = Simulated::punctual();
        let pacer = pacer(&machine, 1_000, burst);
        let batches: Vec<u64> = (0..20).map(|_| pacer.take_batch(u64::MAX, ms(9))).collect();
        assert_eq!(batches, [burst; 20]);
        assert_eq!(pacer.take_batch(2, ms(9)), burst.min(2));
    }
}

/// Whatever the threads call, the units they get add up, and no two have the same place.
#[test]
fn threads_share_one_rate_however_they_ask() {
    let machine = Simulated::punctual();
    let pacer = &pacer(&machine, 1_000_000, 10_002);
    let machine = &machine;
    let given: u64 = std::thread::scope(|scope| {
        let take = scope.spawn(|| (0..500).map(|_| pacer.take(2).map_or(0, |_| 2)).sum::<u64>());
        let take_by = scope
            .spawn(|| (0..500).map(|_| pacer.take_by(3, machine.now().saturating_add(us(5))).map_or(0, |_| 3)).sum());
        let try_take = scope.spawn(|| (0..500).map(|_| pacer.try_take(1).map_or(0, |()| 1)).sum());
        let batch = scope.spawn(|| (0..500).map(|_| pacer.take_batch(7, us(3))).sum());
        let with = scope.spawn(|| {
            let mut sleeper = Sleeper::on(machine.clone());
            (0..500).map(|_| pacer.take_with(&mut sleeper, 1).map_or(0, |_| 1)).sum()
        });
        [take, take_by, try_take, batch, with].into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(pacer.taken(), given);
    assert_eq!(pacer.next_due(), at(us(given.cast_signed()) + pacer.forgone()), "each has a place of its own");
}

#[test]
fn a_poisoned_pacer_goes_on() {
    let machine = Hooked::leaked(Simulated::punctual(), None);
    let pacer = Pacer::builder(Hertz::new(1_000, 1).unwrap()).burst(10).build_on(machine);
    // The clock is read while the schedule is locked.
    machine.panic_at_the_next_look();
    let panicked = std::thread::scope(|scope| scope.spawn(|| pacer.until_ready()).join().is_err());
    assert!(panicked);
    let _ = pacer.until_ready();
    assert_eq!(pacer.taken(), 1);
}

#[test]
fn a_batch_has_its_place_before_it_waits() {
    let machine = Hooked::leaked(Simulated::punctual(), None);
    let pacer = Pacer::builder(Hertz::new(1_000, 1).unwrap()).burst(4).build_on(machine);
    let pacer: &'static _ = Box::leak(Box::new(pacer));
    // At each wake-up another thread takes all units due before the first can.
    machine.at_every_sleep_s_end(|| {
        let _ = pacer.take_due(u64::MAX);
    });
    let batches: Vec<u64> = (0..20).map(|_| pacer.take_batch(u64::MAX, ms(2))).collect();
    assert_eq!(batches, [1; 20], "one is its own, the others were gone");
    assert_eq!(pacer.taken(), 60, "one and two of the others', twenty times");
    assert_eq!(pacer.forgone(), Nanos::ZERO);
}

#[test]
fn units_are_reserved_without_a_wait() {
    let machine = Simulated::punctual();
    let pacer = pacer(&machine, 1_000, 10);
    assert_eq!([pacer.reserve(1), pacer.reserve(3), pacer.reserve(2)], [Ok(at(ms(0))), Ok(at(ms(3))), Ok(at(ms(5)))]);
    assert_eq!((machine.now(), machine.sleeps(), pacer.taken()), (at(Nanos::ZERO), 0, 6));
    // A waiting caller comes after them.
    assert!(pacer.take(1).is_ok());
    assert_eq!(machine.now(), at(ms(6)));
    assert_eq!(pacer.reserve(11), Err(NotReady::BeyondBurst(10)));
    assert_eq!(pacer.reserve(0), Ok(at(ms(6))));
    machine.advance(ms(20));
    assert_eq!(pacer.reserve(1), Ok(at(ms(17))), "in the past: at once");
}

/// 1500 bytes at 10 kB/s, of which ten milliseconds have 100.
#[test]
fn an_item_larger_than_ten_milliseconds_is_covered() {
    let machine = Simulated::punctual();
    let pacer = Pacer::builder("10k".parse().unwrap()).build_on(machine.clone());
    assert_eq!(pacer.burst(), 102);
    let due: Vec<_> = (0..4).map(|_| pacer.reserve(1_500).unwrap() - at(Nanos::ZERO)).collect();
    let last = |item: i64| us(100) * (1_500 * item - 1);
    assert_eq!(due, [last(1), last(2), last(3), last(4)]);
    assert_eq!(pacer.burst(), 1_500);
    // An idle time is worth one item, and the next keeps the rate.
    machine.advance(Nanos::from_secs(100));
    let now = machine.now();
    assert_eq!(pacer.try_take(1_500), Ok(()));
    assert_eq!(pacer.reserve(1_500), Ok(now + ms(150)));
    // The first item is covered, too.
    let idle = Pacer::builder("10k".parse().unwrap()).build_on(machine.clone());
    machine.advance(Nanos::from_secs(100));
    assert_eq!(idle.try_take(1_500), Ok(()));
    assert_eq!(idle.forgone(), Nanos::from_secs(100) - us(100) * 1_499);
}

proptest! {
    /// A caller that is never later than the burst allows gets exactly the requested rate.
    #[test]
    fn the_mean_rate_is_the_one_asked_for(
        rate in (1_u64..1_000_000, 1_u64..1_000), busy in prop::collection::vec(0_i64..2_000, 1..200),
    ) {
        let machine = kernel::hrtimer(us(25), us(6));
        let hertz = Hertz::new(rate.0, rate.1).unwrap();
        let pacer = Pacer::builder(hertz).burst(1_000_000).build_on(machine.clone());
        for (n, busy) in busy.into_iter().enumerate() {
            let _ = pacer.until_ready();
            let exact = (n as u128 + 1) * u128::from(hertz.denominator()) * 1_000_000_000;
            let due = exact.div_ceil(u128::from(hertz.numerator()));
            prop_assert_eq!(u128::try_from(pacer.next_due().as_nanos().get()).unwrap(), due);
            machine.advance(Nanos::new(busy));
        }
    }
}

#[test]
fn a_refused_request_leaves_the_schedule_as_it_was() {
    let machine = Simulated::punctual();
    let pacer = Pacer::builder(Hertz::new(100, 1).unwrap()).build_on(machine.clone());
    assert!(matches!(pacer.try_take(1_000_000), Err(NotReady::Until(_))));
    assert!(matches!(pacer.take_by(500, at(Nanos::ZERO)), Err(NotReady::Until(_))));
    assert_eq!(pacer.burst(), 3);
    machine.advance(Nanos::SECOND);
    assert_eq!(pacer.take_due(u64::MAX), 3);
}
