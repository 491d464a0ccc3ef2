//! Random simulated kernels with their truth, and designs of experiments for their recordings.
//!
//! Shared with `cargo xtask bench diagnose`, which includes this file.

use oversleep_recording::Recording;
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Phase, Plan, Turn};
use oversleep_sim::{Api, Kernel, KernelClock, Mechanism, Parameters, Rounding, Simulation, TickSource, meta};
use oversleep_sys::units::Nanos;

/// Splitmix64 (Vigna): a seeded generator, the same on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number in 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub(crate) fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::try_from(self.next() % values.len() as u64).unwrap_or(0)]
    }

    /// Returns an exponential number with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }
}

/// The true parameters of a random kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Truth {
    /// Tick rate, in Hz; `None` if timers fire between ticks.
    pub(crate) hz: Option<u32>,
    /// Rule that rounds durations to ticks: `up`, `up-plus-one` or `early`.
    pub(crate) rounding: &'static str,
    /// How much longer than nominal a tick is on the clock, in ppm.
    pub(crate) drift_ppm: f64,
    /// Slack as a share of the request.
    pub(crate) ratio: f64,
    /// Constant slack, in ns.
    pub(crate) slack_ns: f64,
}

/// Rates of random kernels with ticks, in Hz.
pub(crate) const RATES: &[u32] = &[64, 100, 128, 250, 256, 300, 500, 1000, 1024, 2000, 2500, 5000, 10_000];
/// Rates that current kernels are built with, in Hz.
pub(crate) const MODERN: &[u32] = &[100, 250, 300, 1000];

/// Returns a random kernel whose sleeps end at ticks, with its truth; the drift comes from the clock's true rate.
pub(crate) fn tick_kernel(dice: &mut Dice, rates: &[u32], noisy: bool) -> (Kernel, Truth) {
    let hz = dice.choose(rates);
    let drift = dice.between(-150.0, 150.0);
    let (mechanism, round, kclock, api, rounding) = dice.choose(&[
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
    let truth = Truth { hz: Some(hz), rounding, drift_ppm: drift, ratio: 0.0, slack_ns: 0.0 };
    (Kernel::new("random tick", parameters).expect("accepted"), truth)
}

/// Returns a random kernel whose timers fire between ticks, with its truth.
pub(crate) fn timer_kernel(dice: &mut Dice, noisy: bool) -> (Kernel, Truth) {
    let part = dice.choose(&[0.0, 0.001, 0.005, 0.0625]);
    let constant = dice.choose(&[0.0, 50.0]);
    let base = latencies(dice, noisy);
    let parameters = if part > 0.05 {
        Parameters { mechanism: Mechanism::Freebsd10, hz: 1000, alloweddeviation: 5, ..base }
    } else {
        Parameters {
            mechanism: Mechanism::Hrtimer,
            hz: 250,
            slack_us: constant,
            select_slack_frac: part,
            select_slack_cap_us: 100_000.0,
            ..base
        }
    };
    let slack_ns = if part > 0.05 { 0.0 } else { constant * 1e3 };
    let truth = Truth { hz: None, rounding: "", drift_ppm: 0.0, ratio: part, slack_ns };
    (Kernel::new("random timer", parameters).expect("accepted"), truth)
}

/// Returns random latencies: 5 to 40 µs and Exp(0.5 to 5), or Exp(15) if noisy.
pub(crate) fn latencies(dice: &mut Dice, noisy: bool) -> Parameters {
    Parameters {
        lat_base_us: dice.between(5.0, 40.0),
        lat_exp_us: if noisy { 15.0 } else { dice.between(0.5, 5.0) },
        ..Parameters::default()
    }
}

/// Makes 2 % of the sleeps later by Exp(1 ms), which the noisy level adds to the simulated latency.
pub(crate) fn disturb(recording: &mut Recording, dice: &mut Dice) {
    for sample in &mut recording.samples {
        if dice.share() < 0.02 {
            sample.end = sample.end.saturating_add(Nanos::from_f64(dice.exponential(1e6)));
        }
    }
}

/// Runs a plan on a simulated kernel.
pub(crate) fn record(kernel: &Kernel, plan: &Plan, seed: u64) -> Recording {
    let mut recording = Recording::new(meta(kernel, plan));
    Simulation::new(kernel, plan, seed).run(&mut recording);
    recording
}

/// Returns a plan of these patterns, each with its number of sleeps, all of one method.
pub(crate) fn plan(method: &str, patterns: &[(Pattern, u64)], window: Option<Nanos>) -> Plan {
    let cell = |(id, (pattern, _)): (usize, &(Pattern, u64))| Cell {
        conditions: Conditions { phase: window.map(|window| Phase::Random { window }), ..Conditions::default() },
        ..Cell::new(u32::try_from(id).unwrap_or(0), method, *pattern)
    };
    let turn =
        |(id, (_, sleeps)): (usize, &(Pattern, u64))| Turn { cell: u32::try_from(id).unwrap_or(0), sleeps: *sleeps };
    Plan {
        kind: Kind::Measure,
        cells: patterns.iter().enumerate().map(cell).collect(),
        turns: patterns.iter().enumerate().map(turn).collect(),
        seed: 1,
    }
}

/// Returns a plan of 800 sleeps of 0.2 to 60 ms at a random phase.
pub(crate) fn random_phase() -> Plan {
    let pattern = Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) };
    plan("nanosleep", &[(pattern, 800)], Some(Nanos::from_millis(20)))
}

/// Returns a plan of sleeps to the next whole second.
pub(crate) fn aligned(method: &str, sleeps: u64) -> Plan {
    plan(method, &[(Pattern::Aligned { to: Nanos::SECOND }, sleeps)], None)
}

/// Returns a plan of one request back to back.
pub(crate) fn back_to_back(requested: Nanos, sleeps: u64) -> Plan {
    plan("nanosleep", &[(Pattern::Fixed { requested }, sleeps)], None)
}

/// Returns a plan of requests from 1 µs to `most` in steps of 1, 2, 5, each at a random phase within a tick.
pub(crate) fn sweep(method: &str, sleeps: u64, most: Nanos, tick: Nanos) -> Plan {
    let steps = (0..8u32).flat_map(|power| [1, 2, 5].map(|step| Nanos::new(step * 1_000 * 10i64.pow(power))));
    let patterns: Vec<(Pattern, u64)> =
        steps.filter(|step| *step <= most).map(|requested| (Pattern::Fixed { requested }, sleeps)).collect();
    plan(method, &patterns, Some(tick))
}

/// Returns a plan of these methods at 1, 3, 10, 25 and 70 ms, at a random phase within a tick.
pub(crate) fn methods(methods: &[&str], sleeps: u64, tick: Nanos) -> Plan {
    let asked = [1, 3, 10, 25, 70].map(|ms| (Pattern::Fixed { requested: Nanos::from_millis(ms) }, sleeps));
    joined(methods.iter().map(|method| plan(method, &asked, Some(tick))))
}

/// Returns a plan of O'Neill's requests (0 as a yield), back to back, beside this many busy threads.
pub(crate) fn loaded(threads: u16, sleeps: u64) -> Plan {
    let asked: Vec<(Pattern, u64)> = [1, 2, 3, 6, 10, 18, 32, 56, 100, 178, 316, 562, 1000]
        .map(|ms| (Pattern::Fixed { requested: Nanos::from_millis(ms) }, sleeps))
        .to_vec();
    let yields = plan("sched-yield", &[(Pattern::Fixed { requested: Nanos::ZERO }, sleeps)], None);
    let mut plan = joined([yields, plan("nanosleep", &asked, None)].into_iter());
    for cell in &mut plan.cells {
        cell.conditions.load =
            Some(oversleep_recording::plan::Load { threads, kind: oversleep_recording::plan::LoadKind::Spin });
    }
    plan
}

/// Joins plans, to run one after another.
fn joined(plans: impl Iterator<Item = Plan>) -> Plan {
    let mut all = Plan { kind: Kind::Measure, cells: Vec::new(), turns: Vec::new(), seed: 1 };
    for plan in plans {
        let first = u32::try_from(all.cells.len()).unwrap_or(0);
        all.cells.extend(plan.cells.into_iter().map(|cell| Cell { id: cell.id + first, ..cell }));
        all.turns.extend(plan.turns.into_iter().map(|turn| Turn { cell: turn.cell + first, ..turn }));
    }
    all
}
