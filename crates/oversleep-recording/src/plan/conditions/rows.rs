//! The table of conditions.

use super::value::{Typed, ValueKind};
use super::{Condition, Load, LoadKind, Phase, PriorityClass, Qos, Scope, Show};
use crate::catalog::System;
use crate::plan::Policy;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// What most conditions have in common.
const ROW: Condition = Condition {
    key: "",
    name: "",
    kind: ValueKind::Truth,
    scope: Scope::Thread,
    systems: &System::ALL,
    option: "",
    keyword: "",
    short: None,
    value_name: "",
    help: "",
    usual: "",
    needs: "",
    several: false,
    inherited: false,
    simulated: false,
    scheduled: true,
    column: "",
    read_back: true,
    show: Show::Hidden,
    get: |_| None,
    set: |_, _| (),
};

/// Declares the conditions: the field of each, with its row, and rows that are parts of the same field. Option, keyword and column
/// have the field's name unless stated.
macro_rules! conditions {
    ($($(#[$about:meta])* $field:ident: $type:ty = { $($row:tt)* } $(and $part:ident)?;)*) => {
        /// The conditions of a cell, requested or obtained.
        ///
        /// Requested: `None` leaves the setting as it is. Obtained: the value read back from the system; `None` where the
        /// system has no such setting or does not tell.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct Conditions {
            $(
                $(#[$about])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        /// Every condition.
        pub static CONDITIONS: &[Condition] = &[$(
            Condition {
                key: stringify!($field),
                get: |conditions| conditions.$field.as_ref().map(Typed::value),
                set: |conditions, value| {
                    if let Some(value) = Typed::from_value(value) {
                        conditions.$field = Some(value);
                    }
                },
                $($row)*
                ..Condition { option: stringify!($field), keyword: stringify!($field), column: stringify!($field), ..ROW }
            },
            $($part,)?
        )*];
    };
}

conditions! {
    /// Scheduling policy and its parameters.
    policy: Policy = {
        name: "policy", short: Some('p'), value_name: "POLICY",
        kind: ValueKind::Policy,
        systems: &[System::Linux, System::FreeBsd, System::NetBsd, System::DragonFly, System::MacOs],
        help: "Scheduling policies: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10, deadline:100us/1ms",
        several: true, inherited: true, simulated: true,
        show: Show::Value("policy"),
    };
    /// Niceness of the thread, −20 to 19.
    nice: i32 = {
        name: "niceness", value_name: "N",
        kind: ValueKind::Number { from: -20, to: 19, hint: "" }, systems: UNIX,
        help: "Niceness, -20 to 19: one value for all rows",
        inherited: true, simulated: true,
        show: Show::Labelled("nice"),
    };
    /// Processors on which the thread may run.
    affinity: Vec<u32> = {
        name: "affinity", option: "cpus", short: Some('a'), value_name: "CPUS", column: "cpus",
        kind: ValueKind::Cpus, systems: &[System::Linux, System::FreeBsd, System::Windows],
        help: "Processors the sleeping threads may use, such as 0 or 0-3",
        inherited: true,
        show: Show::By(processors),
    };
    /// Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
    one_cpu_each: bool = {
        name: "one processor each", option: "one-cpu-each",
        systems: &[System::Linux, System::FreeBsd, System::Windows],
        help: "With --cpus: give each thread one of those processors, in turn",
        needs: "affinity", read_back: false,
    };
    /// How much later than asked the kernel may fire this thread's timers to save wake-ups.
    #[serde(rename = "timer_slack_ns")]
    timer_slack: Nanos = {
        name: "timer slack", option: "slack", keyword: "slack", value_name: "TIME", column: "timer_slack_ns",
        kind: ValueKind::Time { zero: false }, systems: &[System::Linux],
        help: "Timer slacks, such as 1ns,50us",
        several: true, inherited: true, simulated: true,
        show: Show::Labelled("slack"),
    };
    /// Whether the process's memory is locked.
    memory_locked: bool = {
        name: "memory lock", option: "mlock", keyword: "mlock",
        scope: Scope::Process, systems: &[System::Linux],
        help: "Lock the process's memory",
        show: Show::Either("memory locked", "memory not locked"),
    };
    /// Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
    #[serde(rename = "latency_hold_ns")]
    latency_hold: Nanos = {
        name: "latency hold", option: "latency-hold", value_name: "TIME", column: "latency_hold_ns",
        kind: ValueKind::Time { zero: true }, scope: Scope::Turn, systems: &[System::Linux],
        help: "Hold the processors' wake-up latency at or below this (through `/dev/cpu_dma_latency`)",
        show: Show::Labelled("latency hold"),
    };
    /// How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
    #[serde(rename = "timer_resolution_ns")]
    timer_resolution: Nanos = {
        name: "timer resolution", option: "timer-resolution", value_name: "TIME", column: "timer_resolution_ns",
        kind: ValueKind::Time { zero: false }, scope: Scope::Turn, systems: &[System::Windows],
        help: "Windows: timer resolutions to ask for, such as 0.5ms,1ms,15.625ms; each makes rows of its own",
        several: true,
        show: Show::Labelled("resolution"),
    };
    /// Priority class of the process (Windows).
    priority_class: PriorityClass = {
        name: "priority class", option: "priority-class", value_name: "CLASS",
        kind: ValueKind::Name { what: "priority class", names: PriorityClass::NAMES }, scope: Scope::Turn,
        systems: &[System::Windows],
        help: "Windows: the priority class of the process: idle, below-normal, normal, above-normal, high, realtime",
        show: Show::Labelled("class"),
    };
    /// Task for which the multimedia scheduler raises the thread's priority (Windows).
    multimedia_task: String = {
        name: "multimedia task", option: "multimedia-task", value_name: "TASK",
        kind: ValueKind::Text, systems: &[System::Windows],
        help: "Windows: task for the multimedia scheduler, which raises priorities; such as \"Pro Audio\"",
        show: Show::Labelled("task"),
    };
    /// Quality-of-service class of the thread (macOS).
    qos: Qos = {
        name: "qos", value_name: "CLASS",
        kind: ValueKind::Name { what: "quality-of-service class", names: Qos::NAMES }, systems: &[System::MacOs],
        help: "macOS: the quality-of-service class of the threads: user-interactive, user-initiated, default, utility, background",
        show: Show::Labelled("qos"),
    };
    /// Whether the system is kept from throttling the process's timers (Windows, macOS).
    unthrottled: bool = {
        name: "no throttling", option: "no-throttling", keyword: "no_throttling",
        scope: Scope::Process, systems: &[System::Windows, System::MacOs],
        help: "Windows, macOS: keep the system from throttling the process's timers; by power throttling, App Nap",
        show: Show::Either("not throttled", "perhaps throttled"),
    };
    /// Busy threads that run during the sleeps.
    load: Load = {
        name: "load", short: Some('l'), value_name: "N",
        // More would leave a machine no time for anything else.
        kind: ValueKind::Number { from: 0, to: 256, hint: ": busy threads; for a number of sleeps use --count" },
        scope: Scope::Run,
        help: "Number of busy threads during the sleeps, such as 0,1,2",
        several: true, inherited: true, simulated: true,
        show: Show::By(busy),
    } and LOAD_KIND;
    /// Number of threads that sleep at the same time.
    threads: u16 = {
        name: "threads", short: Some('t'), value_name: "N",
        kind: ValueKind::Number { from: 1, to: 1_024, hint: "" }, scope: Scope::Run,
        help: "How many threads sleep at once",
        usual: "1",
        simulated: true,
        show: Show::Counted("threads"),
    };
    /// What happens between two sleeps.
    phase: Phase = {
        name: "phase", value_name: "PHASE",
        kind: ValueKind::Phase, scope: Scope::Run,
        help: "Between two sleeps: back-to-back, random, random:10ms",
        usual: "back-to-back",
        simulated: true, scheduled: false, read_back: false,
        show: Show::By(|asked, _| asked.phase.filter(|phase| matches!(phase, Phase::Warm { .. })).map(|phase| phase.value().to_string())),
    };
    /// Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
    /// traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
    traced: bool = {
        name: "tracing", option: "", keyword: "",
        scope: Scope::Run,
        read_back: false,
        show: Show::By(|asked, _| Some(if asked.traced? { "traced" } else { "beside traced" }.to_owned())),
    };
}

/// Every system but Windows.
const UNIX: &[System] = &[
    System::Linux,
    System::MacOs,
    System::FreeBsd,
    System::NetBsd,
    System::OpenBsd,
    System::DragonFly,
    System::Illumos,
];

/// What busy threads do: the other half of [`Conditions::load`].
const LOAD_KIND: Condition = Condition {
    key: "load_kind",
    name: Conditions::LOAD_KIND,
    kind: ValueKind::Name { what: "kind of load", names: &["spin", "memory", "syscalls", "timers", "runtime"] },
    scope: Scope::Run,
    option: "load-kind",
    keyword: "load_kind",
    value_name: "KIND",
    help: "With --load: what busy threads do: spin, memory (walk memory), syscalls, timers (sleep shortly) or, with --command, runtime (inside that program)",
    usual: "spin",
    needs: "load",
    inherited: true,
    column: "load_kind",
    get: |conditions| conditions.load.map(|load| load.kind.value()),
    set: |conditions, value| {
        if let (Some(load), Some(kind)) = (&mut conditions.load, LoadKind::from_value(value)) {
            load.kind = kind;
        }
    },
    ..ROW
};

/// Shows processors, and whether each thread has one of them.
fn processors(asked: &Conditions, got: &Conditions) -> Option<String> {
    let (wanted, found) = (asked.affinity.as_ref()?, got.affinity.as_ref());
    // Only the first thread's processor is read back: the others have another of those that were asked for.
    let one_each = asked.one_cpu_each == Some(true);
    let list = wanted.value();
    Some(match found {
        Some(found) if one_each && found.iter().all(|cpu| wanted.contains(cpu)) => format!("cpu {list} one each"),
        Some(found) if found == wanted => format!("cpu {list}"),
        Some(found) => format!("cpu {} (asked {list})", found.value()),
        None => format!("no cpu (asked {list})"),
    })
}

/// Shows busy threads: those that ran.
fn busy(asked: &Conditions, got: &Conditions) -> Option<String> {
    let asked = asked.load?;
    Some(match got.load.unwrap_or(asked) {
        Load { threads: 1, kind: LoadKind::Neighbour } => "busy neighbour".to_owned(),
        load => format!("{} busy", load.threads),
    })
}
