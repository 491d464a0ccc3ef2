//! The explanation of a stall in one sentence.

use super::{NamedStall, StallEvidence, StallKind};
use crate::document::breakdown::Owner;
use oversleep_sys::units::Nanos;

/// Number of owners named; the rest are in the JSON.
const TOLD: usize = 3;

impl NamedStall {
    /// Returns the explanation in one sentence, such as `hog (7, nice 0) 98.0 µs, unseen 2.00 µs`: what was observed,
    /// which other counters increased, and what limits the conclusion.
    pub fn explanation(&self) -> String {
        self.evidence.as_ref().map_or_else(|| self.cause.clone(), |evidence| sentence(self, evidence))
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
