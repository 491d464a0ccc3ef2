//! Tables that mislead an estimator which knows usual rates, usual shares and steady conditions only.

use super::super::random::Dice;
use super::Case;
use super::tables::{Table, cost, normal, spread_out};
use super::verdict::Truth;
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::document::evidence::Rounding;

/// Returns the first tick at or after a time, with ticks of this length and phase.
fn at_tick(due: f64, tick: f64, phase: f64) -> f64 {
    phase + ((due - phase) / tick).ceil() * tick
}

/// Returns sleeps that end at ticks of a rate that no kernel is known to be built with.
pub(crate) fn rare_rate(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let hz = dice.choose(&[75.0, 77.0, 83.0, 110.0, 125.0, 150.0, 180.0, 333.0, 400.0, 700.0, 1250.0, 3000.0]);
    let tick = 1e9 / hz;
    let phase = dice.between(0.0, tick);
    let most = dice.choose(&[5.0, 20.0]);
    for _ in 0..dice.choose(&[60, 200, 400]) {
        table.pause(dice.between(0.0, 2.0 * tick));
        let asked = dice.between(0.1 * tick, most * tick).round();
        let end = at_tick(table.now + asked, tick, phase) + 8e3 + dice.exponential(3e3);
        table.until(asked, end);
    }
    table.case("a rare rate", Truth::tick(hz, &[Rounding::Up]).drifting(0.0))
}

/// Returns sleeps to a period's deadlines, of a kernel whose timers fire a steady time after they are due.
pub(crate) fn periods(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let every = dice.choose(&[1e6, 2e6, 4e6, 5e6, 10e6, 20e6]);
    let late = dice.choose(&[30e3, 90e3, 500e3, 1e6f64]).min(0.4 * every);
    let scatter = dice.choose(&[0.0, 500.0, 3e3]);
    let work = dice.choose(&[0.0, 300.0, 2e3]);
    let mut due = table.now;
    for _ in 0..dice.choose(&[60, 300, 1000]) {
        due += every;
        table.pause(1e3 + dice.exponential(work));
        let end = due + late + dice.exponential(scatter);
        table.until((due - table.now).round(), end);
    }
    let truth = Truth { slack: f64::NAN, ..Truth::cost(150e3) };
    table.case("periods, steadily late", truth.and(&[Cause::TimerSlack]))
}

/// Returns sleeps that are late by any share of their request.
pub(crate) fn any_share(dice: &mut Dice) -> Case {
    let share = dice.between(0.003f64.ln(), 0.2f64.ln()).exp();
    let base = dice.between(5e3, 40e3);
    let mut table = Table::new(dice);
    let steps: [f64; 10] = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    let random = dice.share() < 0.5;
    for number in 0..300 {
        let asked = if random { dice.between(200e3, 60e6) } else { steps[number % steps.len()] * 1e6 };
        let late = share * asked + cost(dice, base, false);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    let truth = Truth { share, ..Truth::cost(100e3) }.mainly(&[Cause::ProportionalSlack]);
    table.case("any share of the request", truth.and(&[Cause::ConstantCost]))
}

/// Returns sleeps that end at ticks of one rate, then of another.
pub(crate) fn two_rates(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let rates = dice.choose(&[(64.0, 250.0), (100.0, 250.0), (100.0, 1000.0), (250.0, 300.0), (64.0, 1000.0)]);
    let sleeps = dice.choose(&[100, 200]);
    for number in 0..2 * sleeps {
        let tick = 1e9 / if number < sleeps { rates.0 } else { rates.1 };
        table.pause(dice.between(0.0, tick));
        let asked = dice.between(1e6, 60e6).round();
        let end = at_tick(table.now + asked, tick, 0.0) + 8e3 + dice.exponential(2e3);
        table.until(asked, end);
    }
    let truth = Truth { hz: None, ..Truth::tick(rates.0, &[Rounding::Up]) };
    table.case("two rates", truth.and(&[Cause::ChangePoint, Cause::Bimodal]))
}

/// Returns sleeps that end when due, of which only the ends were truncated to a coarse clock.
pub(crate) fn coarse_ends(dice: &mut Dice) -> Case {
    let step = dice.choose(&[100e3, 1e6, 10e6]);
    let mut table = Table::new(dice);
    for _ in 0..dice.choose(&[60, 200, 400]) {
        let asked = dice.between(1.2 * step, 20.0 * step).round();
        let end = table.now + asked + cost(dice, 8e3, false);
        table.until(asked, (end / step).floor() * step);
        table.pause((end - table.now).max(0.0) + dice.between(1e3, 0.7 * step));
    }
    table.case("only ends coarse", Truth::cost(60e3).mainly(&[]).and(&[Cause::ConstantCost]))
}

/// Phases of the ticks, one after the other: they move to and fro, as steady moves in one direction are a drift.
const PHASES: [f64; 6] = [0.0, 1.0, 0.0, 2.0, 1.0, 0.0];

/// Returns sleeps that end at ticks whose phase moves from time to time.
pub(crate) fn moved_phase(dice: &mut Dice) -> Case {
    let mut table = Table::new(dice);
    let hz = dice.choose(&[100.0, 250.0, 1000.0]);
    let tick = 1e9 / hz;
    let by = dice.choose(&[0.5, 0.5, 0.25, 1.0 / 3.0]) * tick;
    let (sleeps, stretches) = (dice.choose(&[200, 400]), dice.choose(&[2, 4, 6]));
    for number in 0..sleeps {
        let phase = PHASES[number * stretches / sleeps] * by;
        table.pause(dice.between(0.0, tick));
        let asked = dice.between(0.1 * tick, 15.0 * tick).round();
        let end = at_tick(table.now + asked, tick, phase) + 8e3 + dice.exponential(2e3);
        table.until(asked, end);
    }
    table.case("a tick whose phase moves", Truth::tick(hz, &[Rounding::Up]).drifting(0.0))
}

/// Returns sleeps whose cost alternates between two values.
pub(crate) fn alternating(dice: &mut Dice) -> Case {
    let costs = dice.choose(&[(20e3, 320e3), (20e3, 120e3), (40e3, 540e3), (10e3, 1_010e3)]);
    let mut table = Table::new(dice);
    let fixed = dice.choose(&[None, Some(1e6), Some(5e6)]);
    for number in 0..dice.choose(&[60, 200, 400]) {
        let asked = fixed.unwrap_or_else(|| dice.between(200e3, 40e6));
        let base = if number % 2 == 0 { costs.0 } else { costs.1 };
        let late = normal(dice, base, 1e3);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 8e3));
    }
    let truth = Truth::cost(costs.1 + 10e3).and(&[Cause::Bimodal]);
    table.case("alternating costs", truth)
}

/// Returns sleeps whose lateness grows smoothly with the request, as the logarithm or the root, or with a heavy tail.
pub(crate) fn growing(dice: &mut Dice) -> Case {
    let (kind, scale) = (dice.choose(&[0, 1, 2]), dice.between(5e3, 30e3));
    let mut table = Table::new(dice);
    for _ in 0..dice.choose(&[200, 400]) {
        let asked = (dice.between(200e3f64.ln(), 100e6f64.ln())).exp();
        let late = match kind {
            0 => scale * (asked / 1e5).ln(),
            1 => scale * (asked / 1e6).sqrt(),
            _ => scale / (1.0 - dice.share()).powf(0.5),
        };
        let late = late + dice.exponential(2e3);
        table.sleep(asked, late);
        table.pause(dice.between(2e3, 30e3));
    }
    table.case("growing smoothly", Truth::cost(400e3).and(&[Cause::IdleExit]))
}

/// Returns evenly scattered sleeps at a usual level.
pub(crate) fn scattered(dice: &mut Dice) -> Case {
    let (from, width) = (dice.between(0.0, 200e3), dice.between(20e3, 2e6));
    let truth = Truth::cost(from + width);
    spread_out("uniform, any width", dice, truth, move |dice| from + width * dice.share())
}
