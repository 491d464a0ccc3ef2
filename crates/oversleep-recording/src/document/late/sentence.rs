//! The explanation of a late sleep in one sentence.

use super::NamedLateSleep;
use crate::document::breakdown::{Breakdown, Complete, OversleepPart, Owner, PartKind};
use oversleep_sys::units::Nanos;

/// Number of parts named; the rest are added up.
const TOLD: usize = 4;
/// Number of owners named for a part in which none used the processor for more than half of the time.
const OWNERS: usize = 3;

/// Why a real-time thread waits for one that is not.
const LOWER_FIRST: &str = "; a real-time thread waits for such a thread only while that is in kernel code that cannot be \
                           preempted, or when real-time threads have used up their share (sched_rt_runtime_us)";

impl NamedLateSleep {
    /// Returns the explanation in one sentence, such as
    /// `812 µs late: 700 µs run queue (hog (12, real time 80)), 50.0 µs timer slack, 12.0 µs in other parts`.
    pub fn explanation(&self) -> String {
        match (&self.told, &self.breakdown) {
            (Some(told), _) => told.clone(),
            (None, Some(breakdown)) => sentence(breakdown) + self.why_lower_first(breakdown),
            (None, None) => format!("{} late", self.length),
        }
    }

    /// Returns the same without the lateness itself, for a table that has a column for it.
    pub fn without_lateness(&self) -> String {
        match (&self.told, &self.breakdown) {
            // Older versions kept the sentence, which begins with the lateness.
            (Some(told), _) => told.strip_prefix(&format!("{} late: ", self.length)).unwrap_or(told).to_owned(),
            (None, Some(breakdown)) if breakdown.parts.iter().any(|part| part.time != Nanos::ZERO) => {
                in_parts(breakdown) + self.why_lower_first(breakdown)
            }
            (None, Some(breakdown)) => sentence(breakdown),
            (None, None) => format!("{} late", self.length),
        }
    }

    /// Says why a real-time sleeper waited for a thread that has no real-time policy; empty if it did not.
    ///
    /// Linux lets it wait in these two cases: `kernel/sched/core.c` (preemption is disabled, or there is none inside the
    /// kernel) and `kernel/sched/rt.c` (`sched_rt_runtime_us`), 6.12.
    fn why_lower_first(&self, breakdown: &Breakdown) -> &'static str {
        let waits = |kind| matches!(kind, PartKind::RunQueue | PartKind::NotYetRun | PartKind::Preempted);
        let lower = |part: &&OversleepPart| matches!(part.mostly(), Some(Owner::Task { prio, .. }) if *prio >= 100);
        if self.real_time && breakdown.parts.iter().filter(|part| waits(part.kind)).any(|part| lower(&part)) {
            LOWER_FIRST
        } else {
            ""
        }
    }
}

fn sentence(breakdown: &Breakdown) -> String {
    let late = format!("{} late", breakdown.oversleep());
    match in_parts(breakdown) {
        parts if parts.is_empty() => late,
        parts if breakdown.parts.iter().all(|part| part.time == Nanos::ZERO) => format!("{late}{parts}"),
        parts => format!("{late}: {parts}"),
    }
}

/// Describes the largest parts, and says why the list may be incomplete.
fn in_parts(breakdown: &Breakdown) -> String {
    let mut parts: Vec<&OversleepPart> = breakdown.parts.iter().filter(|part| part.time != Nanos::ZERO).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.time));
    let mut told: Vec<String> = parts.iter().take(TOLD).map(|part| one(part)).collect();
    let rest: Nanos = parts.iter().skip(TOLD).map(|part| part.time).sum();
    if rest != Nanos::ZERO {
        told.push(format!("{rest} in other parts"));
    }
    let mut said = told.join(", ");
    if let Complete::Partial(why) = &breakdown.complete {
        said += &format!(" (partial: {why})");
    }
    said
}

fn one(part: &OversleepPart) -> String {
    let said = format!("{} {}", part.time, part.kind.name());
    match part.mostly() {
        Some(owner) => format!("{said} ({owner})"),
        None if part.owners.is_empty() => said,
        None => {
            let mut owners: Vec<_> = part.owners.iter().collect();
            owners.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
            let told: Vec<String> = owners.iter().take(OWNERS).map(|(owner, time)| format!("{owner} {time}")).collect();
            let rest = owners.len().saturating_sub(OWNERS);
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("{said} ({}{rest})", told.join(", "))
        }
    }
}
