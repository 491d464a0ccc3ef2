//! Evidence of ticks: `tick-quantised` and `timer-wheel`.

use super::fact::{AddFacts, Fact, Facts, evidence};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// How a tick-driven kernel turns a request into ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// The first tick at or after the time asked for.
    Up,
    /// One tick more than that: BSD's `tvtohz` and Linux' `timespec_to_jiffies` + 1 count ceil(request / tick) + 1
    /// ticks from the tick in progress; a few kernels add a whole tick after rounding up.
    UpPlusOne,
    /// A tick before the time is over: counted from the last tick, so possibly early.
    Early,
}

impl Rounding {
    /// Every rule.
    pub const ALL: [Self; 3] = [Self::Up, Self::UpPlusOne, Self::Early];

    /// Returns the word files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::UpPlusOne => "up-plus-one",
            Self::Early => "early",
        }
    }

    /// Returns it in the words of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Up => "rounding up",
            Self::UpPlusOne => "rounding up plus one tick",
            Self::Early => "counting from the last tick",
        }
    }
}

/// A value that samples may leave open: `null` in JSON, said to people as not known.
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
        /// The tick's nominal rate.
        pub hz: Open<f64>,
        /// How requests become ticks.
        pub rounding: Open<Rounding>,
        /// Where the rate is open: the rates that fit as well.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hz_candidates: Option<Vec<f64>>,
        /// Where the rule is open: the rules that would have given these sleeps.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rounding_consistent: Option<Vec<Rounding>>,
        /// The grid of wake-ups, where one is seen.
        #[serde(flatten)]
        pub grid: Option<TickGrid>,
        /// Where no timer shows the tick by itself: what it is concluded from.
        #[serde(flatten)]
        pub free_running: Option<FreeRunning>,
        /// Of the machine's tick: methods that keep it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub methods: Option<usize>,
        /// The resolution of the system's timers that this tick is.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timer_resolution_ns: Option<f64>,
        /// What the system calls it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The grid that wake-ups keep.
    pub struct TickGrid {
        /// The tick's length.
        pub tick_ns: f64,
        /// Its standard error.
        pub tick_error_ns: f64,
        /// How closely wake-ups keep the grid: length of their mean vector, 0 to 1.
        pub wakes_rayleigh: f64,
        /// The same of the times they were due at.
        pub dues_rayleigh: f64,
        /// Share of the wake-ups on the grid.
        pub on_grid: f64,
        /// Their scatter about it.
        pub jitter_ns: f64,
        /// What single sleeps say of the rounding rule.
        pub votes: TickVotes,
    }

    /// A tick concluded from its drift against the clock.
    pub struct FreeRunning {
        /// The tick's length, if the timer wheel shows it.
        pub tick_ns: Option<f64>,
        /// What it is concluded from.
        pub basis: &'static str,
        /// The drift.
        pub drift_ppm: f64,
    }

    /// Timeouts counted on the kernel's timer wheel.
    pub struct TimerWheel {
        /// The tick's nominal rate.
        pub hz: Open<f64>,
        /// The tick's length.
        pub tick_ns: Option<f64>,
        /// How requests become ticks.
        pub rounding: Open<Rounding>,
        /// The wheel's granularity at this timeout, in ticks.
        pub step_ticks: Option<u64>,
    }
}

impl TickQuantised {
    /// Returns the tick's length, however it is known, in ns.
    pub fn tick_ns(&self) -> Option<f64> {
        let seen = self.grid.as_ref().map(|grid| grid.tick_ns);
        seen.or_else(|| self.free_running.as_ref().and_then(|free| free.tick_ns))
    }
}

/// How many sleeps each rounding rule predicts; for programs alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TickVotes {
    /// Sleeps tested.
    pub sleeps: usize,
    /// Share that rounding up predicts.
    pub up_share: f64,
    /// Share that counting one tick more from the tick in progress predicts.
    pub counted_share: f64,
    /// Share that ends one tick after the first.
    pub second_tick_share: f64,
    /// Sleeps of which only one of the two rules is true.
    pub telling: usize,
    /// Of these, those for rounding up.
    pub telling_up: usize,
    /// Of these, those for one tick more.
    pub telling_up_plus_one: usize,
}

impl AddFacts for TickVotes {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}
