//! Slack: constant, in proportion to the request, or ended early by other interrupts.

use super::super::super::random::Dice;
use super::costs::on_timers;
use super::log::Log;
use super::programs::{Kind, Program};
use super::wakes::{Cost, at_or_after};
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;

/// Returns sleeps that are late by a share of their request.
pub(crate) fn prop(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let share = dice.choose(&[0.001, 0.005, 0.0078, 0.0625, 0.125, 0.02, 0.04, 0.1]);
    let program = Program::any_of(dice, &[Kind::Random, Kind::Choose, Kind::Frames, Kind::Repeat]);
    let cost = Cost::of_timer(dice);
    on_timers(&mut log, dice, &program, &cost, |_, sleep| share * sleep.asked);
    log.case("prop", Truth::share(share, &cost))
}

/// Returns sleeps that are late by a share of their request with an upper or a lower bound, or of its part beyond a
/// length.
pub(crate) fn prop_kink(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (share, knee) = (dice.choose(&[0.001, 0.0078, 0.0625, 0.1, 0.05]), dice.choose(&[1e6, 3e6, 8e6]));
    let (cap, bound) = (dice.choose(&[10e6, 100e3, 1e6f64]), dice.choose(&["cap", "floor", "knee"]));
    log.note(&("knee", knee, "cap", cap, bound));
    let (program, cost) = (Program::any_of(dice, &[Kind::Random, Kind::Choose]), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |_, sleep| match bound {
        "cap" => cap.min(share * sleep.asked),
        "floor" => (share * sleep.asked).max(50e3),
        _ => share * (sleep.asked - knee).max(0.0),
    });
    log.case("prop_kink", Truth::share(share, &cost).and(&[Cause::IdleExit]))
}

/// Returns sleeps that end anywhere within a share of their request.
pub(crate) fn prop_scatter(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (share, cap) = (dice.choose(&[0.05, 0.0625, 0.1, 0.025]), dice.choose(&[1e6, 50e6f64]));
    let even = dice.share() < 0.5;
    log.note(&("cap", cap, "even", even));
    let program = Program::any_of(dice, &[Kind::Random, Kind::Choose, Kind::Repeat, Kind::Paused]);
    let cost = Cost::of_timer(dice);
    on_timers(&mut log, dice, &program, &cost, |dice, sleep| {
        let leeway = cap.min(share * sleep.asked);
        if even { dice.between(0.0, leeway) } else { leeway.min(dice.exponential(500e3)) }
    });
    let truth = Truth::share(share, &cost).mainly(&[Cause::ProportionalSlack, Cause::Coalescing]);
    log.case("prop_scatter", truth.and(&[Cause::Coalescing, Cause::IdleExit]))
}

/// Returns sleeps of Linux' methods with slack, without, and with a share of the request.
pub(crate) fn linux_two_methods(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let share = dice.choose(&[0.001, 0.005]);
    let methods =
        dice.choose(&[&["nanosleep", "timerfd"][..], &["nanosleep", "select"], &["nanosleep", "timerfd", "select"]]);
    let program = Program::any_of(dice, &[Kind::Choose, Kind::Random]).with(methods);
    let cost = Cost::of_timer(dice);
    on_timers(&mut log, dice, &program, &cost, |_, sleep| match sleep.method {
        "nanosleep" => 50e3,
        "timerfd" => 0.0,
        _ => (share * sleep.asked).clamp(50e3, 100e6),
    });
    let truth = Truth { slack: 50e3, ..Truth::share(share, &cost) };
    log.case("linux_two_methods", truth.mainly(&[Cause::TimerSlack, Cause::ProportionalSlack]))
}

/// Returns sleeps with slack that other interrupts end early, at random times.
pub(crate) fn slack_events(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let slack = dice.choose(&[50e3, 50e3, 200e3, 1e6, 4e6f64]);
    let events = dice.choose(&[200.0, 1e3, 4e3, 20e3]);
    log.note(&("events per s", events));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |dice, _| slack.min(dice.exponential(1e9 / events)));
    let truth = Truth::slack(slack, &cost).mainly(&[Cause::TimerSlack, Cause::Coalescing]);
    log.case("slack_events", truth.and(&[Cause::Coalescing, Cause::Bimodal]))
}

/// Returns sleeps with slack that the interrupts of a tick end early.
pub(crate) fn slack_ticks(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let tick = 1e9 / dice.choose(&[100.0, 250.0, 1000.0]);
    let (phase, slack) = (dice.between(0.0, tick), dice.choose(&[0.02, 0.1, 0.3, 0.6]) * tick);
    log.note(&("tick", tick));
    let (program, cost) = (Program::any(dice), Cost::of_timer(dice));
    on_timers(&mut log, dice, &program, &cost, |_, sleep| {
        (at_or_after(sleep.due(), tick, phase) - sleep.due()).min(slack)
    });
    let truth = Truth { other_grid: true, ..Truth::slack(slack, &cost) };
    let truth = truth.mainly(&[Cause::TimerSlack, Cause::Coalescing]);
    log.case("slack_ticks", truth.and(&[Cause::Coalescing, Cause::Bimodal]))
}
