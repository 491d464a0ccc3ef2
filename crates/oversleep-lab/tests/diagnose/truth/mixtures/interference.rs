//! Other work on the processor that delays wake-ups.

use super::super::super::random::Dice;
use super::costs::on_timers;
use super::log::Log;
use super::programs::Program;
use super::wakes::{Cost, at_or_after};
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;

/// Returns sleeps beside something that runs periodically and holds up the wake-ups it meets.
pub(crate) fn periodic(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let period = dice.choose(&[10e6, 16.67e6, 33e6, 100e6, 250e6, 1e9, 4e6]);
    let (busy, phase) = ((dice.between(0.05, 0.3) * period).min(5e6), dice.between(0.0, period));
    log.note(&("period", period, "busy", busy));
    let cost = Cost { outliers: 0.0, ..Cost::of_timer(dice) };
    log.note(&cost);
    Program::any(dice).run(&mut log, dice, |dice, sleep| {
        let end = sleep.due() + cost.draw(dice);
        let into = (end - phase).rem_euclid(period);
        if into < busy { end + busy - into } else { end }
    });
    let truth = Truth { period: Some(period), other_grid: true, ..Truth::timer(&cost) };
    let truth = truth.mainly(&[Cause::PeriodicInterference]);
    log.case("periodic", truth.and(&[Cause::Bimodal, Cause::RunQueue]))
}

/// Returns sleeps on a virtual processor that the host takes away periodically.
pub(crate) fn steal(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (slack, away, period) = (dice.choose(&[0.0, 50e3]), dice.choose(&[5e6, 20e6]), dice.choose(&[30e6, 100e6]));
    let (phase, cost) = (dice.between(0.0, period), Cost::of_timer(dice));
    log.note(&("period", period, "present", away));
    log.note(&cost);
    Program::any(dice).run(&mut log, dice, |dice, sleep| {
        let end = sleep.due() + slack + cost.draw(dice);
        let into = (end - phase).rem_euclid(period);
        if into < away { end } else { end + period - into + dice.between(0.0, 50e3) }
    });
    let truth = Truth { period: Some(period), other_grid: true, ..Truth::slack(slack, &cost) };
    let truth = truth.mainly(&[Cause::PeriodicInterference, Cause::RunQueue]);
    log.case("steal", truth.and(&[Cause::Bimodal, Cause::RunQueue]))
}

/// Returns sleeps of a program that a garbage collector stops at random times.
pub(crate) fn gc(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (gap, pause) = (dice.choose(&[50e6, 200e6, 1e9]), dice.choose(&[1e6, 5e6, 20e6, 100e6]));
    let (mut next, cost) = (log.now + dice.exponential(gap), Cost::of_timer(dice));
    log.note(&("gap", gap, "pause", pause));
    log.note(&cost);
    Program::any(dice).run(&mut log, dice, |dice, sleep| {
        let mut end = sleep.due() + cost.draw(dice);
        while next < end {
            let over = next + pause * dice.between(0.5, 1.5);
            end = end.max(over);
            next = over + dice.exponential(gap);
        }
        end
    });
    log.case("gc", Truth::timer(&cost))
}

/// Returns sleeps of which a share waits for another thread, for an exponential time.
pub(crate) fn neighbour_exp(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (share, mean) = (dice.choose(&[0.1, 0.3, 0.7, 1.0]), dice.choose(&[100e3, 500e3, 2e6]));
    log.note(&("share", share, "mean", mean));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(
        &mut log,
        dice,
        &program,
        &cost,
        |dice, _| {
            if dice.share() < share { dice.exponential(mean) } else { 0.0 }
        },
    );
    log.case("neighbour_exp", Truth::timer(&cost).mainly(&[Cause::RunQueue]).and(&[Cause::RunQueue]))
}

/// Returns sleeps of which a share waits until the scheduler's next tick displaces another thread.
pub(crate) fn neighbour_tick(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (tick, share) = (1e9 / dice.choose(&[100.0, 250.0, 1000.0]), dice.choose(&[0.1, 0.3, 0.6, 0.9, 1.0]));
    let (phase, cost) = (dice.between(0.0, tick), Cost::of_timer(dice));
    let switch = Cost { base: 2e3, jitter: 1e3, outliers: 0.0 };
    log.note(&("tick", tick, "share", share));
    log.note(&cost);
    Program::any(dice).run(&mut log, dice, |dice, sleep| {
        let end = sleep.due() + cost.draw(dice);
        if dice.share() < share { at_or_after(end, tick, phase) + switch.draw(dice) } else { end }
    });
    let truth = Truth { other_grid: true, ..Truth::timer(&cost) }.mainly(&[Cause::RunQueue]);
    log.case("neighbour_tick", truth.and(&[Cause::RunQueue, Cause::Bimodal]))
}

/// Returns sleeps of which all or half wait for whole quanta of other threads.
pub(crate) fn neighbour_quantum(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (quantum, threads) = (dice.choose(&[3e6, 4e6, 10e6, 20e6, 100e6]), dice.choose(&[1.0, 2.0, 3.0f64]));
    let share = dice.choose(&[0.5, 1.0]);
    log.note(&("quantum", quantum, "threads", threads, "share", share));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |dice, _| {
        let ahead = dice.between(0.0, threads + 1.0).floor();
        if dice.share() < share { quantum * ahead } else { 0.0 }
    });
    let truth = Truth::timer(&cost).mainly(&[Cause::RunQueue]);
    log.case("neighbour_quantum", truth.and(&[Cause::RunQueue, Cause::Bimodal]))
}
