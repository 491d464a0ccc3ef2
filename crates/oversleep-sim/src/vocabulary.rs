//! The named values of parameters.

use serde::{Deserialize, Serialize};

/// The source of the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TickSource {
    /// The i8254 reloaded with its nominal rate divided by `hz`, rounded to nearest (BSD's `TIMER_DIV`).
    I8254,
    /// The i8254 with a fractional reload (`DragonFly` clock.c 1.8, 7 January 2004): no long-term error.
    Frac,
    /// The i8254 with the reload chosen at each tick by a bang-bang phase detector against the wall clock
    /// (`DragonFly` clock.c 1.10, 8 January 2004).
    Pll,
    /// The local APIC timer, divided by its calibrated rate (FreeBSD 7 and 8), at 1, 2 or 4 interrupts per tick.
    Lapic,
    /// Exactly `hz` per second, or every `tick_period_us`.
    Exact,
}

/// The counter behind the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeCounter {
    /// The i8254 itself, in whole counts of 0.838 µs: `f_i8254_true_hz` and `f_i8254_nom_hz`.
    I8254,
    /// The processor's counter: `tc_true_hz` and `tc_assumed_hz`.
    Tsc,
    /// The ACPI timer: 3 579 545 Hz, true and assumed, whatever `tc_true_hz` says.
    Acpi,
    /// Ticks: each advances the clock by exactly `tick_us`, with interpolation in between (Linux 2.4).
    Ticks,
}

/// The rule by which a duration becomes ticks (`tvtohz`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Rounded up, plus one tick for the one already in progress (FreeBSD since 1994).
    CeilPlus1,
    /// Rounded up.
    Ceil,
    /// Rounded down, plus one tick.
    LowPlus1,
    /// Rounded down; may be 0.
    Low,
    /// Rounded to nearest.
    Rint,
    /// 4.4BSD's `hzto`: truncated to milliseconds and again to ticks; may be 0.
    Hzto44,
}

/// The clock that `nanosleep` itself compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelClock {
    /// Time cached by the last wind-up.
    Cached,
    /// Fresh reading of the counter.
    Precise,
}

/// Whether a tick kernel's sleep reads the clock again when its ticks are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// Yes, and sleeps the rest: the loop of `nanosleep`.
    Nanosleep,
    /// No: a single shot, as in `select`.
    Select,
}

/// The meaning of a sleep of zero ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ZeroTicks {
    /// One tick.
    One,
    /// For ever, as `tsleep` understands it: the thread hangs.
    Forever,
    /// None: the call returns at once.
    Return,
}

/// The meaning of a request of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ZeroRequest {
    /// The call returns at once.
    Return,
    /// As any other: it lasts a tick.
    Sleep,
}

/// The calls that end in time on a kernel whose other calls may be late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreciseCalls {
    /// None.
    None,
    /// Those that ask for it: a kqueue timer with `NOTE_CRITICAL`, a timer of `CLOCK_HIGHRES`.
    Asked,
    /// These and all other timers that are objects: kqueue timers.
    Timers,
    /// These and `nanosleep`.
    Sleeps,
}

/// The mechanism that wakes a sleeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// The tick: durations are rounded to ticks by `round`.
    Tick,
    /// Ticks, then a one-shot timer for the rest (`DragonFly` since 30 January 2004).
    Systimer,
    /// A one-shot timer with slack (Linux high-resolution timers).
    Hrtimer,
    /// A one-shot timer with a precision in proportion to the duration (FreeBSD 10).
    Freebsd10,
    /// The tick at or after the requested time, without an extra one (Linux without high-resolution timers).
    Jiffies,
    /// The tick, counted from the last one: may be early (Windows NT).
    Nt,
    /// A deadline timer with coalescing in proportion to the duration (`macOS`).
    Macos,
}

/// The rule by which a thread gets the processor when its sleep is over and other threads are busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// The sleeper runs at once.
    Preempt,
    /// The sleeper runs after each of the N busy threads had its quantum.
    RoundRobin,
    /// O'Neill's Windows 98: at once with one busy thread; otherwise at the end of the running quantum or of a later
    /// one, each with probability `p_run`.
    Oneill,
}
