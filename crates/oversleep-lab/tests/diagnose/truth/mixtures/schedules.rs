//! Sleeps to deadlines of the program's own.

use super::super::super::random::Dice;
use super::log::Log;
use super::programs::{Kind, Program, Sleep, sleeps};
use super::ticks::{OnTicks, nothing};
use super::wakes::{Cost, Tick};
use super::{Case, Truth};
use oversleep_recording::document::evidence::Rounding;

/// Returns frames on a kernel with ticks.
pub(crate) fn tick_sched(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let on = OnTicks::random(dice, &log, &[100.0, 250.0, 1000.0]);
    let truth = OnTicks { program: Program::any_of(dice, &[Kind::Frames]), ..on }.run(&mut log, dice, nothing);
    log.case("tick_sched", truth)
}

/// Runs a program that sleeps to the next multiple of a period on its clock, or a constant later.
fn to_multiples(
    log: &mut Log,
    dice: &mut Dice,
    method: &'static str,
    period: f64,
    wake: impl Fn(&mut Dice, &Sleep) -> f64,
) {
    let aside = dice.between(0.0, period);
    let (aside, work, sleeps) = (dice.choose(&[0.0, aside]), dice.between(0.01, 0.6) * period, sleeps(dice));
    log.note(&("period", period, "aside", aside, "work", work));
    for number in 0..sleeps {
        log.now += work * dice.between(0.8, 1.3);
        let due = ((log.now - aside) / period).ceil() * period + aside;
        let sleep = Sleep { method, asked: (due - log.now).round(), start: log.now, number };
        let end = wake(dice, &sleep);
        log.sleep(method, sleep.asked, end);
    }
}

/// Returns sleeps to multiples of a period on a kernel with ticks.
pub(crate) fn sched_on_tick(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let period = dice.choose(&[10e6, 20e6, 100e6, 16.666_666_7e6, 7e6]);
    let (hz, rule) = (dice.choose(&[100.0, 250.0, 1000.0, 300.0]), dice.choose(&[Rounding::Up, Rounding::UpPlusOne]));
    let drift = dice.between(-50.0, 50.0);
    let drift = dice.choose(&[0.0, drift]);
    let tick = Tick::new(dice, log.now, hz, drift, rule);
    let cost = Cost { base: 3e3, jitter: 1e3, outliers: 0.0 };
    to_multiples(&mut log, dice, "nanosleep", period, |dice, sleep| tick.end(sleep) + cost.draw(dice));
    log.case("sched_on_tick", Truth::tick(tick, &cost))
}

/// Returns sleeps to multiples of a period on a kernel whose timers fire when due, or a slack later.
pub(crate) fn schedule_wall(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let period = dice.choose(&[1e6, 4e6, 10e6, 16.666_666_7e6, 20e6, 100e6, 1e9]);
    let (slack, cost) = (dice.choose(&[0.0, 50e3]), Cost::of_timer(dice));
    log.note(&cost);
    to_multiples(&mut log, dice, "clock_nanosleep", period, |dice, sleep| sleep.due() + slack + cost.draw(dice));
    log.case("schedule_wall", Truth::slack(slack, &cost))
}
