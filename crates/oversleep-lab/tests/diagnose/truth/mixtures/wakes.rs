//! What wake-ups cost, and the ticks at which they happen.

use super::super::super::random::Dice;
use super::super::tables::normal;
use super::log::LoggedSleep;
use super::programs::Sleep;
use oversleep_recording::document::evidence::Rounding;

/// Cost of a wake-up, in ns: constant, with skewed scatter, and sometimes much more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) base: f64,
    pub(super) jitter: f64,
    /// Share of wake-ups that are later by Exp(200 µs).
    pub(super) outliers: f64,
}

impl Cost {
    /// Returns the cost of a timer that fires when due.
    pub(super) fn of_timer(dice: &mut Dice) -> Self {
        let base = dice.choose(&[2e3, 4e3, 8e3, 15e3, 30e3]);
        Self { base, jitter: base * dice.choose(&[0.05, 0.2, 0.5]), outliers: dice.choose(&[0.0, 0.01, 0.05]) }
    }

    /// Returns the cost of a wake-up after a tick.
    pub(super) fn of_tick(dice: &mut Dice) -> Self {
        let base = dice.choose(&[1e3, 3e3, 10e3, 20e3]);
        Self { base, jitter: base * dice.choose(&[0.1, 0.3, 0.8]), outliers: dice.choose(&[0.0, 0.01, 0.05]) }
    }

    /// Returns the cost of one wake-up.
    pub(super) fn draw(&self, dice: &mut Dice) -> f64 {
        let usual = self.base + normal(dice, 0.0, self.jitter).abs() + dice.exponential(self.jitter);
        usual + if dice.share() < self.outliers { dice.exponential(200e3) } else { 0.0 }
    }

    /// Returns the usual cost.
    pub(super) fn usual(&self) -> f64 {
        self.base + 1.2 * self.jitter
    }
}

/// Returns the first time at or after `time` on a grid.
pub(super) fn at_or_after(time: f64, step: f64, phase: f64) -> f64 {
    phase + ((time - phase) / step).ceil() * step
}

/// Tolerance in ticks, so that rounding errors of floats do not add a tick.
const SAME: f64 = 1e-9;

/// A kernel's tick, and its rule for sleeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tick {
    /// Nominal rate.
    pub(super) hz: f64,
    /// How much longer than nominal a tick is, in ppm.
    pub(super) drift: f64,
    /// Length on the clock, in ns.
    pub(super) length: f64,
    /// Time of one tick, in ns.
    pub(super) phase: f64,
    pub(super) rule: Rounding,
}

impl Tick {
    pub(super) fn new(dice: &mut Dice, now: f64, hz: f64, drift: f64, rule: Rounding) -> Self {
        let length = 1e9 / hz * (1.0 + drift * 1e-6);
        Self { hz, drift, length, phase: now + dice.between(0.0, length), rule }
    }

    /// Returns a tick of one of these rates, with a random rule and drift.
    pub(super) fn random(dice: &mut Dice, now: f64, rates: &[f64]) -> Self {
        let rule = dice.choose(&[Rounding::Up, Rounding::Up, Rounding::UpPlusOne, Rounding::Early]);
        let (coarse, fine) = (dice.between(-100.0, 100.0), dice.between(-10.0, 10.0));
        let (hz, drift) = (dice.choose(rates), dice.choose(&[0.0, 0.0, coarse, fine]));
        Self::new(dice, now, hz, drift, rule)
    }

    /// Returns the tick at which a sleep ends.
    pub(super) fn end(&self, sleep: &Sleep) -> f64 {
        let began = ((sleep.start - self.phase) / self.length).floor();
        let need = (sleep.asked / self.length - SAME).ceil();
        let number = match self.rule {
            Rounding::Up => ((sleep.due() - self.phase) / self.length - SAME).ceil(),
            Rounding::UpPlusOne => began + need + 1.0,
            Rounding::Early => began + need.max(1.0),
            Rounding::Down => began + (sleep.asked / self.length + SAME).floor(),
        };
        self.phase + number * self.length
    }

    /// Returns the ticks at which a sleep may end by a rule: each rule is known in two forms.
    pub(super) fn predicted(&self, rule: Rounding, row: &LoggedSleep) -> [f64; 2] {
        let began = ((row.start - self.phase) / self.length).floor();
        let need = (row.asked / self.length - SAME).ceil();
        let after = ((row.start + row.asked - self.phase) / self.length).ceil();
        let numbers = match rule {
            Rounding::Up => [after, after],
            Rounding::UpPlusOne => [began + need + 1.0, after + 1.0],
            Rounding::Early => [began + need.max(1.0), began + need],
            Rounding::Down => [began + (row.asked / self.length + SAME).floor(); 2],
        };
        numbers.map(|number| self.phase + number * self.length)
    }
}
