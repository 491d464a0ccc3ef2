//! Names the cause of a stall, from its trace and its counters.

use crate::attribution::{Owner, culprit_name};
use oversleep_recording::Stall;
use oversleep_recording::document::stalls::{StallEvidence, StallKind, interrupt};
use oversleep_sys::units::Nanos;

/// Everything that is known of one stall.
#[derive(Debug, Clone, Default)]
pub struct StallFacts {
    /// Length of the stall.
    pub length: Nanos,
    /// Who had the processor by the trace, the most time first; the times sum to the length. The watching thread is
    /// [`Owner::Sleeper`]. `None` without a trace, or where it lost events.
    pub owners: Option<Vec<(Owner, Nanos)>>,
    /// What the counters showed.
    pub counted: Stall,
    /// Other processors that stalled at the same time.
    pub together: Vec<u32>,
    /// Length of the processor's usual stall, for comparison.
    pub usual: Nanos,
}

/// The cause of a stall, and how it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StallAttribution {
    /// Kind of the cause.
    pub kind: StallKind,
    /// The cause in a phrase that is equal for all of its kind.
    pub cause: String,
    /// Where the cause comes from: `trace`, `counters` or `none`.
    pub witness: &'static str,
}

impl StallAttribution {
    fn new(kind: StallKind, witness: &'static str) -> Self {
        Self { kind, cause: kind.phrase().to_owned(), witness }
    }

    /// Returns the evidence of the verdict, for documents.
    pub fn evidence(&self, evidence: &StallFacts) -> StallEvidence {
        let Stall { thread, thread_since, processor, processor_since, .. } = evidence.counted.clone();
        let owners = evidence.owners.clone();
        StallEvidence { kind: self.kind, owners, thread, thread_since, processor, processor_since }
    }
}

/// A stall at least this many times as long as the usual one is unusual.
const UNUSUAL: i64 = 4;

/// Names the cause of one stall. What a counter proves comes first (quota); then the trace, which knows owners to the
/// nanosecond; then what the counters suggest.
pub fn name(evidence: &StallFacts) -> StallAttribution {
    let smi = evidence.counted.processor.as_ref().and_then(|change| change.smi).unwrap_or(0);
    if throttled(evidence) {
        return StallAttribution::new(StallKind::Quota, "counters");
    }
    match &evidence.owners {
        Some(owners) => by_trace(evidence, owners, smi),
        None => by_counters(evidence, smi),
    }
}

fn by_trace(evidence: &StallFacts, owners: &[(Owner, Nanos)], smi: u64) -> StallAttribution {
    let unseen: Nanos = owners.iter().filter(|(owner, _)| is_unseen(owner)).map(|(_, time)| *time).sum();
    if unseen.get() < evidence.length.get() - unseen.get() {
        return match owners.iter().find(|(owner, _)| !is_unseen(owner)) {
            Some((owner, _)) => {
                StallAttribution { kind: StallKind::Owner, cause: culprit_name(owner), witness: "trace" }
            }
            None => StallAttribution::new(StallKind::Unseen, "trace"),
        };
    }
    let kind = match () {
        () if smi > 0 => StallKind::Smi,
        () if stolen(evidence) > Nanos::ZERO => StallKind::Stolen,
        () if !evidence.together.is_empty() => StallKind::AtOnce,
        () => StallKind::Unseen,
    };
    StallAttribution::new(kind, "trace")
}

fn by_counters(evidence: &StallFacts, smi: u64) -> StallAttribution {
    if preempted(evidence) {
        return StallAttribution::new(StallKind::Preempted, "counters");
    }
    if evidence.counted.processor.is_none() {
        let kind = match () {
            () if at_once(evidence) => StallKind::AtOnce,
            () if evidence.counted.thread.is_some() => StallKind::InterruptsUnread,
            () => StallKind::CountersUnread,
        };
        return StallAttribution::new(kind, "none");
    }
    let kind = match () {
        () if smi > 0 => StallKind::Smi,
        () if stolen(evidence) > Nanos::ZERO => StallKind::Stolen,
        () if at_once(evidence) => StallKind::AtOnce,
        () => match first_interrupt(evidence) {
            Some(cause) => return StallAttribution { kind: StallKind::Interrupt, cause, witness: "counters" },
            None => StallKind::Unseen,
        },
    };
    StallAttribution::new(kind, "counters")
}

/// Returns the time of a stall by cause, under names that are summed over a run.
pub fn shares(evidence: &StallFacts, verdict: &StallAttribution) -> Vec<(String, Nanos)> {
    match &evidence.owners {
        Some(owners) if verdict.witness == "trace" => {
            let own = |owner: &Owner| if is_unseen(owner) { of_unseen(verdict) } else { culprit_name(owner) };
            owners.iter().map(|(owner, time)| (own(owner), *time)).collect()
        }
        _ => vec![(verdict.cause.clone(), evidence.length)],
    }
}

/// Names the time without an owner: in a stall that the kernel mostly explains, it is the way into the kernel and out.
fn of_unseen(verdict: &StallAttribution) -> String {
    if verdict.kind.is_beyond_the_kernel() {
        return verdict.cause.clone();
    }
    "before and after: entry, exit, cold caches".to_owned()
}

fn is_unseen(owner: &Owner) -> bool {
    matches!(owner, Owner::Sleeper)
}

fn throttled(evidence: &StallFacts) -> bool {
    let time = evidence.counted.thread.and_then(|grown| grown.throttled);
    time.is_some_and(|time| time.get() >= evidence.length.get() / 2)
}

fn stolen(evidence: &StallFacts) -> Nanos {
    evidence.counted.processor.as_ref().and_then(|change| change.stolen).unwrap_or(Nanos::ZERO)
}

/// Returns whether an unusually long stall hit other processors too. Usual ones do not count, as ticks coincide.
fn at_once(evidence: &StallFacts) -> bool {
    !evidence.together.is_empty() && evidence.length.get() >= evidence.usual.get().saturating_mul(UNUSUAL)
}

fn preempted(evidence: &StallFacts) -> bool {
    evidence.counted.thread.and_then(|grown| grown.preempted).is_some_and(|times| times > 0)
}

/// Names the interrupt that caused a stall: a device's if there is one, since the processor's own come all the time.
fn first_interrupt(evidence: &StallFacts) -> Option<String> {
    let rows = evidence.counted.processor.as_ref()?.interrupts.as_ref()?;
    let device = rows.iter().find(|(name, _)| name.starts_with(|letter: char| letter.is_ascii_digit()));
    device.or_else(|| rows.first()).map(|(name, _)| interrupt(name))
}
