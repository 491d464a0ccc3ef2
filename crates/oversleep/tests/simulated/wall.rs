//! Ticks of the wall clock, through everything that can happen to that clock.

use crate::{at, kernel, ms, us};
use oversleep::clock::{Wall, WallTime};
use oversleep::machine::{Machine, Simulated};
use oversleep::{Nanos, OptionError, Period, Sleeper, Tick, WallTicker};
use std::time::Duration;

const NOON: WallTime = WallTime::from_nanos(Nanos::from_secs(1_750_000_000 / 60 * 60));

/// Returns a machine whose wall clock shows 0.4 s past noon.
fn machine() -> Simulated {
    let machine = kernel::hrtimer(us(25), us(6));
    machine.set_wall(NOON.saturating_add(ms(400)));
    machine
}

fn seconds(machine: &Simulated) -> WallTicker<Simulated> {
    phased(Nanos::ZERO, machine)
}

fn phased(phase: Nanos, machine: &Simulated) -> WallTicker<Simulated> {
    WallTicker::builder(Period::every(Nanos::SECOND)).phase(phase).build_with(Sleeper::on(machine.clone()))
}

/// Returns the seconds past noon.
fn second(tick: &Tick<Wall>) -> i64 {
    tick.deadline.saturating_since(NOON).get() / 1_000_000_000
}

#[test]
fn each_second_comes_when_the_clock_shows_it() {
    let machine = machine();
    let mut ticker = seconds(&machine);
    for n in 1..100 {
        let due = ticker.next_deadline();
        let tick = ticker.tick().unwrap();
        assert_eq!((Some(tick.deadline), tick.deadline), (due, NOON.saturating_add(Nanos::from_secs(n))));
        let shown = machine.wall();
        assert!(shown >= tick.deadline && shown <= tick.deadline.saturating_add(Nanos::from_millis(1)), "{shown:?}");
        assert!(tick.disturbed.is_quiet());
    }
}

#[test]
fn waits_on_the_processor_stay_below_the_ceilings_and_are_counted() {
    for (ceiling, real_time) in [(Nanos::ZERO, false), (us(50), false), (ms(20), false), (us(100), true), (us(5), true)]
    {
        let machine = machine();
        machine.set_real_time(real_time);
        let asked = Sleeper::builder();
        let asked = if real_time { asked.real_time_ceiling(ceiling) } else { asked.spin_ceiling(ceiling) };
        let sleeper = asked.build_on(machine.clone());
        let mut ticker = WallTicker::builder(Period::every(Nanos::SECOND)).build_with(sleeper);
        for _ in 0..20 {
            ticker.tick().unwrap();
            let before = (machine.spun(), ticker.sleeper().stats().spun());
            ticker.tick().unwrap();
            let spun = machine.spun() - before.0;
            assert!(spun <= ceiling + us(1), "{ceiling}: {spun}");
            let reported = ticker.sleeper().stats().spun() - before.1;
            assert!((reported - spun).abs() <= us(2), "{ceiling}: {reported} of {spun}");
        }
    }
}

/// The step may be measured slightly shorter or longer than the second that it is.
#[test]
fn a_repeated_leap_second_ticks_twice_however_it_is_read() {
    for off in [-900, -30, 0, 30, 900] {
        let machine = machine();
        machine.step_wall(at(ms(2_000)), Nanos::new(off) - Nanos::SECOND); // at 2 s past noon it is 1 s past noon again
        let mut ticker = seconds(&machine);
        let seconds: Vec<i64> = (0..4).map(|_| second(&ticker.tick().unwrap())).collect();
        assert_eq!(seconds[..2], [1, 2], "{off}");
        assert_eq!(seconds[2..], [2, 3], "{off}");
    }
}

#[test]
fn a_phase_shifts_the_grid_either_way() {
    for (phase, first) in [(ms(250), ms(1_250)), (ms(-250), ms(750))] {
        let machine = machine();
        let tick = phased(phase, &machine).tick().unwrap();
        assert_eq!(tick.deadline, NOON.saturating_add(first));
    }
}

#[test]
fn a_smeared_leap_second_is_followed_and_no_step() {
    let machine = machine();
    machine.drift_wall(-11_574); // one second a day
    let mut ticker = seconds(&machine);
    for n in 1..2_000 {
        let tick = ticker.tick().unwrap();
        assert_eq!(second(&tick), n);
        assert!(tick.disturbed.is_quiet(), "{tick:?}");
        assert!(tick.lateness.nanos() >= Nanos::ZERO && tick.lateness.nanos() < ms(1), "{}", tick.lateness);
    }
}

#[test]
fn a_step_forward_is_told_and_its_seconds_are_missed() {
    let machine = machine();
    machine.step_wall(at(ms(2_000)), Nanos::from_secs(5)); // at 2.4 s past noon
    let mut ticker = seconds(&machine);
    assert_eq!(second(&ticker.tick().unwrap()), 1);
    assert_eq!(second(&ticker.tick().unwrap()), 2);
    let tick = ticker.tick().unwrap();
    assert_eq!((second(&tick), tick.missed), (7, 4));
    assert!((tick.disturbed.stepped - Nanos::from_secs(5)).abs() < us(200), "{tick:?}");
    let tick = ticker.tick().unwrap();
    assert_eq!(second(&tick), 8);
    assert!(tick.disturbed.is_quiet());
}

#[test]
fn a_small_step_back_brings_no_second_twice() {
    let machine = machine();
    machine.step_wall(at(ms(1_650)), ms(-300)); // at 2.05 s past noon, to 1.75 s
    let ticks: Vec<_> = seconds(&machine).take(4).collect();
    assert_eq!(ticks.iter().map(second).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!((ticks[2].disturbed.stepped + ms(300)).abs() < us(200), "{:?}", ticks[2]);
}

#[test]
fn a_large_step_back_follows_the_clock() {
    let machine = machine();
    machine.step_wall(at(ms(3_000)), Nanos::from_secs(-3_600)); // at 3.4 s past noon
    let ticks: Vec<_> = seconds(&machine).take(6).collect();
    assert_eq!(ticks.iter().map(second).collect::<Vec<_>>(), [1, 2, 3, -3_596, -3_595, -3_594]);
    assert!(ticks[3].disturbed.stepped < Nanos::from_secs(-3_599));
    assert!(ticks[4].disturbed.is_quiet());
}

#[test]
fn a_repeated_leap_second_is_ticked_twice() {
    let machine = machine();
    machine.step_wall(at(ms(1_600)), Nanos::from_secs(-1)); // when the clock would show 2.0 s
    let ticks: Vec<_> = seconds(&machine).take(4).collect();
    assert_eq!(ticks.iter().map(second).collect::<Vec<_>>()[..], [1, 2, 3, 4]);
    let machine = self::machine();
    machine.step_wall(at(ms(1_700)), Nanos::from_secs(-1)); // at 2.1 s, after the tick
    let ticks: Vec<_> = seconds(&machine).take(4).collect();
    assert_eq!(ticks.iter().map(second).collect::<Vec<_>>(), [1, 2, 2, 3]);
}

#[test]
fn a_suspension_is_no_step() {
    let machine = machine();
    machine.suspend(at(ms(2_000)), Nanos::from_secs(60));
    let mut ticker = seconds(&machine);
    let _ = (ticker.tick(), ticker.tick());
    let tick = ticker.tick().unwrap();
    assert_eq!(tick.disturbed.suspended, Nanos::from_secs(60));
    assert_eq!(tick.disturbed.stepped, Nanos::ZERO);
    // Asleep at 2.4 s, awake again at 62.4 s: noticed at the next reading, within a second.
    assert_eq!((second(&tick), tick.missed), (62, 59));
    assert_eq!(second(&ticker.tick().unwrap()), 63);
}

#[test]
fn a_new_period_begins_at_its_next_multiple_and_a_reset_misses_nothing() {
    let machine = machine();
    let mut ticker = phased(ms(250), &machine);
    assert_eq!(ticker.tick().unwrap().deadline, NOON.saturating_add(ms(1_250)));
    let due = |ticker: &mut WallTicker<Simulated>| {
        let tick = ticker.tick().unwrap();
        (tick.deadline.saturating_since(NOON), tick.missed)
    };
    // The present period changes nothing: the tick that is due already comes late.
    machine.advance(ms(1_100));
    ticker.set_period(Duration::from_secs(1));
    assert_eq!(due(&mut ticker), (ms(2_250), 0));
    ticker.set_period(Duration::from_millis(400));
    assert_eq!(ticker.period(), Period::every(ms(400)));
    // 2.45 is the first multiple of 0.4 s since 1970, and 0.25 s, after 2.35 s past noon.
    let base = NOON.as_nanos().get() % 400_000_000;
    let (first, missed) = due(&mut ticker);
    assert_eq!(((first.get() + base - 250_000_000) % 400_000_000, missed), (0, 0));
    assert!(first > ms(2_350) && first <= ms(2_750), "{first}");
    machine.advance(ms(10_000));
    ticker.reset();
    let (following, missed) = due(&mut ticker);
    assert!(following > first + ms(10_000) && following <= first + ms(10_800), "{following}");
    assert_eq!(missed, 0);
    let refused = ticker.try_set_period(Period::every(ms(250)));
    assert_eq!((refused, ticker.period()), (Err(OptionError::Phase(ms(250))), Period::every(ms(400))));
}
