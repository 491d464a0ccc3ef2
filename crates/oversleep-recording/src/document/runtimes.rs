//! What the timers of language runtimes add to the kernel's lateness.

use super::CostFigures;
use super::clocks::Tool;
use crate::{Difference, Unobtained};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The document of a check-up of runtimes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Runtimes {
    /// Version of this document.
    pub format: u32,
    /// Program that made it.
    pub tool: Tool,
    /// APIs that slept, in the catalogue's order.
    pub apis: Vec<RuntimeApi>,
    /// APIs that could not be measured, or failed, and why.
    pub unavailable: Vec<Unobtained>,
    /// Whether the run ended before everything was slept.
    pub stopped: bool,
}

/// The results of one API of a runtime. Facts from the catalogue are `None` for an API that the catalogue lacks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeApi {
    /// Name of the API.
    pub api: String,
    /// The call, as its users write it.
    pub call: Option<&'static str>,
    /// Runtime and its version, as the runtime prints them.
    pub runtime: Option<String>,
    /// Unit of the request.
    pub unit: Option<&'static str>,
    /// What the documentation promises.
    pub promise: Option<&'static str>,
    /// Address of the documentation.
    pub source: Option<&'static str>,
    /// Whether the documentation allows it to wake early.
    pub may_wake_early: Option<bool>,
    /// Kernel primitive that it should be built on.
    pub native: Option<&'static str>,
    /// Whether the samples are the ticks of a schedule.
    pub schedule: bool,
    /// Cost of two readings of the API's clock.
    #[serde(rename = "clock_cost_ns")]
    pub clock_cost: Option<Nanos>,
    /// How wrong times on the API's clock may be. Durations are not affected.
    #[serde(rename = "clock_error_ns")]
    pub clock_error: Option<Nanos>,
    /// Number of sleeps before the first sample.
    pub warm_up: u64,
    /// Number of garbage collections that the program counted.
    pub collections: u64,
    /// Figures, one cell per request.
    pub cells: Vec<RuntimeCell>,
    /// Mechanisms by which the API changes requests and wake-ups.
    pub mechanisms: Vec<RuntimeMechanism>,
    /// What the runtime's source code is known to do to a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does: Option<&'static str>,
    /// File, line and version of that source code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub does_source: Option<&'static str>,
    /// Times passed to the kernel for each request, where system calls were traced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<KernelRequest>,
    /// What the samples leave open; `None` where the mechanisms explain them.
    pub undecided: Option<String>,
    /// Smallest effect of a mechanism that would have been named; smaller ones are hidden by the native primitive's
    /// scatter.
    #[serde(rename = "resolution_ns")]
    pub resolution: Option<Nanos>,
    /// API to call for a sleep that ends on time.
    pub instead: Option<&'static str>,
}

/// The figures of one API at one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeCell {
    /// Requested duration.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Number of sleeps.
    pub n: u64,
    /// Number of sleeps that woke early.
    pub early: u64,
    /// Median lateness.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// 99th percentile of the lateness.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// Number of sleeps of the native primitive.
    pub native_n: u64,
    /// Median lateness of the native primitive.
    #[serde(rename = "native_p50_ns")]
    pub native_p50: Option<Nanos>,
    /// How much later than the native primitive the API is.
    pub share: Option<RuntimeShare>,
    /// How much later it is than without the load inside it, where there is load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_share: Option<RuntimeShare>,
    /// What a sleep took of the processor, in all threads of the program, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostFigures>,
    /// What a sleep of the native primitive took of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_cost: Option<CostFigures>,
}

/// The system call that sleeps became, and the time passed to it. Only sleeps with a wait of their own show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KernelRequest {
    /// Duration requested of the program.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Name of the system call; `None` if no sleep has a wait of its own in the trace.
    pub call: Option<String>,
    /// Time passed to the call; several where a sleep made it several times.
    #[serde(rename = "told_ns")]
    pub told: Vec<Nanos>,
    /// Whether the time was read from the call's arguments. Otherwise it is how long the timer it armed had to run.
    pub exact: bool,
    /// How the request was changed on the way; `None` if no more than half of the sleeps show it.
    pub rule: Option<RequestChange>,
    /// Number of sleeps whose calls were recorded.
    pub sleeps: u64,
    /// Number of sleeps that made these calls.
    pub agreeing: u64,
    /// Number of sleeps with a wait of their own: begun and over within the sleep and no other, by one thread, which
    /// did not wait again before the sleep ended.
    pub own: u64,
    /// Number of sleeps whose wait may be another sleep's.
    pub shared: u64,
    /// Number of sleeps with waits of several threads, or of one that waited again before the sleep ended: if it ended
    /// the sleep, it woke another thread for that.
    pub by_others: u64,
}

/// How a request was changed on its way to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RequestChange {
    /// It was not changed.
    AsAsked,
    /// It was rounded up to whole milliseconds.
    RoundedUp,
    /// It was truncated to whole milliseconds.
    Truncated,
    /// It became longer in another way.
    Longer,
    /// It became shorter in another way.
    Shorter,
}

impl RequestChange {
    fn words(self) -> &'static str {
        match self {
            Self::AsAsked => "as asked",
            Self::RoundedUp => "rounded up to whole milliseconds",
            Self::Truncated => "cut to whole milliseconds",
            Self::Longer => "longer than asked",
            Self::Shorter => "shorter than asked",
        }
    }
}

impl KernelRequest {
    /// Returns a description as a sentence.
    pub fn sentence(&self) -> String {
        let Self { requested, sleeps, agreeing, .. } = self;
        let Some(call) = &self.call else {
            return format!("asked {requested}; no rule, as {}", self.matched());
        };
        let times: Vec<String> = self.told.iter().map(ToString::to_string).collect();
        let about = if self.exact { "" } else { "about " };
        let rule = self.rule.map_or("too few to state a rule", RequestChange::words);
        let matched = if self.own == *sleeps { String::new() } else { format!("; {}", self.matched()) };
        let times = times.join(", then ");
        format!("asked {requested}; {call} was given {about}{times}: {rule} ({agreeing} of {sleeps} sleeps{matched})")
    }

    /// Returns how many sleeps have a wait of their own, and how the others are matched.
    fn matched(&self) -> String {
        let Self { sleeps, own, shared, by_others, .. } = *self;
        let none = sleeps.saturating_sub(own + shared + by_others);
        let others = [(shared, "shared"), (by_others, "by other threads"), (none, "none")];
        let others = others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what}: {count}"));
        let others: Vec<String> = others.collect();
        format!("{own} of {sleeps} sleeps have a wait of their own in the trace; {}", others.join(", "))
    }
}

/// The difference between a runtime's lateness and another, from blocks measured in turns: the median of the differences
/// between paired blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeShare {
    /// The median and its interval.
    #[serde(flatten)]
    pub difference: Difference,
    /// Number of pairs of blocks.
    pub blocks: u64,
}

/// A way in which a runtime changes a request or a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// The request is rounded up to a unit.
    RoundedUp,
    /// The request is truncated to a unit.
    Truncated,
    /// Requests below a minimum are raised to it.
    Clamped,
    /// Requests below a minimum are raised to it after several nested timers.
    ClampedWhenNested,
    /// It wakes only at multiples of a period, together with other timers.
    Coalesced,
    /// The request counts from a clock that is read once per period: it may be early by up to one period.
    CachedClock,
    /// Every sleep is longer by a constant.
    AddsConstant,
    /// The thread that runs the timers has the kernel's default slack.
    TimerThreadSlack,
    /// Other tasks run before the timer is set.
    YieldsFirst,
    /// The garbage collector stopped the program.
    GarbageCollection,
    /// Each tick is set from the previous one, so that lateness adds up.
    DriftByRearming,
    /// Work inside the runtime, which was asked for, delays sleeps: callbacks of its event loop, threads or goroutines.
    BusyInside,
    /// The program's first sleeps are late: their code is loaded, and compiled just in time, when it is used first.
    FirstUse,
}

/// A mechanism that was found, and how well it explains the samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeMechanism {
    /// Kind of mechanism.
    pub mechanism: Mechanism,
    /// Size: its unit, minimum request, period, constant, pause, or drift per tick.
    #[serde(rename = "size_ns")]
    pub size: Nanos,
    /// Number of sleeps that show it.
    pub sleeps: u64,
    /// Typical distance of wake-ups from their prediction without any mechanism.
    #[serde(rename = "error_without_ns")]
    pub error_without: Nanos,
    /// Typical distance of wake-ups from their prediction with all mechanisms found.
    #[serde(rename = "error_with_ns")]
    pub error_with: Nanos,
}

impl Mechanism {
    /// Returns what the mechanism does, with its size, in a few words.
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
            Self::BusyInside => format!("its own load delays it by {size} at the median"),
            Self::FirstUse => {
                format!("its first sleep is late by {size}: its code is loaded and compiled at first use")
            }
        }
    }
}
