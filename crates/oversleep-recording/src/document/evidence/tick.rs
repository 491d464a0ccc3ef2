//! Evidence for ticks: `tick-quantised` and `timer-wheel`.

use super::fact::{AddFacts, Fact, Facts, evidence};
use crate::names;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

names! {
    /// How a tick-driven kernel turns a request into ticks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Rounding {
        /// To the first tick at or after the requested time.
        Up = "up",
        /// One tick more than that: BSD's `tvtohz` and Linux' `timespec_to_jiffies` + 1 count ceil(request / tick) + 1
        /// ticks from the tick in progress; a few kernels add a whole tick after rounding up.
        UpPlusOne = "up-plus-one",
        /// To a tick before the time is over: counted from the last tick, so possibly early.
        Early = "early",
        /// To whole ticks that the request holds, counted from the tick in progress, so always early: `vTaskDelay` of
        /// `pdMS_TO_TICKS`.
        Down = "down",
    }
}

impl Rounding {
    /// Returns the rule in words for a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Up => "rounding up",
            Self::UpPlusOne => "rounding up plus one tick",
            Self::Early => "counting from the last tick",
            Self::Down => "rounding down, from the last tick",
        }
    }
}

/// A value that samples may leave open: `null` in JSON, displayed as not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Open<T>(pub Option<T>);

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for Open<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T> From<Option<T>> for Open<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T: AddFacts> AddFacts for Open<T> {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        match &self.0 {
            Some(value) => value.add_facts(name, to),
            None => to.push((name.to_owned(), Fact::NotKnown)),
        }
    }
}

evidence! {
    /// Sleeps end at a tick.
    #[derive(Default)]
    pub struct TickQuantised {
        /// Nominal rate of the tick, in Hz.
        pub hz: Open<f64>,
        /// Rule by which requests become ticks.
        pub rounding: Open<Rounding>,
        /// Where the rate is open: the rates that fit equally well.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hz_candidates: Option<Vec<f64>>,
        /// Where the rounding rule is open: the rules that would have given these sleeps.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rounding_consistent: Option<Vec<Rounding>>,
        /// Grid of the wake-ups, where one was seen.
        #[serde(flatten)]
        pub grid: Option<TickGrid>,
        /// What the tick is concluded from, where no timer shows it directly.
        #[serde(flatten)]
        pub free_running: Option<FreeRunning>,
        /// For the machine's tick: number of methods that keep it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub methods: Option<usize>,
        /// Resolution of the system's timers that equals this tick, in ns.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timer_resolution_ns: Option<f64>,
        /// The system's name for the rule behind the tick.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The grid of ticks on which wake-ups lie.
    pub struct TickGrid {
        /// Length of the tick, in ns.
        pub tick_ns: f64,
        /// Standard error of the tick's length, in ns.
        pub tick_error_ns: f64,
        /// How closely wake-ups keep the grid: length of their mean vector, 0 to 1.
        pub wakes_rayleigh: f64,
        /// The same for the deadlines.
        pub dues_rayleigh: f64,
        /// Share of wake-ups on the grid, 0 to 1.
        pub on_grid: f64,
        /// Scatter of wake-ups about the grid, in ns.
        pub jitter_ns: f64,
        /// Which rounding rules single sleeps agree with.
        pub votes: TickVotes,
    }

    /// A tick concluded from its drift against the clock.
    pub struct FreeRunning {
        /// Length of the tick in ns, if the timer wheel shows it.
        pub tick_ns: Option<f64>,
        /// What the tick is concluded from.
        pub basis: &'static str,
        /// Drift of the tick against the clock, in ppm.
        pub drift_ppm: f64,
    }

    /// Timeouts counted on the kernel's timer wheel.
    pub struct TimerWheel {
        /// Nominal rate of the tick, in Hz.
        pub hz: Open<f64>,
        /// Length of the tick, in ns.
        pub tick_ns: Option<f64>,
        /// Rule by which requests become ticks.
        pub rounding: Open<Rounding>,
        /// Granularity of the wheel at this timeout, in ticks.
        pub step_ticks: Option<u64>,
    }
}

impl TickQuantised {
    /// Returns the tick's length in ns, from the grid or else from the drift.
    pub fn tick_ns(&self) -> Option<f64> {
        let seen = self.grid.as_ref().map(|grid| grid.tick_ns);
        seen.or_else(|| self.free_running.as_ref().and_then(|free| free.tick_ns))
    }
}

/// How many sleeps each rounding rule predicts; in the JSON only.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TickVotes {
    /// Sleeps tested.
    pub sleeps: usize,
    /// Share predicted by rounding up.
    pub up_share: f64,
    /// Share predicted by counting one tick more from the tick in progress.
    pub counted_share: f64,
    /// Share late by one to two ticks.
    pub second_tick_share: f64,
    /// Sleeps for which the two rules predict different ticks.
    pub telling: usize,
    /// Of these, sleeps that agree with rounding up.
    pub telling_up: usize,
    /// Of these, sleeps that agree with one tick more.
    pub telling_up_plus_one: usize,
}

impl AddFacts for TickVotes {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}
