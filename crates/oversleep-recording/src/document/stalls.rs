//! Stalls of processors: their causes, their lengths, and the longest.

use super::breakdown::Owner;
use super::evidence::PeriodicInterference;
use crate::trace::{ProcessorCounters, ThreadCounters};
use crate::{CauseTime, WatchedCpu};
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// The result of watching processors for stalls, with causes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stalls {
    /// How the time of each watched processor was spent.
    pub processors: Vec<WatchedCpu>,
    /// Causes of the stalls, cell by cell, the largest first.
    pub took: Vec<CauseTime>,
    /// Stalls by length.
    pub histogram: Histogram,
    /// Longest stalls of each processor, the longest first.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ExplainedStall<'static>>"))]
    pub worst: Vec<NamedStall>,
    /// Stalls that recur after the same time, by processor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub periodic: Vec<PeriodicStalls>,
    /// Stalls that the recording lists without any evidence, as when it is cut off: they are in the figures, but
    /// in no cause.
    #[serde(skip_serializing_if = "is_zero")]
    pub unnamed: u64,
}

/// The stalls of one processor that recur after the same time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodicStalls {
    /// Number of the processor.
    pub cpu: u32,
    /// Their length: nine of ten are not shorter than this, …
    #[serde(rename = "shortest_ns")]
    pub shortest: Nanos,
    /// … or longer than this: the 5th and the 95th percentile.
    #[serde(rename = "longest_ns")]
    pub longest: Nanos,
    /// Their period, and from when to when they came.
    #[serde(flatten)]
    pub rhythm: PeriodicInterference,
}

/// The stalls counted by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Edges between the bins, in ns, ascending.
    pub edges_ns: Vec<i64>,
    /// Counts of each processor.
    pub processors: Vec<StallCounts>,
}

impl Histogram {
    /// Returns the edges in use: 1, 2 and 5 times each power of ten, from 100 ns to 100 s.
    pub fn edges() -> Vec<i64> {
        let decades = (2..=10).map(|power| 10_i64.pow(power));
        decades.flat_map(|decade| [decade, 2 * decade, 5 * decade]).chain([100_000_000_000]).collect()
    }
}

/// The stalls of one processor by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StallCounts {
    /// Number of the processor.
    pub cpu: u32,
    /// Counts per bin, one more than edges: below the first edge, between neighbours, at or above the last.
    pub counts: Vec<u64>,
}

/// One stall with its cause.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedStall {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Number of the sample.
    pub sequence: u64,
    /// Number of the processor, where known.
    pub cpu: Option<u16>,
    /// Beginning of the stall, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Duration of the stall.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// Cause, in a phrase that is the same for all stalls with this cause.
    pub cause: String,
    /// Source of the explanation: `trace`, `counters`, `none`.
    pub witness: String,
    /// Processors that stalled at the same time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<u32>,
    /// Evidence for the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StallEvidence>,
}

/// A stall with an explanation in one sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedStall<'a> {
    #[serde(flatten)]
    stall: &'a NamedStall,
    /// Explanation in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(stalls: &[NamedStall], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stalls.iter().map(|stall| ExplainedStall { stall, explanation: stall.explanation() }))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The kind of cause of a stall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StallKind {
    /// The control group's quota was used up.
    Quota,
    /// A system-management interrupt.
    Smi,
    /// The host ran something else in the virtual processor's place.
    Stolen,
    /// Several processors stalled at once: the host or an SMI.
    AtOnce,
    /// No kernel event and no counter accounts for it.
    Unseen,
    /// According to the trace: the first identified owner of the processor.
    Owner,
    /// According to the counters: another thread ran.
    Preempted,
    /// According to the counters: an interrupt.
    Interrupt,
    /// No other thread ran; the interrupt counters were not read.
    InterruptsUnread,
    /// No counter was read.
    CountersUnread,
}

impl StallKind {
    /// Returns a phrase that is the same for all stalls of this kind; empty for owners and interrupts, which have
    /// names.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Quota => "control group's quota",
            Self::Smi => "system-management interrupt",
            Self::Stolen => "stolen by the host",
            Self::AtOnce => "several processors at once: host or SMI",
            Self::Unseen => "outside the kernel's sight: host, SMI or hardware",
            Self::Preempted => "another thread ran",
            Self::InterruptsUnread => {
                "no other thread; interrupts not read: that had used up its twentieth of the time"
            }
            Self::CountersUnread => "counters not read: that had used up its twentieth of the time",
            Self::Owner | Self::Interrupt => "",
        }
    }

    /// Returns whether the kernel cannot see the cause.
    pub const fn is_beyond_the_kernel(self) -> bool {
        matches!(self, Self::Smi | Self::Stolen | Self::AtOnce | Self::Unseen)
    }
}

/// The evidence about one stall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StallEvidence {
    /// Kind of cause.
    pub kind: StallKind,
    /// Who used the processor according to the trace, the longest first, with times that sum to the stall's length.
    /// `sleeper` is the watching thread: time that no kernel event accounts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<Vec<(Owner, Nanos)>>,
    /// Increase of the watching thread's own counters, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadCounters>,
    /// Number of earlier stalls that this increase covers too.
    pub thread_since: u32,
    /// Increase of the processor's counters, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorCounters>,
    /// Number of earlier stalls that this increase covers too.
    pub processor_since: u32,
}

/// Number of owners named; the rest are in the JSON.
const TOLD: usize = 3;

impl NamedStall {
    /// Returns the explanation in one sentence, such as `hog (7, nice 0) 98.0 µs, unseen 2.00 µs`: what was observed,
    /// which other counters increased, and what limits the conclusion.
    pub fn explanation(&self) -> String {
        self.evidence.as_ref().map_or_else(|| self.cause.clone(), |evidence| sentence(self, evidence))
    }

    /// Returns what keeps such stalls from a program, where that is known.
    pub fn advice(&self) -> Option<String> {
        let evidence = self.evidence.as_ref()?;
        Some(match (evidence.kind, evidence.owners.as_ref().and_then(|owners| owners.first())) {
            (StallKind::Owner, Some((Owner::Task { prio: 100.., .. }, _))) | (StallKind::Preempted, _) => {
                "A program with a real-time policy (`oversleep tune -p 1 -- COMMAND`) or a processor of its own does not wait for such \
                 threads."
                    .to_owned()
            }
            (StallKind::Owner, Some((Owner::Task { .. }, _))) => {
                "Only a higher real-time priority, or a processor of its own, keeps a program from waiting for such threads.".to_owned()
            }
            (StallKind::Quota, _) => "A larger quota of the control group (cpu.max) ends these stalls.".to_owned(),
            (kind, _) if kind.is_beyond_the_kernel() => {
                "No setting of this system ends what the host or the firmware takes: ask who runs the host, or the firmware's settings."
                    .to_owned()
            }
            _ => return None,
        })
    }
}

fn sentence(stall: &NamedStall, evidence: &StallEvidence) -> String {
    let mut clauses = vec![described(evidence)];
    clauses.retain(|words| !words.is_empty());
    if clauses.is_empty() || evidence.kind.is_beyond_the_kernel() {
        clauses.insert(0, stall.cause.clone());
    }
    let change = evidence.processor.as_ref();
    if let Some(stolen) = change.and_then(|change| change.stolen).filter(|stolen| *stolen > Nanos::ZERO) {
        clauses.push(format!("{stolen} stolen by the host"));
    }
    if let Some(count) = change.and_then(|change| change.smi).filter(|count| *count > 0) {
        clauses.push(format!("{count} SMI counted"));
    }
    if let Some(count) = change.and_then(|change| change.heat).filter(|count| *count > 0) {
        clauses.push(format!("the processor was throttled {count} times for heat"));
    }
    if !stall.together.is_empty() {
        let cpus: Vec<String> = stall.together.iter().map(u32::to_string).collect();
        clauses.push(format!("with processor {} at the same time", cpus.join(", ")));
    }
    let by_thread = evidence.kind == StallKind::Preempted;
    let since = if by_thread { evidence.thread_since } else { evidence.processor_since };
    if stall.witness == "counters" && since > 0 {
        clauses.push(format!("counted over this stall and the {since} before it"));
    }
    clauses.join("; ")
}

/// Returns the owners, or else the counters, in one phrase.
fn described(evidence: &StallEvidence) -> String {
    match (evidence.kind, &evidence.owners) {
        (StallKind::Quota, _) => "the control group's quota was used up".to_owned(),
        (_, Some(owners)) => {
            let parts: Vec<String> =
                owners.iter().take(TOLD).map(|(owner, time)| format!("{} {time}", owner_text(owner))).collect();
            parts.join(", ")
        }
        (StallKind::Preempted, None) => preempted(evidence),
        (_, None) => counted_interrupts(evidence),
    }
}

fn owner_text(owner: &Owner) -> String {
    if matches!(owner, Owner::Sleeper) { "unseen".to_owned() } else { owner.to_string() }
}

fn preempted(evidence: &StallEvidence) -> String {
    let grown = evidence.thread.unwrap_or_default();
    let times = grown.preempted.unwrap_or(0);
    match grown.run_delay.unwrap_or(Nanos::ZERO) {
        Nanos::ZERO => format!("another thread ran (preempted {times} ×)"),
        waited => format!("another thread ran (preempted {times} ×, {waited} on the run queue)"),
    }
}

/// Returns the interrupts and softirqs that were counted.
fn counted_interrupts(evidence: &StallEvidence) -> String {
    let Some(change) = &evidence.processor else { return String::new() };
    let times = |name: String, count: u64| if count == 1 { name } else { format!("{count} × {name}") };
    let interrupts = change.interrupts.iter().flatten().map(|(name, count)| times(interrupt(name), *count));
    let softirqs = change.softirqs.iter().flatten().map(|(name, count)| times(format!("softirq {name}"), *count));
    let all: Vec<String> = interrupts.chain(softirqs).collect();
    match (all.is_empty(), change.interrupts.is_some()) {
        (true, true) => "no counter moved".to_owned(),
        (true, false) => String::new(),
        (false, _) => all.join(", "),
    }
}

/// Returns a counted interrupt's name as a trace writes it: `interrupt 36 virtio1-req.0`, `local timer interrupt`.
pub fn interrupt(name: &str) -> String {
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("interrupt {name}")
    } else {
        format!("{name} interrupt")
    }
}
