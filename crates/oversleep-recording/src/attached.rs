//! Facts about a program that was not changed, whose waits were recorded from outside.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A program whose waits were recorded, and its counts besides the samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AttachedProgram {
    /// Process ID.
    pub pid: i32,
    /// Its command line.
    pub command: String,
    /// Whether it was started for this recording.
    pub started: bool,
    /// Whether it ended during the recording.
    pub ended: bool,
    /// How long its waits were recorded.
    #[serde(rename = "recorded_ns")]
    pub recorded: Nanos,
    /// Number of calls that waited without a time limit of their own.
    pub untimed: u64,
    /// Number of timed waits that were under way when the recording began; they are not among the samples.
    pub under_way: u64,
    /// Number of kernel records lost, at least: a gap without a number counts as one.
    pub lost: u64,
    /// Number of processors.
    pub processors: u32,
    /// Events that this kernel lacks, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<super::Missing>,
    /// How its waits became known.
    pub tier: AttachTier,
    /// Why the tier is not the highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Number of programs that loaded the library, in the tier `preloaded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded: Option<u64>,
    /// Counters of its threads, in the tier `counters`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<AttachedCounts>,
}

/// How the waits of a program became known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AttachTier {
    /// From kernel events: each wait, and why it was late.
    #[default]
    Events,
    /// From a library that stands in for the C library's calls: each wait that is made through these.
    Preloaded,
    /// Not at all: only what the kernel counts of each thread.
    Counters,
}

/// What the kernel counted of a thread while it was watched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AttachedCounts {
    /// Thread ID given by the system.
    pub tid: i32,
    /// Process ID.
    pub pid: i32,
    /// Name of the thread.
    pub name: String,
    /// How long it was watched.
    #[serde(rename = "watched_ns")]
    pub watched: Nanos,
    /// How often it left the processor to wait.
    pub waits: u64,
    /// How often it had to leave the processor to another thread.
    pub preempted: u64,
    /// Time on a processor.
    #[serde(rename = "ran_ns")]
    pub ran: Nanos,
    /// Time on a run queue, ready and not running.
    #[serde(rename = "queued_ns")]
    pub queued: Nanos,
    /// Its timer slack, where it could be read.
    #[serde(rename = "slack_ns")]
    pub slack: Option<Nanos>,
}

/// A thread of such a program, and the waits of one cell that it made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AttachedThread {
    /// ID of the cell.
    pub cell: u32,
    /// Number of the thread in the cell's samples.
    pub thread: u16,
    /// Thread ID given by the system.
    pub tid: i32,
    /// Process ID; the thread ID where it is not known.
    pub pid: i32,
    /// Name of the thread.
    pub name: String,
    /// Name of the system call.
    pub call: String,
    /// Number of timed waits that ended because something happened before their time was over.
    pub by_event: u64,
    /// Number of timed waits that a signal ended.
    pub by_signal: u64,
}
