//! What happens next to the sleeps: busy threads, and what a sleeper does between two sleeps.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

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
