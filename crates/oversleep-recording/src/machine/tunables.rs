//! Kernel settings that affect sleep, under the names that their systems give them.

use crate::catalog::System::{self, DragonFly, FreeBsd, MacOs, NetBsd, OpenBsd};
use serde::{Deserialize, Serialize};

/// The name and value of a kernel setting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tunable {
    /// Name of the setting: `kern.timecounter.alloweddeviation`.
    pub name: String,
    /// Value, as the system's own tool shows it.
    pub value: String,
}

/// A setting that is read on the systems that have it, and its effect on sleep.
#[derive(Debug, Clone, Copy)]
pub struct TunableRow {
    /// Name of the setting.
    pub name: &'static str,
    /// Type of the value.
    pub kind: TunableKind,
    /// Systems that have the setting.
    pub systems: &'static [System],
    /// Effect on sleep.
    pub about: &'static str,
    /// Command that helps where the setting makes sleeps late; empty if none does.
    pub remedy: &'static str,
}

/// The type of a setting's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TunableKind {
    /// A text.
    Text,
    /// A whole number, with the number of bytes that the system returns.
    Number,
    /// A structure whose first field is the rate of the kernel's tick.
    ClockRate,
}

const fn row(
    name: &'static str,
    kind: TunableKind,
    systems: &'static [System],
    about: &'static str,
    remedy: &'static str,
) -> TunableRow {
    TunableRow { name, kind, systems, about, remedy }
}

use TunableKind::{ClockRate, Number, Text};

/// Every setting that is read. Sources: `timecounters(4)`, `eventtimers(4)`, `nanosleep(2)` and `sys/kern/kern_tc.c` of
/// FreeBSD 14; `bsd/kern/kern_sysctl.c` of xnu; `sysctl(7)` of NetBSD; `sysctl(2)` of OpenBSD; `sys/kern/kern_time.c`
/// of DragonFly.
pub static TUNABLES: &[TunableRow] = &[
    row(
        "kern.clockrate",
        ClockRate,
        &[MacOs, FreeBsd, NetBsd, OpenBsd, DragonFly],
        "the rate of the tick, at which sleeps end on NetBSD and OpenBSD, and on FreeBSD with kern.eventtimer.periodic",
        "",
    ),
    row(
        "kern.timecounter.alloweddeviation",
        Number,
        &[FreeBsd],
        "percent of its length by which a sleep may be late, so that wake-ups can be shared; easily mistaken for a drift between two clocks",
        "sysctl kern.timecounter.alloweddeviation=0",
    ),
    row(
        "kern.timecounter.nanosleep_precise",
        Number,
        &[FreeBsd],
        "0: nanosleep reads the time of the last tick, so it may be late by a tick",
        "sysctl kern.timecounter.nanosleep_precise=1",
    ),
    row(
        "kern.timecounter.hardware",
        Text,
        &[FreeBsd, NetBsd, OpenBsd],
        "the counter that clocks read; ACPI, HPET and i8254 cost a microsecond a reading",
        "sysctl kern.timecounter.hardware=TSC, if its quality is high",
    ),
    row(
        "kern.timecounter.choice",
        Text,
        &[FreeBsd, NetBsd, OpenBsd],
        "available counters with their quality; negative: broken",
        "",
    ),
    row(
        "kern.timecounter.fast_gettime",
        Number,
        &[FreeBsd],
        "0: every reading of a clock is a system call",
        "sysctl kern.timecounter.fast_gettime=1",
    ),
    row(
        "kern.timecounter.tick",
        Number,
        &[FreeBsd],
        "ticks in a millisecond, about; clocks whose names end in _FAST read the time of the last tick",
        "",
    ),
    row(
        "kern.nanosleep_hard_us",
        Number,
        &[DragonFly],
        "the last part of a sleep, in microseconds, is spun or yielded: it costs processor time and is not late",
        "",
    ),
    row(
        "kern.nanosleep_min_us",
        Number,
        &[DragonFly],
        "the shortest sleep, in microseconds",
        "sysctl kern.nanosleep_min_us=1",
    ),
    row(
        "kern.gettimeofday_quick",
        Number,
        &[DragonFly],
        "1: gettimeofday reads the time of the last tick",
        "sysctl kern.gettimeofday_quick=0",
    ),
    row("kern.eventtimer.timer", Text, &[FreeBsd], "the hardware that wakes sleepers", ""),
    row("kern.eventtimer.choice", Text, &[FreeBsd], "available hardware with its quality", ""),
    row(
        "kern.eventtimer.periodic",
        Number,
        &[FreeBsd],
        "1: timers fire at ticks alone, so every sleep ends at one",
        "sysctl kern.eventtimer.periodic=0",
    ),
    row("kern.eventtimer.singlemul", Number, &[FreeBsd], "in periodic mode, interrupts per tick", ""),
    row("kern.eventtimer.idletick", Number, &[FreeBsd], "1: idle processors keep the tick", ""),
    row("kern.hz", Number, &[FreeBsd], "ticks per second", ""),
    row(
        "kern.timer_coalesce_ts_scale",
        Number,
        &[MacOs],
        "n: a sleep of a time-sharing thread may be late by its length / 2ⁿ",
        "THREAD_TIME_CONSTRAINT_POLICY, or kqueue-timer-critical",
    ),
    row(
        "kern.timer_coalesce_ts_ns_max",
        Number,
        &[MacOs],
        "but by at most this many nanoseconds",
        "THREAD_TIME_CONSTRAINT_POLICY, or kqueue-timer-critical",
    ),
    row(
        "kern.timer_coalesce_bg_scale",
        Number,
        &[MacOs],
        "the same n for background threads",
        "raise the thread's quality-of-service class",
    ),
    row(
        "kern.timer_coalesce_bg_ns_max",
        Number,
        &[MacOs],
        "their limit in nanoseconds",
        "raise the thread's quality-of-service class",
    ),
    row(
        "kern.interrupt_timer_coalescing_enabled",
        Number,
        &[MacOs],
        "1: timers that are nearly due fire with any interrupt",
        "",
    ),
];

#[cfg(test)]
mod tests {
    use super::TUNABLES;
    use std::collections::HashSet;

    #[test]
    fn every_row_is_there_once_and_says_what_it_means() {
        let names: HashSet<_> = TUNABLES.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), TUNABLES.len());
        assert!(TUNABLES.iter().all(|row| !row.about.is_empty() && !row.systems.is_empty()));
    }
}
