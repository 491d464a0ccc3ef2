//! Sleeps that were later than allowed, each with its cause.

use super::breakdown::{Breakdown, Complete, OversleepPart, Owner, PartKind};
use super::trace::Culprit;
use crate::LateAccount;
use crate::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// The late sleeps of a run that watched for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateSleeps {
    /// Counts of late sleeps.
    pub account: LateAccount,
    /// Late sleeps that were examined.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Explained<'static>>"))]
    pub sleeps: Vec<NamedLateSleep>,
}

/// One late sleep with its cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedLateSleep {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Number of the sample.
    pub sequence: u64,
    /// Name of the method.
    #[serde(skip)]
    pub method: String,
    /// Requested duration.
    #[serde(skip)]
    pub requested: Nanos,
    /// Processor on which the sleep ended, where known.
    pub cpu: Option<u16>,
    /// End of the sleep, on its cell's clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// End of the sleep in wall-clock time, since 1970, where the recording has that clock's readings.
    #[serde(rename = "wall_ns", skip_serializing_if = "Option::is_none")]
    pub wall: Option<Nanos>,
    /// Lateness.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// Cause, in a phrase that is the same for all sleeps with this cause.
    pub cause: String,
    /// Tier of the evidence for the cause; `none` in JSON where there is no evidence.
    #[serde(serialize_with = "tier_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub witness: Option<Tier>,
    /// Why no better evidence could be had; empty if none better is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// File with the part of the trace around the sleep, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Lateness part by part; `None` without evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
    /// Who used the processor while the sleeper waited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub culprits: Vec<Culprit>,
    /// Real-time priority of the sleeper; 0 for none, as far as is known.
    #[serde(skip)]
    pub priority: i32,
}

impl NamedLateSleep {
    /// Returns the deadline, on the cell's clock.
    pub fn due(&self) -> Nanos {
        self.at.saturating_sub(self.length)
    }

    /// Returns the name of the evidence's tier, or `none`.
    pub fn witness_name(&self) -> &'static str {
        self.witness.map_or("none", Tier::name)
    }
}

/// What follows the name of a thread of the program that measured, in kernel events and everywhere after.
pub const THIS_PROGRAM: &str = ", this program";
/// The beginning of the names of the busy threads that a load consists of.
pub const BUSY_THREAD: &str = "busy-";

/// A late sleep with an explanation in one sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Explained<'a> {
    #[serde(flatten)]
    sleep: &'a NamedLateSleep,
    /// Explanation in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(sleeps: &[NamedLateSleep], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sleeps.iter().map(|sleep| Explained { sleep, explanation: sleep.explanation() }))
}

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // serde's signature
fn tier_or_none<S: Serializer>(tier: &Option<Tier>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(tier.map_or("none", Tier::name))
}

/// Number of parts named; the rest are added up.
const TOLD: usize = 4;
/// In a table of several sleeps, parts of less than this fraction of the lateness are not named either.
const SMALL: i64 = 10;
/// Number of owners named for a part in which none used the processor for more than half of the time.
const OWNERS: usize = 3;

/// Longest time for which only kernel code may keep a real-time thread waiting, and shortest one that only a limit on
/// real-time threads, or a host, explains. Sections that cannot be preempted are usually below the first; some long ones
/// are known between the two.
const KERNEL_CODE: Nanos = Nanos::MILLISECOND;
/// Shortest lateness of an interrupt that is explained.
const HELD: Nanos = Nanos::from_micros(100);
const LIMITED: Nanos = Nanos::from_millis(10);

/// Why a real-time thread waited for one that has no real-time policy, or for nobody, by the time it waited.
const BY_KERNEL_CODE: &str = "a real-time thread waits this long for such a thread while that is in kernel code that cannot be preempted; with \
     preempt=full, or on PREEMPT_RT, there is less of it";
const BY_EITHER: &str = "a real-time thread waits this long for such a thread while that is in kernel code that cannot be preempted, \
                         or when real-time threads have used up their share of the processor";
const BY_LIMIT: &str = "a real-time thread waits this long for such a thread, or for nobody, when real-time threads have used up their \
                        share of the processor (sched_rt_runtime_us; since Linux 6.12 all but 50 ms of each second: \
                        /sys/kernel/debug/sched/fair_server): find the thread that uses it up; on a guest, the host may have had the \
                        processor instead";

/// What holds back the timer's interrupt for as long as no code that is meant to be short does.
const HELD_BACK: &str = "an interrupt this late was held back by the host, by firmware, or by kernel code that had turned interrupts off, \
                         perhaps for the thread named beside it; `oversleep stalls` shows the times that the host or firmware took";

impl LateSleeps {
    /// Returns what would help, where that is known: a real-time priority above those of the threads for which sleepers waited.
    pub fn advice(&self) -> Option<String> {
        let needed = self.sleeps.iter().filter_map(NamedLateSleep::needed_priority).max()?;
        let (what, lower) = match needed {
            1 => ("policy".to_owned(), ""),
            above => (format!("priority of {above}"), ", or a lower priority of theirs"),
        };
        Some(format!(
            "A thread with a real-time {what} does not wait for these: the same measurement with -p {needed} shows what it is worth, \
             `oversleep tune -p {needed} -- COMMAND` gives it to a program. A processor of its own{lower} does as much."
        ))
    }
}

impl NamedLateSleep {
    /// Returns the explanation in one sentence, such as
    /// `812 µs late: 700 µs run queue (hog (12, real time 80)), 50.0 µs timer slack, 12.0 µs in other parts`.
    pub fn explanation(&self) -> String {
        let Some(breakdown) = &self.breakdown else { return format!("{} late", self.length) };
        let note = self.note().map_or_else(String::new, |note| format!("; {note}"));
        sentence(breakdown) + &note
    }

    /// Returns the same without the lateness itself and without the note, for a table that has a column for the one and
    /// says the other once.
    pub fn parts(&self) -> String {
        match &self.breakdown {
            Some(breakdown) if breakdown.parts.iter().any(|part| part.time != Nanos::ZERO) => {
                in_parts(breakdown, SMALL)
            }
            Some(breakdown) => sentence(breakdown),
            None => format!("{} late", self.length),
        }
    }

    fn all_parts(&self) -> impl Iterator<Item = &OversleepPart> {
        self.breakdown.iter().flat_map(|breakdown| &breakdown.parts)
    }

    fn largest(&self) -> Option<&OversleepPart> {
        self.all_parts().max_by_key(|part| part.time)
    }

    /// Explains the parts: who holds an interrupt back, or why a real-time sleeper waited.
    pub fn note(&self) -> Option<&'static str> {
        let largest = self.largest()?;
        let held_back = largest.kind == PartKind::IrqLate && largest.time >= HELD;
        if held_back { Some(HELD_BACK) } else { self.why_lower_first() }
    }

    /// Returns the real-time priority with which the sleeper would not have waited, if that is more than it had.
    fn needed_priority(&self) -> Option<i32> {
        self.breakdown.as_ref()?.needed_priority().filter(|needed| *needed > self.priority)
    }

    /// Says why a real-time sleeper waited for a thread that has no real-time policy, or while its processor was idle;
    /// `None` if it did not.
    ///
    /// Linux lets it wait in these cases: `kernel/sched/core.c` (preemption is disabled, or there is none inside the
    /// kernel), `kernel/sched/rt.c` (`sched_rt_runtime_us`, until 6.12) and `kernel/sched/deadline.c` (`fair_server`,
    /// since 6.12).
    fn why_lower_first(&self) -> Option<&'static str> {
        let waits = |kind| matches!(kind, PartKind::RunQueue | PartKind::NotYetRun | PartKind::Preempted);
        let longest = |is_wanted: &dyn Fn(&Owner) -> bool| {
            let parts = self.all_parts().filter(|part| waits(part.kind) && part.mostly().is_some_and(is_wanted));
            parts.map(|part| part.time).max().filter(|_| self.priority > 0)
        };
        let lower = longest(&is_not_real_time);
        // An idle processor is left within microseconds; that is a cost of every wake-up, and no wait.
        let nobody = longest(&|owner| matches!(owner, Owner::Idle(_))).filter(|time| *time >= KERNEL_CODE);
        match (lower, nobody) {
            (None, None) => None,
            (_, Some(_)) => Some(BY_LIMIT),
            (Some(time), None) if time >= LIMITED => Some(BY_LIMIT),
            (Some(time), None) if time >= KERNEL_CODE => Some(BY_EITHER),
            (Some(_), None) => Some(BY_KERNEL_CODE),
        }
    }
}

/// Returns whether it is a thread without a real-time policy, by the kernel's priority.
fn is_not_real_time(owner: &Owner) -> bool {
    matches!(owner, Owner::Task { prio, .. } if *prio >= 100)
}

fn sentence(breakdown: &Breakdown) -> String {
    let late = format!("{} late", breakdown.oversleep());
    match in_parts(breakdown, i64::MAX) {
        parts if parts.is_empty() => late,
        parts if breakdown.parts.iter().all(|part| part.time == Nanos::ZERO) => format!("{late}{parts}"),
        parts => format!("{late}: {parts}"),
    }
}

/// Describes the largest parts, of at least one in `small` of the lateness, and says why the list may be incomplete.
fn in_parts(breakdown: &Breakdown, small: i64) -> String {
    let mut parts: Vec<&OversleepPart> = breakdown.parts.iter().filter(|part| part.time != Nanos::ZERO).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.time));
    let is_small = |part: &&OversleepPart| part.time.get() < breakdown.oversleep().get().abs() / small;
    let count = parts.iter().skip(1).position(is_small).map_or(TOLD, |index| TOLD.min(index + 1));
    let mut texts: Vec<String> = parts.iter().take(count).map(|part| part_text(part)).collect();
    let rest: Nanos = parts.iter().skip(count).map(|part| part.time).sum();
    if rest != Nanos::ZERO {
        texts.push(format!("{rest} in other parts"));
    }
    let mut sentence = texts.join(", ");
    if let Complete::Partial(why) = &breakdown.complete {
        sentence += &format!(" (partial: {why})");
    }
    sentence
}

fn part_text(part: &OversleepPart) -> String {
    let text = format!("{} {}", part.time, part.kind.name());
    match part.mostly() {
        Some(owner) => format!("{text} ({owner})"),
        None if part.owners.is_empty() => text,
        None => {
            let mut owners: Vec<_> = part.owners.iter().collect();
            owners.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
            let list: Vec<String> = owners.iter().take(OWNERS).map(|(owner, time)| format!("{owner} {time}")).collect();
            let rest = owners.len().saturating_sub(OWNERS);
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("{text} ({}{rest})", list.join(", "))
        }
    }
}
