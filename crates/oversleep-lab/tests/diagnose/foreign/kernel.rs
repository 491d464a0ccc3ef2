//! A kernel written without knowledge of the simulator: floating point, no events, one function from request to
//! wake-up.

use super::super::random::Dice;

/// Rule that turns a request into a wake-up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rule {
    /// The first tick at or after the time.
    Up,
    /// ceil(request / tick) + 1 ticks from the tick in progress.
    Counted,
    /// One whole tick after the first one at or after the time.
    TickMore,
    /// NT: the first tick at or after the time of the tick in progress plus the request.
    Early,
    /// A timer that fires when due, with slack: constant, or a share of the request up to a cap. Times in ns.
    Timer { slack: f64, share: f64, cap: f64 },
}

impl Rule {
    /// Returns the name of the rule in the evidence; empty for a timer.
    pub(crate) fn rounding(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Counted | Self::TickMore => "up-plus-one",
            Self::Early => "early",
            Self::Timer { .. } => "",
        }
    }
}

/// Disturbances of wake-ups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Noise {
    /// None, apart from the exponential part of the cost.
    None,
    /// For a share of the wake-ups, an exponential delay with this mean, in ns.
    Outliers { share: f64, mean: f64 },
    /// For a share of the wake-ups, a delay with a power-law tail: 20 µs / u^0.8, at most 50 ms.
    HeavyTail { share: f64 },
    /// Bursts: for 100 ms in every period of `every` ns, each wake-up has an exponential delay with this mean, in ns.
    Bursts { every: f64, mean: f64 },
}

/// One kernel on one machine. Times in ns of the clock that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foreign {
    /// Nominal tick rate, in Hz.
    pub(crate) hz: f64,
    /// How much longer than nominal a tick is on the clock, in ppm.
    pub(crate) drift: f64,
    /// Rule for wake-ups.
    pub(crate) rule: Rule,
    /// Least cost of a wake-up, in ns.
    pub(crate) cost: f64,
    /// Mean of the exponential part of the cost, in ns.
    pub(crate) scatter: f64,
    /// Disturbances of wake-ups.
    pub(crate) noise: Noise,
    /// Resolution of the clock, to which readings are truncated, in ns.
    pub(crate) resolution: f64,
    /// Cost of one clock reading, in ns.
    pub(crate) read: f64,
    /// Time of tick 0, in ns.
    pub(crate) phase: f64,
}

/// Tick rates that systems were built with, from the slowest to the fastest, in Hz.
const RATES: &[f64] = &[
    24.0, 32.0, 48.0, 50.0, 60.0, 64.0, 100.0, 128.0, 200.0, 250.0, 256.0, 300.0, 512.0, 600.0, 1000.0, 1024.0, 1200.0,
    2000.0, 2048.0, 2500.0, 5000.0, 10_000.0,
];
/// Tick rates of nearly every machine, in Hz.
pub(crate) const COMMON: &[f64] = &[100.0, 250.0, 300.0, 1000.0];

impl Foreign {
    /// Returns a random kernel: about 60 % have a tick, most of these at a common rate.
    pub(crate) fn random(dice: &mut Dice, noisy: bool) -> Self {
        let rate = if dice.share() < 0.55 { dice.choose(COMMON) } else { dice.choose(RATES) };
        let rule = match dice.share() {
            s if s < 0.36 => Rule::Up,
            s if s < 0.46 => Rule::Counted,
            s if s < 0.52 => Rule::TickMore,
            s if s < 0.60 => Rule::Early,
            _ => timer(dice),
        };
        // Rates of NT; with others, sleeps would end up to 40 ms early.
        let hz = if rule == Rule::Early { dice.choose(&[64.0, 100.0, 1000.0, 1024.0, 2000.0]) } else { rate };
        let disturbed = match dice.share() {
            s if !noisy || s < 0.25 => Noise::None,
            s if s < 0.55 => Noise::Outliers { share: dice.between(0.005, 0.03), mean: dice.between(1e5, 2e6) },
            s if s < 0.8 => Noise::HeavyTail { share: dice.between(0.01, 0.1) },
            _ => Noise::Bursts { every: dice.between(1e9, 5e9), mean: dice.between(5e4, 5e5) },
        };
        Self {
            hz,
            // Timers that fire between ticks do not drift against the clock.
            drift: if matches!(rule, Rule::Timer { .. }) { 0.0 } else { drift(dice) },
            rule,
            cost: dice.between(2e3, if noisy { 45e3 } else { 30e3 }),
            scatter: if noisy { dice.between(1e3, 8e3) } else { dice.between(50.0, 3e3) },
            noise: disturbed,
            resolution: dice.choose(&[1.0, 1.0, 1.0, 100.0, 279.365, 1000.0]),
            read: dice.between(30.0, 800.0),
            phase: dice.between(0.0, 1e9 / hz),
        }
    }

    /// Returns the length of a tick on the clock, in ns.
    pub(crate) fn tick(&self) -> f64 {
        1e9 / self.hz * (1.0 + self.drift * 1e-6)
    }

    /// Returns whether sleeps end at ticks.
    pub(crate) fn ticks(&self) -> bool {
        !matches!(self.rule, Rule::Timer { .. })
    }

    /// Returns when a sleep ends that enters the kernel at `start`.
    pub(crate) fn wake(&self, start: f64, asked: f64, rule: Rule, dice: &mut Dice) -> f64 {
        let (tick, nominal) = (self.tick(), 1e9 / self.hz);
        let at_or_after = |time: f64| self.phase + ((time - self.phase) / tick).ceil() * tick;
        let in_progress = self.phase + ((start - self.phase) / tick).floor() * tick;
        let fired = match rule {
            Rule::Up => at_or_after(start + asked),
            Rule::Counted => in_progress + ((asked / nominal - 1e-7).ceil() + 1.0) * tick,
            Rule::TickMore => at_or_after(start + asked) + tick,
            Rule::Early => at_or_after(in_progress + asked),
            Rule::Timer { slack, share, cap } => start + asked + slack.max((share * asked).min(cap)),
        };
        fired + self.cost + dice.exponential(self.scatter) + self.disturbance(fired, dice)
    }

    fn disturbance(&self, time: f64, dice: &mut Dice) -> f64 {
        match self.noise {
            Noise::Outliers { share, mean } if dice.share() < share => dice.exponential(mean),
            Noise::HeavyTail { share } if dice.share() < share => (20e3 / dice.share().max(1e-9).powf(0.8)).min(50e6),
            Noise::Bursts { every, mean } if time.rem_euclid(every) < 1e8 => dice.exponential(mean),
            _ => 0.0,
        }
    }
}

/// Returns a timer with slack as systems have it.
fn timer(dice: &mut Dice) -> Rule {
    let none = f64::INFINITY;
    match dice.share() {
        s if s < 0.5 => Rule::Timer { slack: 50e3, share: 0.0, cap: none },
        s if s < 0.65 => Rule::Timer { slack: 0.0, share: 0.0, cap: none },
        s if s < 0.75 => Rule::Timer { slack: dice.choose(&[100e3, 500e3, 1e6, 5e6]), share: 0.0, cap: none },
        s if s < 0.85 => Rule::Timer { slack: 50e3, share: 0.001, cap: 1e8 },
        s if s < 0.9 => Rule::Timer { slack: 50e3, share: 0.005, cap: 1e8 },
        _ => Rule::Timer { slack: 0.0, share: 0.0625, cap: none },
    }
}

/// Returns the drift of a tick, in ppm: zero (clock and tick from one source), or from a crystal, a divisor, NTP, a
/// calibration.
fn drift(dice: &mut Dice) -> f64 {
    match dice.share() {
        s if s < 0.15 => 0.0,
        s if s < 0.55 => dice.between(-60.0, 60.0),
        s if s < 0.75 => dice.between(-200.0, 200.0),
        s if s < 0.9 => dice.choose(&[-500.0, 500.0]) + dice.between(-20.0, 20.0),
        _ => dice.between(-650.0, 650.0),
    }
}
