//! Clocks of programs: coarse, corrected while the program runs, or set.

use super::super::super::random::Dice;
use super::costs::on_timers;
use super::log::Log;
use super::programs::{Kind, Program, sleeps, some};
use super::ticks::{OnTicks, nothing};
use super::wakes::Cost;
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::document::evidence::Rounding;

const MS: f64 = 1e6;

/// Returns the last step of a coarse clock.
fn step_before(time: f64, step: f64) -> f64 {
    (time / step).floor() * step
}

/// Truncates all times to one of the resolutions that programs log with, and returns it.
fn truncate(log: &mut Log, dice: &mut Dice) -> f64 {
    let step = dice.choose(&[100.0, 1e3, 1e3, 10e3, MS]);
    log.note(&("resolution", step));
    log.read_with(|time| step_before(time, step));
    step
}

/// Returns sleeps on ticks, with truncated times.
pub(crate) fn tick_quant(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let truth = OnTicks::random(dice, &log, &[100.0, 250.0, 300.0, 1000.0]).run(&mut log, dice, nothing);
    let step = truncate(&mut log, dice);
    log.case("tick_quant", Truth { step, ..truth })
}

/// Runs any program on timers that fire late by a slack, and returns the truth.
fn slacked(log: &mut Log, dice: &mut Dice, slack: f64) -> Truth {
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(log, dice, &program, &cost, |_, _| slack);
    Truth::slack(slack, &cost)
}

/// Returns sleeps of timers that fire when due, with truncated times.
pub(crate) fn plain_quant(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let truth = slacked(&mut log, dice, 0.0);
    let step = truncate(&mut log, dice);
    if log.is_refused() {
        return plain_quant(dice);
    }
    log.case("plain_quant", Truth { step, ..truth })
}

/// Returns sleeps of timers with slack, with truncated times.
pub(crate) fn slack_quant(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let slack = dice.choose(&[50e3, 50e3, MS]);
    let truth = slacked(&mut log, dice, slack);
    let step = truncate(&mut log, dice);
    if log.is_refused() {
        return slack_quant(dice);
    }
    log.case("slack_quant", Truth { step, ..truth })
}

/// Returns sleeps of timers that fire when due or a slack later, on a clock that moves in steps of a tick.
pub(crate) fn coarse_clock(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (step, slack) = (dice.choose(&[15.625 * MS, 10.0 * MS, 4.0 * MS, MS]), dice.choose(&[0.0, 50e3]));
    let phase = dice.between(0.0, step);
    let truth = slacked(&mut log, dice, slack);
    log.note(&("resolution", step));
    log.read_with(|time| phase + step_before(time - phase, step));
    if log.is_refused() {
        return coarse_clock(dice);
    }
    log.case("coarse_clock", Truth { step, ..truth })
}

/// Returns sleeps on ticks, on a clock that time synchronisation makes faster from some time on.
pub(crate) fn ntp_slew(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let on = OnTicks::random(dice, &log, &[100.0, 250.0, 1000.0]);
    let rule = on.tick.rule;
    let truth = on.exactly(rule, 0.0).run(&mut log, dice, nothing);
    let ppm = dice.choose(&[50.0, 200.0, 500.0]);
    let (first, last) = (log.rows[0].start, log.now);
    let from = first + (last - first) * dice.between(0.3, 0.7);
    log.read_with(|time| time + (time - from).max(0.0) * ppm * 1e-6);
    log.case("ntp_slew", Truth { slew: Some(ppm), ..truth })
}

/// Returns sleeps of timers that fire when due, on a clock that is set forwards during one of them.
pub(crate) fn plain_clockstep(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let truth = slacked(&mut log, dice, 0.0);
    let step = dice.choose(&[3.0 * MS, 50.0 * MS, 500.0 * MS]);
    let at = usize::try_from(dice.next() % log.rows.len() as u64).unwrap_or(0);
    log.note(&("clock set by", step));
    for (number, row) in log.rows.iter_mut().enumerate().skip(at) {
        row.end += step;
        row.start += if number > at { step } else { 0.0 };
    }
    log.case("plain_clockstep", truth.and(&[Cause::Stopped]))
}

/// Returns sleeps of whole milliseconds between time stamps in whole milliseconds, as of Java.
pub(crate) fn java_ms(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let number = dice.choose(&[1, 2, 4]);
    let requests = some(dice, &[1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 16.0, 20.0, 30.0, 50.0], number);
    let (work, slack, cost) = (dice.choose(&[0.01, 0.5, 3.0]) * MS, dice.choose(&[0.0, 50e3]), Cost::of_timer(dice));
    log.note(&(&requests, "work", work, cost));
    for _ in 0..sleeps(dice) {
        log.now += work * dice.between(0.2, 2.0);
        let asked = dice.choose(&requests) * MS;
        let end = log.now + asked + slack + cost.draw(dice);
        log.sleep("Thread.sleep", asked, end);
    }
    log.read_with(|time| step_before(time, MS));
    log.case("java_ms", Truth { step: MS, ..Truth::slack(slack, &cost) })
}

/// Returns sleeps on Windows' tick, timed with its tick count in whole milliseconds.
pub(crate) fn windows_tickcount(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let on = OnTicks::random(dice, &log, &[64.0]).exactly(Rounding::Early, 0.0);
    let requests = [MS, 5.0 * MS, 10.0 * MS, 16.0 * MS, 20.0 * MS, 33.0 * MS, 50.0 * MS];
    let program = Program::any_of(dice, &[Kind::Choose, Kind::Repeat, Kind::Paused]).asking(dice, &requests);
    let on = OnTicks { program, ..on };
    let truth = on.run(&mut log, dice, nothing);
    let tick = on.tick;
    log.read_with(|time| step_before(tick.phase + step_before(time - tick.phase, tick.length), MS));
    log.case("windows_tickcount", Truth { step: 16.0 * MS, ..truth })
}
