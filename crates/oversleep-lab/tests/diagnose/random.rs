//! Random simulated kernels with their truth, and the designs of experiment that recordings come in.
//!
//! Shared with `cargo xtask bench diagnose`, which includes this file.

use oversleep_lab::plan::{Cell, ClockName, Conditions, Pattern, Phase, Plan, Turn};
use oversleep_lab::recording::Recording;
use oversleep_lab::source::sim::{
    Api, Kernel, KernelClock, Mechanism, Parameters, Rounding, Simulation, TickSource, meta,
};
use oversleep_os::units::Nanos;

/// Splitmix64 (Vigna): seeded, and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::try_from(self.next() % values.len() as u64).unwrap_or(0)]
    }

    /// Exponential with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }
}

/// What a random kernel really is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truth {
    /// `None`: its timers fire between ticks.
    pub hz: Option<u32>,
    /// The rule by which durations become ticks: `up`, `up-plus-one`, `early`.
    pub rounding: &'static str,
    /// How much longer a tick is on the clock than its name says, in ppm.
    pub drift_ppm: f64,
    /// Slack in proportion to the request.
    pub ratio: f64,
    /// Constant slack in ns.
    pub slack_ns: f64,
    /// Period of a daemon in s, if there is one.
    pub daemon_s: Option<f64>,
}

/// Rates of the random tick kernels.
pub const RATES: &[u32] = &[64, 100, 128, 250, 256, 300, 500, 1000, 1024, 2000, 2500, 5000, 10_000];
/// Rates that kernels of today are built with.
pub const MODERN: &[u32] = &[100, 250, 300, 1000];

/// Where a tick kernel's drift comes from and how large it is.
pub fn tick_kernel(dice: &mut Dice, rates: &[u32], noisy: bool) -> (Kernel, Truth) {
    let hz = dice.of(rates);
    let drift = dice.between(-150.0, 150.0);
    let (mechanism, round, kclock, api, rounding) = dice.of(&[
        (Mechanism::Jiffies, Rounding::Ceil, KernelClock::Precise, Api::Select, "up"),
        (Mechanism::Tick, Rounding::LowPlus1, KernelClock::Precise, Api::Nanosleep, "up"),
        (Mechanism::Tick, Rounding::CeilPlus1, KernelClock::Precise, Api::Select, "up-plus-one"),
        (Mechanism::Nt, Rounding::Ceil, KernelClock::Cached, Api::Select, "early"),
    ]);
    let parameters = Parameters {
        mechanism,
        hz,
        source: TickSource::Exact,
        round,
        kclock,
        api,
        tc_true_hz: 1e9 * (1.0 + drift * 1e-6),
        ..latencies(dice, noisy)
    };
    let truth = Truth { hz: Some(hz), rounding, drift_ppm: drift, ratio: 0.0, slack_ns: 0.0, daemon_s: None };
    (Kernel::new("random tick", parameters).expect("accepted"), truth)
}

/// A kernel whose timers fire between ticks.
pub fn timer_kernel(dice: &mut Dice, noisy: bool) -> (Kernel, Truth) {
    let ratio = dice.of(&[0.0, 0.001, 0.005, 0.0625]);
    let slack_us = dice.of(&[0.0, 50.0]);
    let base = latencies(dice, noisy);
    let parameters = if ratio > 0.05 {
        Parameters { mechanism: Mechanism::Freebsd10, hz: 1000, alloweddeviation: 5, ..base }
    } else {
        Parameters {
            mechanism: Mechanism::Hrtimer,
            hz: 250,
            slack_us,
            select_slack_frac: ratio,
            select_slack_cap_us: 100_000.0,
            ..base
        }
    };
    let slack_ns = if ratio > 0.05 { 0.0 } else { slack_us * 1e3 };
    let truth = Truth { hz: None, rounding: "", drift_ppm: 0.0, ratio, slack_ns, daemon_s: None };
    (Kernel::new("random timer", parameters).expect("accepted"), truth)
}

/// Latency 5 to 40 µs and Exp(0.5 to 5), or Exp(15) where noisy; clocks read in µs.
fn latencies(dice: &mut Dice, noisy: bool) -> Parameters {
    Parameters {
        lat_base_us: dice.between(5.0, 40.0),
        lat_exp_us: if noisy { 15.0 } else { dice.between(0.5, 5.0) },
        ..Parameters::default()
    }
}

/// 2 % of sleeps later by Exp(1 ms): what the noisy level adds to the simulated latency.
pub fn disturb(recording: &mut Recording, dice: &mut Dice) {
    let mut before = Nanos::MIN;
    for sample in &mut recording.samples {
        if dice.share() < 0.02 {
            let later = sample.end.saturating_add(Nanos::from_f64(dice.exponential(1e6)));
            // Shifting one end must not put it behind the next start.
            sample.end = later;
        }
        before = before.max(sample.end);
    }
}

/// Carries out a plan.
pub fn record(kernel: &Kernel, plan: &Plan, seed: u64) -> Recording {
    let mut recording = Recording::new(meta(kernel, plan));
    Simulation::new(kernel, plan, seed).run(&mut recording);
    recording
}

/// A plan of these patterns, so many sleeps each, all of one method.
pub fn plan(experiment: &str, method: &str, patterns: &[(Pattern, u64)], window: Option<Nanos>) -> Plan {
    let cell = |(id, (pattern, _)): (usize, &(Pattern, u64))| Cell {
        id: u32::try_from(id).unwrap_or(0),
        method: method.into(),
        pattern: *pattern,
        clock: ClockName::Monotonic,
        conditions: Conditions { phase: window.map(|window| Phase::Random { window }), ..Conditions::default() },
    };
    let turn =
        |(id, (_, sleeps)): (usize, &(Pattern, u64))| Turn { cell: u32::try_from(id).unwrap_or(0), sleeps: *sleeps };
    Plan {
        experiment: experiment.into(),
        cells: patterns.iter().enumerate().map(cell).collect(),
        turns: patterns.iter().enumerate().map(turn).collect(),
        seed: 1,
    }
}

/// 800 sleeps of 0.2 to 60 ms at random phase.
pub fn random_phase() -> Plan {
    let pattern = Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) };
    plan("random", "nanosleep", &[(pattern, 800)], Some(Nanos::from_millis(20)))
}

/// Until the next whole second, over and over.
pub fn aligned(method: &str, sleeps: u64) -> Plan {
    plan("herman", method, &[(Pattern::Aligned { to: Nanos::SECOND }, sleeps)], None)
}

/// The same request back to back.
pub fn back_to_back(requested: Nanos, sleeps: u64) -> Plan {
    plan("fixed", "nanosleep", &[(Pattern::Fixed { requested }, sleeps)], None)
}

/// 1 µs to 1 s in steps of 1, 2, 5, each at random phase within a tick.
pub fn sweep(method: &str, sleeps: u64, most: Nanos, tick: Nanos) -> Plan {
    let steps = (0..8u32).flat_map(|power| [1, 2, 5].map(|step| Nanos::new(step * 1_000 * 10i64.pow(power))));
    let patterns: Vec<(Pattern, u64)> =
        steps.filter(|step| *step <= most).map(|requested| (Pattern::Fixed { requested }, sleeps)).collect();
    plan("sweep", method, &patterns, Some(tick))
}
