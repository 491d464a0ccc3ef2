//! What a stall is put down to, from what the trace and the counters say of it.

use crate::analysis::attribution::{Owner, culprit_name};
use oversleep_recording::Stall;
use oversleep_sys::units::Nanos;

/// Everything that is known of one stall.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// How long it was.
    pub length: Nanos,
    /// Who had the processor by the trace, the most first; together the length. The watching thread itself stands as
    /// [`Owner::Sleeper`]. `None` without a trace, or where it lost events.
    pub owners: Option<Vec<(Owner, Nanos)>>,
    /// What counters said.
    pub counted: Stall,
    /// Processors that stalled at the same time.
    pub together: Vec<u32>,
    /// The processor's usual stall, to tell one by its length.
    pub usual: Nanos,
}

/// What is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// A phrase that is the same for all of its kind.
    pub cause: String,
    /// A sentence about this one.
    pub explanation: String,
    /// `trace`, `counters` or `none`.
    pub witness: &'static str,
}

/// Time that no kernel event accounts for: the watching thread seemed to run.
pub const UNSEEN: &str = "outside the kernel's sight: host, SMI or hardware";
/// The same, on several processors at once.
pub const AT_ONCE: &str = "several processors at once: host or SMI";
const STOLEN: &str = "stolen by the host";
const SMI: &str = "system-management interrupt";
const QUOTA: &str = "control group's quota";
const PREEMPTED: &str = "another thread ran";
const UNREAD: &str = "counters not read, for that had cost its twentieth of the time";
const NOT_PREEMPTED: &str = "no other thread; interrupts not read, for that had cost its twentieth of the time";

/// A stall this many times as long as the usual one is not one of the usual ones.
const UNUSUAL: i64 = 4;

/// Judges one stall. What a counter proves comes first (quota, SMI); then the trace, which names owners to the
/// nanosecond; then what the counters suggest.
pub fn name(evidence: &Evidence) -> Verdict {
    let smi = evidence.counted.processor.as_ref().and_then(|change| change.smi).unwrap_or(0);
    if throttled(evidence) {
        return verdict(QUOTA, "counters", evidence, "the control group's quota was used up");
    }
    match &evidence.owners {
        Some(owners) => by_trace(evidence, owners, smi),
        None => by_counters(evidence, smi),
    }
}

fn by_trace(evidence: &Evidence, owners: &[(Owner, Nanos)], smi: u64) -> Verdict {
    let unseen: Nanos = owners.iter().filter(|(owner, _)| is_unseen(owner)).map(|(_, time)| *time).sum();
    let parts: Vec<String> = owners.iter().take(3).map(|(owner, time)| format!("{} {time}", shown(owner))).collect();
    let told = parts.join(", ");
    if unseen.get() < evidence.length.get() - unseen.get() {
        let first = owners.iter().find(|(owner, _)| !is_unseen(owner));
        let cause = first.map_or_else(|| UNSEEN.to_owned(), |(owner, _)| took(owner));
        return verdict(&cause, "trace", evidence, &told);
    }
    let cause = match () {
        () if smi > 0 => SMI,
        () if stolen(evidence) > Nanos::ZERO => STOLEN,
        () if !evidence.together.is_empty() => AT_ONCE,
        () => UNSEEN,
    };
    verdict(cause, "trace", evidence, &told)
}

fn by_counters(evidence: &Evidence, smi: u64) -> Verdict {
    if let Some(told) = preempted(evidence) {
        return verdict(PREEMPTED, "counters", evidence, &told);
    }
    if evidence.counted.processor.is_none() {
        let unread = if evidence.counted.thread.is_some() { NOT_PREEMPTED } else { UNREAD };
        return verdict(if at_once(evidence) { AT_ONCE } else { unread }, "none", evidence, "");
    }
    let told = counted(evidence);
    let cause = match () {
        () if smi > 0 => SMI.to_owned(),
        () if stolen(evidence) > Nanos::ZERO => STOLEN.to_owned(),
        () if at_once(evidence) => AT_ONCE.to_owned(),
        () => match interrupts(evidence) {
            Some(first) => first,
            None => UNSEEN.to_owned(),
        },
    };
    verdict(&cause, "counters", evidence, &told)
}

/// The sentence: what was told, what else moved, what must be kept in mind.
fn verdict(cause: &str, witness: &'static str, evidence: &Evidence, told: &str) -> Verdict {
    let mut said: Vec<String> = Vec::new();
    if !told.is_empty() {
        said.push(told.to_owned());
    }
    if said.is_empty() || [UNSEEN, AT_ONCE, SMI, STOLEN].contains(&cause) {
        said.insert(0, cause.to_owned());
    }
    let change = evidence.counted.processor.as_ref();
    let stolen = stolen(evidence);
    if stolen > Nanos::ZERO {
        said.push(format!("{stolen} stolen by the host"));
    }
    if let Some(count) = change.and_then(|change| change.smi).filter(|count| *count > 0) {
        said.push(format!("{count} SMI counted"));
    }
    if let Some(count) = change.and_then(|change| change.heat).filter(|count| *count > 0) {
        said.push(format!("the processor was throttled {count} times for heat"));
    }
    if !evidence.together.is_empty() {
        let cpus: Vec<String> = evidence.together.iter().map(u32::to_string).collect();
        said.push(format!("with processor {} at the same time", cpus.join(", ")));
    }
    let Stall { thread_since, processor_since, .. } = evidence.counted;
    let since = if cause == PREEMPTED { thread_since } else { processor_since };
    if witness == "counters" && since > 0 {
        said.push(format!("counted over this stall and the {since} before it"));
    }
    Verdict { cause: cause.to_owned(), explanation: said.join("; "), witness }
}

/// Who took time of a stall, under the names that add up over a run.
pub fn shares(evidence: &Evidence, verdict: &Verdict) -> Vec<(String, Nanos)> {
    match &evidence.owners {
        Some(owners) if verdict.witness == "trace" => {
            let own = |owner: &Owner| if is_unseen(owner) { of_unseen(verdict) } else { took(owner) };
            owners.iter().map(|(owner, time)| (own(owner), *time)).collect()
        }
        _ => vec![(verdict.cause.clone(), evidence.length)],
    }
}

/// What is unseen in a stall that the kernel mostly explains is its own way in and out.
fn of_unseen(verdict: &Verdict) -> String {
    match verdict.cause.as_str() {
        cause @ (UNSEEN | AT_ONCE | STOLEN | SMI) => cause.to_owned(),
        _ => "before and after: entry, exit, cold caches".to_owned(),
    }
}

fn is_unseen(owner: &Owner) -> bool {
    matches!(owner, Owner::Sleeper)
}

fn shown(owner: &Owner) -> String {
    if is_unseen(owner) { "unseen".to_owned() } else { owner.to_string() }
}

fn took(owner: &Owner) -> String {
    culprit_name(owner)
}

fn throttled(evidence: &Evidence) -> bool {
    let time = evidence.counted.thread.and_then(|grown| grown.throttled);
    time.is_some_and(|time| time.get() >= evidence.length.get() / 2)
}

fn stolen(evidence: &Evidence) -> Nanos {
    evidence.counted.processor.as_ref().and_then(|change| change.stolen).unwrap_or(Nanos::ZERO)
}

/// Two processors' ticks coincide as well, so only an unusual length counts.
fn at_once(evidence: &Evidence) -> bool {
    !evidence.together.is_empty() && evidence.length.get() >= evidence.usual.get().saturating_mul(UNUSUAL)
}

fn preempted(evidence: &Evidence) -> Option<String> {
    let grown = evidence.counted.thread?;
    let times = grown.preempted?;
    let waited = grown.run_delay.unwrap_or(Nanos::ZERO);
    (times > 0).then(|| match waited {
        Nanos::ZERO => format!("another thread ran (preempted {times} ×)"),
        waited => format!("another thread ran (preempted {times} ×, {waited} on the run queue)"),
    })
}

/// Interrupts and softirqs that were counted, in one phrase.
fn counted(evidence: &Evidence) -> String {
    let Some(change) = &evidence.counted.processor else { return String::new() };
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

/// The interrupt that a stall is put down to: a device's before the processor's own, for those come all the time.
fn interrupts(evidence: &Evidence) -> Option<String> {
    let rows = evidence.counted.processor.as_ref()?.interrupts.as_ref()?;
    let device = rows.iter().find(|(name, _)| name.starts_with(|letter: char| letter.is_ascii_digit()));
    device.or_else(|| rows.first()).map(|(name, _)| interrupt(name))
}

/// As the trace names them: `interrupt 36 virtio1-req.0`, `local timer interrupt`.
fn interrupt(name: &str) -> String {
    if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("interrupt {name}")
    } else {
        format!("{name} interrupt")
    }
}
