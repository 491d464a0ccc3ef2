//! What the timers of language runtimes add to the kernel's.

use super::clocks::Tool;
use crate::Unobtained;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The check-up of runtimes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Runtimes {
    /// The version of this document.
    pub format: u32,
    /// What made it.
    pub tool: Tool,
    /// The APIs that slept, in the catalogue's order.
    pub apis: Vec<RuntimeApi>,
    /// What could not be had, or failed, and why.
    pub unavailable: Vec<Unobtained>,
    /// Whether the run ended before all was slept.
    pub stopped: bool,
}

/// One API of a runtime. What the catalogue says of it is `None` for one that it lacks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeApi {
    /// Its name.
    pub api: String,
    /// The call, as its users write it.
    pub call: Option<&'static str>,
    /// The runtime and its version, as it prints them.
    pub runtime: Option<String>,
    /// The unit its request is counted in.
    pub unit: Option<&'static str>,
    /// What its documentation promises.
    pub promise: Option<&'static str>,
    /// The page that says so.
    pub source: Option<&'static str>,
    /// Whether its documentation lets it wake early.
    pub may_wake_early: Option<bool>,
    /// The kernel's primitive it should stand on.
    pub native: Option<&'static str>,
    /// Whether its samples are the ticks of a schedule.
    pub schedule: bool,
    /// What two readings of its clock cost.
    #[serde(rename = "clock_cost_ns")]
    pub clock_cost: Option<Nanos>,
    /// How wrong times on its clock may be. Durations are not affected.
    #[serde(rename = "clock_error_ns")]
    pub clock_error: Option<Nanos>,
    /// Sleeps before the first sample.
    pub warm_up: u64,
    /// Collections of garbage that it counted.
    pub collections: u64,
    /// Its figures, one request each.
    pub cells: Vec<RuntimeCell>,
    /// What it does to requests and wake-ups.
    pub mechanisms: Vec<RuntimeMechanism>,
    /// What the runtime's own source is known to do to a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does: Option<&'static str>,
    /// File, line and version of that source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does_source: Option<&'static str>,
    /// What the kernel was told for each request, where that was traced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<ToldTime>,
    /// What its samples leave open; `None` where the mechanisms explain them.
    pub undecided: Option<String>,
    /// A mechanism that moves wake-ups by less would not have been named: the native primitive's own scatter hides it.
    #[serde(rename = "resolution_ns")]
    pub resolution: Option<Nanos>,
    /// What to call for a sleep on time.
    pub instead: Option<&'static str>,
}

/// The figures of one API and request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeCell {
    /// What was asked for.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Sleeps.
    pub n: u64,
    /// Those that woke early.
    pub early: u64,
    /// The median lateness.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// The lateness that 99 % did not exceed.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// Sleeps of the native primitive.
    pub native_n: u64,
    /// Their median lateness.
    #[serde(rename = "native_p50_ns")]
    pub native_p50: Option<Nanos>,
    /// How much later than the native primitive it is.
    pub share: Option<RuntimeShare>,
}

/// The system call that a sleep became, and the time that it was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToldTime {
    /// What the program was asked for.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// The call.
    pub call: String,
    /// The time it was given; several where a sleep made it several times.
    #[serde(rename = "told_ns")]
    pub told: Vec<Nanos>,
    /// Whether that stood in its arguments. Otherwise it is how long the timer that it set had to run.
    pub exact: bool,
    /// What became of the request on the way.
    pub rule: ToldRule,
    /// Sleeps whose calls were recorded.
    pub sleeps: u64,
    /// Those that were made of these calls.
    pub agreeing: u64,
}

/// What became of a request on its way to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ToldRule {
    /// Nothing.
    AsAsked,
    /// It was rounded up to whole milliseconds.
    RoundedUp,
    /// It was cut to whole milliseconds.
    Truncated,
    /// It became longer by another rule.
    Longer,
    /// It became shorter by another rule.
    Shorter,
}

impl ToldTime {
    /// Returns it in a sentence.
    pub fn sentence(&self) -> String {
        let times: Vec<String> = self.told.iter().map(ToString::to_string).collect();
        let about = if self.exact { "" } else { "about " };
        let rule = match self.rule {
            ToldRule::AsAsked => "as asked",
            ToldRule::RoundedUp => "rounded up to whole milliseconds",
            ToldRule::Truncated => "cut to whole milliseconds",
            ToldRule::Longer => "longer than asked",
            ToldRule::Shorter => "shorter than asked",
        };
        let (Self { requested, call, agreeing, sleeps, .. }, times) = (self, times.join(", then "));
        format!("asked {requested}; {call} was told {about}{times}: {rule} ({agreeing} of {sleeps} sleeps)")
    }
}

/// The difference between a runtime's lateness and its native primitive's, from blocks that took turns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeShare {
    /// The median of the blocks' differences.
    #[serde(rename = "size_ns")]
    pub size: Nanos,
    /// The low end of its interval of 95 %.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// The high end.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
    /// Pairs of blocks.
    pub blocks: u64,
}

/// What a runtime does to a request or a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// The request is rounded up to a unit.
    RoundedUp,
    /// The request is cut to a unit.
    Truncated,
    /// Shorter requests become a least one.
    Clamped,
    /// So they do after some timers in a row.
    ClampedWhenNested,
    /// Wakes only at multiples of a period, with other timers.
    Coalesced,
    /// The request counts from a clock that is read once per period: early by up to that.
    CachedClock,
    /// Every sleep lasts longer by the same.
    AddsConstant,
    /// The thread that keeps the timers has the kernel's default slack.
    TimerThreadSlack,
    /// Others have turns before the timer is set.
    YieldsFirst,
    /// The collector stopped the program.
    GarbageCollection,
    /// Each tick is set from the one before, so that latenesses add up.
    DriftByRearming,
}

/// A mechanism that was found, and how well it explains the samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeMechanism {
    /// Which.
    pub mechanism: Mechanism,
    /// Its unit, least request, period, constant, pause, or drift per tick.
    #[serde(rename = "size_ns")]
    pub size: Nanos,
    /// Sleeps that show it.
    pub sleeps: u64,
    /// How far ends usually are from what they would be without any mechanism.
    #[serde(rename = "error_without_ns")]
    pub error_without: Nanos,
    /// The same with all mechanisms found.
    #[serde(rename = "error_with_ns")]
    pub error_with: Nanos,
}

impl Mechanism {
    /// Returns what it does, with its size, in a few words.
    pub fn sentence(self, size: Nanos) -> String {
        match self {
            Self::RoundedUp => format!("rounded up to {size}"),
            Self::Truncated => format!("cut to whole {size}"),
            Self::Clamped => format!("at least {size}"),
            Self::ClampedWhenNested => format!("at least {size} when nested"),
            Self::Coalesced => format!("wakes at multiples of {size}"),
            Self::CachedClock => format!("counts from a clock read every {size}: early"),
            Self::AddsConstant => format!("adds {size}"),
            Self::TimerThreadSlack => format!("timer thread's own slack of {size}"),
            Self::YieldsFirst => format!("yields first: turns of {size}"),
            Self::GarbageCollection => format!("garbage collection stops it for {size}"),
            Self::DriftByRearming => format!("drifts by {size} a tick (re-armed)"),
        }
    }
}
