//! Sleeps that end at ticks: odd rates, noise, preemption, and recordings of two parts.

use super::super::super::random::Dice;
use super::log::Log;
use super::programs::{Kind, Program};
use super::truth::SecondPart;
use super::wakes::{Cost, Tick};
use super::{Case, Truth};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::document::evidence::Rounding;

/// A program on a kernel with ticks.
pub(super) struct OnTicks {
    pub(super) tick: Tick,
    pub(super) cost: Cost,
    pub(super) program: Program,
}

impl OnTicks {
    /// Returns a random program on a tick of one of these rates.
    pub(super) fn random(dice: &mut Dice, log: &Log, rates: &[f64]) -> Self {
        Self { tick: Tick::random(dice, log.now, rates), cost: Cost::of_tick(dice), program: Program::any(dice) }
    }

    /// Replaces the rule and the drift.
    pub(super) fn exactly(mut self, rule: Rounding, drift: f64) -> Self {
        self.tick = Tick { rule, drift, length: 1e9 / self.tick.hz * (1.0 + drift * 1e-6), ..self.tick };
        self
    }

    /// Runs the program and returns the truth; `then` returns how much later a wake-up is than its tick and cost.
    pub(super) fn run(&self, log: &mut Log, dice: &mut Dice, then: impl Fn(&mut Dice) -> f64) -> Truth {
        log.note(&self.cost);
        self.program.run(log, dice, |dice, sleep| self.tick.end(sleep) + self.cost.draw(dice) + then(dice));
        Truth::tick(self.tick, &self.cost)
    }
}

/// Returns no further delay.
pub(super) fn nothing(_: &mut Dice) -> f64 {
    0.0
}

/// Returns sleeps on ticks of rates that kernels rarely or never have.
pub(crate) fn tick_odd(dice: &mut Dice) -> Case<Truth> {
    let rates = [
        64.0, 60.0, 128.0, 200.0, 500.0, 512.0, 1024.0, 1200.0, 2000.0, 50.0, 18.2065, 120.0, 144.0, 82.0, 977.5, 333.3,
    ];
    let mut log = Log::new(dice);
    let truth = OnTicks::random(dice, &log, &rates).run(&mut log, dice, nothing);
    log.case("tick_odd", truth)
}

/// Returns sleeps on ticks with wake-ups that scatter over a good part of the tick.
pub(crate) fn tick_noisy(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let mut on = OnTicks::random(dice, &log, &[100.0, 250.0, 300.0, 1000.0]);
    let nominal = 1e9 / on.tick.hz;
    on.cost = Cost { base: 0.01 * nominal, jitter: nominal * dice.choose(&[0.03, 0.06, 0.1, 0.2]), ..on.cost };
    let truth = on.run(&mut log, dice, nothing);
    log.case("tick_noisy", truth)
}

/// Returns sleeps on ticks, some of which wait for up to a quantum for another thread.
pub(crate) fn tick_preempt(dice: &mut Dice) -> Case<Truth> {
    let (share, quantum) = (dice.choose(&[0.05, 0.2, 0.4]), dice.choose(&[4e6, 10e6, 3e6]));
    let mut log = Log::new(dice);
    log.note(&("waits", share, quantum));
    let on = OnTicks::random(dice, &log, &[100.0, 250.0, 1000.0]);
    let wait = |dice: &mut Dice| if dice.share() < share { dice.between(0.0, quantum) } else { 0.0 };
    let truth = on.run(&mut log, dice, wait).and(&[Cause::RunQueue]);
    log.case("tick_preempt", truth)
}

/// Returns sleeps on ticks, some of which have an exponential delay.
pub(crate) fn tick_exp(dice: &mut Dice) -> Case<Truth> {
    let (share, mean) = (dice.choose(&[0.1, 0.3, 0.6]), dice.choose(&[50e3, 200e3, 1e6]));
    let mut log = Log::new(dice);
    log.note(&("delays", share, mean));
    let on = OnTicks::random(dice, &log, &[100.0, 250.0, 300.0, 1000.0, 64.0]);
    let delay = |dice: &mut Dice| if dice.share() < share { dice.exponential(mean) } else { 0.0 };
    let truth = on.run(&mut log, dice, delay).and(&[Cause::RunQueue]);
    log.case("tick_exp", truth)
}

/// Returns sleeps on ticks of one rate, then without a tick or on one of another rate.
pub(crate) fn tick_regimes(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let (sleeps, kind) = (dice.choose(&[60, 200, 400]), dice.choose(&[Kind::Random, Kind::Choose, Kind::Paused]));
    let part = |dice: &mut Dice, log: &Log, rates: &[f64]| OnTicks {
        program: Program::any_of(dice, &[kind]).times(sleeps),
        ..OnTicks::random(dice, log, rates).exactly(Rounding::Up, 0.0)
    };
    let on = part(dice, &log, &[100.0, 250.0, 1000.0]);
    let first = on.run(&mut log, dice, nothing);
    log.now += dice.choose(&[0.0, 10e6, 3e9]);
    let (parts, cost) = if dice.share() < 0.5 {
        let others: Vec<f64> =
            [100.0, 250.0, 1000.0, 300.0].into_iter().filter(|hz| (hz - on.tick.hz).abs() > 1.0).collect();
        let second = part(dice, &log, &others);
        second.run(&mut log, dice, nothing);
        (SecondPart::ThenTick, second.cost)
    } else {
        let cost = Cost::of_timer(dice);
        log.note(&cost);
        Program::any_of(dice, &[kind]).times(sleeps).run(&mut log, dice, |dice, sleep| sleep.due() + cost.draw(dice));
        (SecondPart::ThenTimer, cost)
    };
    let truth = Truth { parts: Some(parts), ..first }.or_cost(&cost);
    log.case("tick_regimes", truth.and(&[Cause::ChangePoint, Cause::Bimodal, Cause::Stopped]))
}

/// Returns sleeps that end with frames of a bus, or with the buffers of a sound card.
pub(crate) fn usbframe(dice: &mut Dice) -> Case<Truth> {
    let mut log = Log::new(dice);
    let drift = dice.between(-60.0, 60.0);
    let on = OnTicks::random(dice, &log, &[8000.0, 172.265_625, 187.5, 93.75, 344.53]).exactly(Rounding::Up, drift);
    let truth = on.run(&mut log, dice, nothing);
    log.case("usbframe", truth)
}
