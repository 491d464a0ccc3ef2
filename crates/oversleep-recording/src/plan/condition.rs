//! The conditions under which a cell sleeps.

use super::Policy;
use super::systems::{PriorityClass, Qos};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The conditions of a cell, requested or obtained.
///
/// Requested: `None` leaves the setting as it is. Obtained: the value read back from the system; `None` where the
/// system has no such setting or does not tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Conditions {
    /// Scheduling policy and its parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Niceness of the thread, −20 to 19.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// Processors on which the thread may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub affinity: Option<Vec<u32>>,
    /// Whether each thread is pinned to one of those processors, in rotation, instead of using all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_cpu_each: Option<bool>,
    /// How much later than asked the kernel may fire this thread's timers to save wake-ups.
    #[serde(rename = "timer_slack_ns", skip_serializing_if = "Option::is_none")]
    pub timer_slack: Option<Nanos>,
    /// Whether the process's memory is locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_locked: Option<bool>,
    /// Longest tolerated wake-up latency of processors, held through `/dev/cpu_dma_latency`.
    #[serde(rename = "latency_hold_ns", skip_serializing_if = "Option::is_none")]
    pub latency_hold: Option<Nanos>,
    /// How often the system checks its timers (Windows). Obtained: the value in force in the whole system.
    #[serde(rename = "timer_resolution_ns", skip_serializing_if = "Option::is_none")]
    pub timer_resolution: Option<Nanos>,
    /// Priority class of the process (Windows).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_class: Option<PriorityClass>,
    /// Task for which the multimedia scheduler raises the thread's priority (Windows).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multimedia_task: Option<String>,
    /// Quality-of-service class of the thread (macOS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qos: Option<Qos>,
    /// Whether the system is kept from throttling the process's timers (Windows, macOS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unthrottled: Option<bool>,
    /// Busy threads running beside the sleepers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// Number of threads that sleep at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// What happens between two sleeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Whether kernel events are recorded during the sleeps. `false` marks sleeps that exist only for comparison with
    /// traced ones. Neither kind shows how this machine sleeps by itself, because tracing has a cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traced: Option<bool>,
}

impl Conditions {
    /// Returns the same conditions without a statement about tracing.
    #[must_use]
    pub fn without_tracing(&self) -> Self {
        Self { traced: None, ..self.clone() }
    }

    /// Returns the requested settings with the obtained values: `slack 1 ns`, `other (asked fifo 80)` where the request
    /// was refused; `default` where nothing was requested.
    pub fn name(&self, obtained: Option<&Self>) -> String {
        let got = obtained.unwrap_or(self);
        let mut parse = Vec::new();
        let mut say = |wanted: Option<String>, found: Option<String>, name: &str| {
            let Some(wanted) = wanted else { return };
            parse.push(match found {
                Some(found) if found == wanted => found,
                Some(found) => format!("{found} (asked {})", wanted.strip_prefix(name).unwrap_or(&wanted).trim_start()),
                None => format!("no {name} (asked {})", wanted.strip_prefix(name).unwrap_or(&wanted).trim_start()),
            });
        };
        let both = |of: &dyn Fn(&Conditions) -> Option<String>| (of(self), of(got));
        let mut each = |name: &str, of: &dyn Fn(&Conditions) -> Option<String>| {
            let (wanted, found) = both(of);
            say(wanted, found, name);
        };
        each("policy", &|at| at.policy.map(|policy| policy.to_string()));
        each("nice", &|at| at.nice.map(|nice| format!("nice {nice}")));
        let list = |cpus: &[u32]| cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        // Only the first thread's processor is read back: the others have another of those that were asked for.
        let asked = self.affinity.as_deref().unwrap_or_default();
        let one_each = self.one_cpu_each == Some(true)
            && got.affinity.as_ref().is_some_and(|cpus| cpus.iter().all(|cpu| asked.contains(cpu)));
        each("cpu", &|at| match &at.affinity {
            Some(_) if one_each => Some(format!("cpu {} one each", list(asked))),
            cpus => cpus.as_deref().map(|cpus| format!("cpu {}", list(cpus))),
        });
        each("slack", &|at| at.timer_slack.map(|slack| format!("slack {slack}")));
        each("latency hold", &|at| at.latency_hold.map(|hold| format!("latency hold {hold}")));
        each("resolution", &|at| at.timer_resolution.map(|resolution| format!("resolution {resolution}")));
        each("class", &|at| at.priority_class.map(|class| format!("class {class}")));
        each("task", &|at| at.multimedia_task.as_ref().map(|task| format!("task {task}")));
        each("qos", &|at| at.qos.map(|qos| format!("qos {qos}")));
        each("threads", &|at| at.threads.map(|threads| format!("{threads} threads")));
        if self.memory_locked.is_some() {
            parse.push(if got.memory_locked == Some(true) { "memory locked" } else { "memory not locked" }.to_owned());
        }
        if self.unthrottled.is_some() {
            parse.push(if got.unthrottled == Some(true) { "not throttled" } else { "perhaps throttled" }.to_owned());
        }
        parse.extend(self.load.map(|asked| match got.load.unwrap_or(asked) {
            Load { threads: 1, kind: LoadKind::Neighbour } => "busy neighbour".to_owned(),
            load => format!("{} busy", load.threads),
        }));
        if let Some(Phase::Warm { lead }) = self.phase {
            parse.push(format!("awake {lead} before"));
        }
        parse.extend(self.traced.map(|traced| if traced { "traced" } else { "beside traced" }.to_owned()));
        // Nobody asked for it here, but whoever started the program did (`chrt`, `oversleep tune`).
        let inherited = got.policy.filter(|policy| self.policy.is_none() && *policy != Policy::Other);
        parse.extend(inherited.map(|policy| format!("{policy} inherited")));
        if parse.is_empty() { "default".to_owned() } else { parse.join(", ") }
    }

    /// Returns whether the policy is known to be a real-time one.
    pub fn is_real_time(&self) -> bool {
        self.policy.is_some_and(Policy::is_real_time)
    }
}

/// The busy threads of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Load {
    /// Number of busy threads.
    pub threads: u16,
    /// What the busy threads do.
    pub kind: LoadKind,
}

named! {
    /// The work of a busy thread.
    LoadKind, "kind of load":
    /// Counts in a loop.
    Spin "spin"
    /// Reads more memory than the caches hold.
    Memory "memory"
    /// Makes cheap system calls.
    Syscalls "syscalls"
    /// Sets short timers and sleeps on them.
    Timers "timers"
    /// Counts on the sleepers' own processors, giving way to the sleepers: under the policy `idle` where
    /// there is one. It keeps those processors from idling.
    Neighbour "neighbour"
    /// Computes inside the language runtime that sleeps, while it sleeps: in callbacks of its event loop, in goroutines
    /// or in threads of its own.
    Runtime "runtime"
}

impl LoadKind {
    /// Returns whether users can ask for it. The others belong to experiments.
    pub const fn is_offered(self) -> bool {
        !matches!(self, Self::Neighbour)
    }
}

/// What happens between two sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Phase {
    /// Nothing: the next sleep starts where the last one ended.
    BackToBack,
    /// A busy wait of random length below `window`, so that sleeps start at any phase of a tick.
    Random {
        /// Longest busy wait.
        #[serde(rename = "window_ns")]
        window: Nanos,
    },
    /// Each sleep is split in two: it wakes `lead` before the deadline, keeps the processor busy with memory accesses
    /// and clock readings for half of `lead`, and sleeps the rest. Its lateness counts from the deadline of the whole.
    Warm {
        /// How long before the deadline the first part ends.
        #[serde(rename = "lead_ns")]
        lead: Nanos,
    },
}
