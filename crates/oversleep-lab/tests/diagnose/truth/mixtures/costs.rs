//! Costs of wake-ups that depend on the length of the sleep, on chance or on the time.

use super::super::super::random::Dice;
use super::super::tables::normal;
use super::log::Log;
use super::programs::{Kind, Program, Sleep};
use super::wakes::Cost;
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;

/// Runs a program on timers that fire when due; `late` returns how much later a wake-up is than the cost, in ns.
pub(super) fn on_timers(
    log: &mut Log,
    dice: &mut Dice,
    program: &Program,
    cost: &Cost,
    mut late: impl FnMut(&mut Dice, &Sleep) -> f64,
) {
    log.note(cost);
    program.run(log, dice, |dice, sleep| sleep.due() + late(dice, sleep) + cost.draw(dice));
}

/// Returns sleeps whose lateness grows with a power of the request.
pub(crate) fn sqrt_late(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (scale, power) = (dice.choose(&[5e3, 20e3, 60e3]), dice.choose(&[0.2, 0.35, 0.5]));
    log.note(&("scale", scale, "power", power));
    let (program, cost) = (Program::any_of(dice, &[Kind::Random, Kind::Choose]), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |_, sleep| scale * (sleep.asked / 1e6).powf(power));
    log.case("sqrt_late", Truth::timer(&cost).and(&[Cause::IdleExit]))
}

/// Returns sleeps that are late by the exit from an idle state if they are long enough to enter it.
pub(crate) fn idle(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (least, exit) = (dice.choose(&[300e3, 800e3, 1.5e6, 4e6, 8e6]), dice.choose(&[10e3, 30e3, 60e3, 133e3, 400e3]));
    let (share, slack) = (dice.choose(&[1.0, 0.9, 0.6]), dice.choose(&[0.0, 50e3]));
    log.note(&("from", least, "exit", exit, "share", share));
    let program = Program::any_of(dice, &[Kind::Random, Kind::Choose, Kind::Frames, Kind::Repeat, Kind::Millisecond]);
    let cost = Cost::of_timer(dice);
    on_timers(&mut log, dice, &program, &cost, |dice, sleep| {
        slack + if sleep.asked > least && dice.share() < share { exit } else { 0.0 }
    });
    let truth = Truth::slack(slack, &cost);
    log.case("idle", truth.mainly(&[Cause::IdleExit]).and(&[Cause::IdleExit, Cause::Bimodal]))
}

/// Returns sleeps with four idle states, whose thresholds scatter.
pub(crate) fn powersave_steps(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let deepest = dice.choose(&[90e3, 150e3, 250e3]);
    let states: [(f64, f64); 4] = [(20e3, 2e3), (300e3, 12e3), (1.5e6, 40e3), (6e6, deepest)];
    let slack = dice.choose(&[0.0, 50e3]);
    log.note(&("deepest", deepest));
    let program = Program::any_of(dice, &[Kind::Random, Kind::Choose]);
    let usual = Cost::of_timer(dice);
    let cost = Cost { base: 3e3, jitter: 3e3 * usual.jitter / usual.base, ..usual };
    on_timers(&mut log, dice, &program, &cost, |dice, sleep| {
        let exits = states.map(|(least, exit)| (sleep.asked > least * normal(dice, 0.0, 0.15).exp(), exit));
        let exit = exits.iter().rev().find(|(enters, _)| *enters).map_or(0.0, |(_, exit)| *exit);
        slack + exit * dice.between(0.8, 1.1)
    });
    let truth = Truth::slack(slack, &cost);
    log.case("powersave_steps", truth.mainly(&[Cause::IdleExit]).and(&[Cause::IdleExit, Cause::Bimodal]))
}

/// Returns sleeps of which a share is later by a constant.
pub(crate) fn bimodal(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (more, share) = (dice.choose(&[15e3, 40e3, 100e3, 250e3]), dice.choose(&[0.2, 0.5, 0.4, 0.1]));
    log.note(&("more", more, "share", share));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |dice, _| if dice.share() < share { more } else { 0.0 });
    log.case("bimodal", Truth::timer(&cost).mainly(&[Cause::Bimodal]).and(&[Cause::Bimodal]))
}

/// Returns sleeps that are later by a constant from one sleep on.
pub(crate) fn change(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    let (from, more) = (dice.between(0.2, 0.8) * program.sleeps as f64, dice.choose(&[20e3, 60e3, 150e3, 1e6]));
    log.note(&("from", from, "more", more));
    let late = |_: &mut Dice, sleep: &Sleep| if sleep.number as f64 > from { more } else { 0.0 };
    on_timers(&mut log, dice, &program, &cost, late);
    let truth = Truth::timer(&cost).mainly(&[Cause::ChangePoint]);
    log.case("change", truth.and(&[Cause::ChangePoint, Cause::Bimodal]))
}

/// Returns sleeps of a thread that moves between a fast and a slow processor.
pub(crate) fn two_cores(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (more, moves) = (dice.choose(&[10e3, 30e3, 80e3]), dice.choose(&[0.005, 0.02, 0.1]));
    log.note(&("more", more, "moves", moves));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    let mut slow = false;
    on_timers(&mut log, dice, &program, &cost, |dice, _| {
        slow ^= dice.share() < moves;
        if slow { more } else { 0.0 }
    });
    let causes = [Cause::ChangePoint, Cause::Bimodal];
    log.case("two_cores", Truth::timer(&cost).mainly(&causes).and(&causes))
}

/// Returns sleeps of a processor that becomes faster, so that the cost falls exponentially.
pub(crate) fn freq_ramp(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (more, sleeps) = (dice.choose(&[30e3, 100e3]), dice.choose(&[3.0, 20.0, 100.0]));
    log.note(&("more", more, "over", sleeps));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |_, sleep| more * (-(sleep.number as f64) / sleeps).exp());
    let truth = Truth { ramp: true, ..Truth::timer(&cost) }.mainly(&[Cause::ChangePoint, Cause::FirstCall]);
    log.case("freq_ramp", truth.and(&[Cause::ChangePoint, Cause::FirstCall, Cause::Bimodal]))
}
