//! A simulated kernel for one group of sleeps.

use super::group::Slept;
use oversleep_recording::catalog::SimulatedPath;
use oversleep_sim::{Ahead, Foresight, Kernel, Mechanism, Parameters, Rounding, Scheduler, TickSource};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// How a tick kernel turns durations into ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// To the first tick at or after the time.
    Up,
    /// One tick more.
    UpPlusOne,
    /// From the last tick: possibly early.
    Early,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 3] = [Self::Up, Self::UpPlusOne, Self::Early];

    /// In the words of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Up => "rounding up",
            Self::UpPlusOne => "rounding up plus one tick",
            Self::Early => "counting from the last tick",
        }
    }

    const fn mechanism(self) -> Mechanism {
        match self {
            Self::Up => Mechanism::Jiffies,
            Self::UpPlusOne => Mechanism::Tick,
            Self::Early => Mechanism::Nt,
        }
    }
}

/// A model: what it is made of, as found in the samples. Changing a field changes the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Model {
    /// The tick's nominal rate; `None` where timers fire between ticks.
    pub hz: Option<f64>,
    /// The tick's length on the clock, in ns.
    #[serde(rename = "tick_ns")]
    pub tick: Option<f64>,
    /// How the tick kernel rounds.
    pub rule: Option<Rule>,
    /// Whether timeouts are counted on the timer wheel.
    pub wheel: bool,
    /// Where the ticks lie: ns from the group's first start to one of them.
    #[serde(rename = "phase_ns")]
    pub phase: f64,
    /// Ticks to add to the kernel's own count, which the wheel's coarser steps are counted from.
    pub count: u32,
    /// From the end of a sleep to the program running, in ns.
    #[serde(rename = "cost_ns")]
    pub cost: f64,
    /// Timer slack, in ns.
    #[serde(rename = "slack_ns")]
    pub slack: f64,
    /// Slack as a share of the request.
    pub share: f64,
    /// And at most, in ns.
    #[serde(rename = "share_cap_ns")]
    pub cap: Option<f64>,
    /// The quantum of threads ahead in the run queue, in ns, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<(f64, u16)>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            hz: None,
            tick: None,
            rule: None,
            wheel: false,
            phase: 0.0,
            count: 0,
            cost: 0.0,
            slack: 0.0,
            share: 0.0,
            cap: None,
            queue: None,
        }
    }
}

impl Model {
    /// The simulator's kernel; `None` if no kernel can have these parameters.
    pub fn kernel(&self) -> Option<Kernel> {
        Kernel::new("found", self.parameters()).ok()
    }

    fn parameters(&self) -> Parameters {
        let timer = Parameters {
            mechanism: Mechanism::Hrtimer,
            source: TickSource::Exact,
            tick_phase: 0.0,
            wall_start_s: 0.0,
            read_unit_ns: 1,
            long_bits: 64,
            irq_us: 0.0,
            lat_base_us: self.cost.max(0.0) / 1e3,
            lat_exp_us: 0.0,
            call_us: 0.0,
            // Behind others a sleep that lasts exactly as long as their quanta still misses its turn.
            syscall_us: if self.queue.is_some() { 1.0 } else { 0.0 },
            slack_us: self.slack / 1e3,
            select_slack_frac: self.share,
            select_slack_cap_us: self.cap.map_or(1e7, |cap| (cap / 1e3).min(1e7)),
            scheduler: self.queue.map_or(Scheduler::Preempt, |_| Scheduler::RoundRobin),
            quantum_ms: self.queue.map_or(20.0, |(quantum, _)| quantum / 1e6),
            ..Parameters::default()
        };
        let Some((hz, tick)) = self.hz.zip(self.tick) else { return timer };
        // The simulator keeps a tick's length in whole picoseconds; its clock's rate takes the rest.
        let period_us = (tick * 1e3).round() / 1e6;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held within the domain
        Parameters {
            mechanism: match self.rule {
                Some(rule) if !self.wheel => rule.mechanism(),
                _ => Mechanism::Hrtimer,
            },
            hz: hz.round().clamp(1.0, 100_000.0) as u32,
            tick_period_us: period_us,
            tick_phase: (-self.phase / tick).rem_euclid(1.0),
            tc_true_hz: 1e9 * (tick / 1e3 / period_us),
            round: Rounding::CeilPlus1,
            kclock: oversleep_sim::KernelClock::Precise,
            api: oversleep_sim::Api::Select,
            ..timer
        }
    }

    /// The kernel, ready to be asked; `None` if there can be none.
    pub(crate) fn foresight(&self) -> Option<Foresight> {
        // Whatever the method's name, its sleeps take the path whose rule was found.
        let path = match (self.wheel, self.share > 0.0) {
            (true, _) => SimulatedPath::Wheel,
            (false, true) => SimulatedPath::Select,
            (false, false) => SimulatedPath::Sleep,
        };
        Some(Foresight::new(&self.kernel()?, path))
    }

    /// The lateness this kernel gives a sleep, in ns.
    pub(crate) fn lateness(&self, kernel: &mut Foresight, sleep: &Slept) -> Option<i64> {
        let shift = self.shift();
        let ahead = Ahead {
            start: Nanos::new(sleep.start.saturating_add(shift)),
            requested: Nanos::new(sleep.asked),
            absolute: sleep.absolute,
            busy: self.queue.map_or(0, |(_, threads)| threads),
        };
        let wake = kernel.wake(&ahead)?.get();
        Some(wake.saturating_sub(shift).saturating_sub(sleep.start).saturating_sub(sleep.wanted))
    }

    /// `count` ticks in ns.
    #[allow(clippy::cast_possible_truncation)] // some ticks
    fn shift(&self) -> i64 {
        (f64::from(self.count) * self.tick.unwrap_or(0.0)).round() as i64
    }

    /// What kind of kernel it is, as a noun phrase: `a kernel with HZ=250, rounding up, 50.0 µs slack`. Drift and the
    /// cost of a wake-up, which differ a little from group to group, are not in it.
    pub fn words(&self) -> String {
        let time = |ns: f64| Nanos::from_f64(ns).to_string();
        let mut parts = Vec::new();
        if let Some(hz) = self.hz {
            parts.push(format!("HZ={}", (hz * 10.0).round() / 10.0));
            match self.rule {
                Some(rule) if !self.wheel => parts.push(rule.words().to_owned()),
                _ => parts.push("the timer wheel".to_owned()),
            }
        }
        if let Some((quantum, threads)) = self.queue {
            let noun = if threads == 1 { "thread" } else { "threads" };
            parts.push(format!("{threads} {noun} ahead with quanta of {}", time(quantum)));
        }
        if self.slack >= 1.0 {
            parts.push(format!("{} slack", time(self.slack)));
        }
        if self.share > 0.0 {
            parts.push(format!("slack of {} % of the request", (self.share * 1e4).round() / 1e2));
        }
        if parts.is_empty() {
            "a kernel without tick or slack".to_owned()
        } else {
            format!("a kernel with {}", parts.join(", "))
        }
    }

    /// How much longer its ticks are than their name says, in ppm; `None` without a tick.
    pub fn drift_ppm(&self) -> Option<f64> {
        self.hz.zip(self.tick).map(|(hz, tick)| (tick * hz * 1e-9 - 1.0) * 1e6)
    }
}
