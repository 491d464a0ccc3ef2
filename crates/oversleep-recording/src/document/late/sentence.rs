//! The explanation of a late sleep in one sentence.

use super::NamedLateSleep;
use crate::document::breakdown::{Breakdown, Complete, OversleepPart, Owner, PartKind};
use oversleep_sys::units::Nanos;

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

/// What helps a sleeper without a real-time policy that waited for threads without one.
const BEHIND_OTHERS: &str = "a real-time policy does not wait for such threads: the same measurement with -p 1 shows its worth, \
                             `oversleep tune -p 1 -- COMMAND` gives it to a program; nor does a thread with a processor of its own";

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

    /// Returns what would help, where that is known: a real-time policy for a thread that waited for others without one.
    pub fn advice(&self) -> Option<&'static str> {
        let largest = self.largest()?;
        let waited = matches!(largest.kind, PartKind::RunQueue | PartKind::Preempted);
        let others = largest.owners.iter().filter(|(owner, _)| is_not_real_time(owner));
        let by_others: Nanos = others.map(|(_, time)| *time).sum();
        (waited && !self.real_time && by_others.get() > largest.time.get() / 2).then_some(BEHIND_OTHERS)
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
            parts.map(|part| part.time).max().filter(|_| self.real_time)
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
