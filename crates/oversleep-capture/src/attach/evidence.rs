//! The events around the ends of waits, so that recordings stay small.

use super::Wait;
use oversleep_recording::trace::{Event, EventKind, Gap, KernelEvents};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How long before a deadline the events around a wait begin: the interrupt may come a little early.
const BEFORE: Nanos = Nanos::from_micros(20);
/// How long events are kept for waits that are not over.
const KEEP: Nanos = Nanos::from_millis(200);
/// Largest number of events that are kept: about 100 MB.
const MOST: usize = 500_000;

/// The events of the last moments, of all processors.
#[derive(Debug, Default)]
pub(super) struct History {
    events: VecDeque<Event>,
    gaps: Vec<Gap>,
    /// The last switch of each processor that is no longer among the events.
    switches: BTreeMap<u16, Event>,
    dropped: u64,
}

impl History {
    /// Adds an event, later than all others. Calls are left out: nobody asks for them again.
    pub(super) fn push(&mut self, event: Event) {
        if matches!(
            event.kind,
            EventKind::CallEntry { .. } | EventKind::CallExit { .. } | EventKind::TimerCancel { .. }
        ) {
            return;
        }
        self.events.push_back(event);
        if self.events.len() > MOST {
            self.forget_first();
            self.dropped += 1;
        }
    }

    /// Adds gaps in the records.
    pub(super) fn gaps(&mut self, gaps: &[Gap]) {
        self.gaps.extend_from_slice(gaps);
    }

    /// Forgets events that no wait needs any more, the first of those under way being due at `overdue`.
    pub(super) fn trim(&mut self, now: Nanos, overdue: Option<Nanos>) {
        let recent = now.saturating_sub(KEEP);
        let from = overdue.map_or(recent, |due| recent.min(due.saturating_sub(BEFORE)));
        while self.events.front().is_some_and(|event| event.at < from) {
            self.forget_first();
        }
        self.gaps.retain(|gap| gap.until >= from);
    }

    fn forget_first(&mut self) {
        if let Some(event) = self.events.pop_front()
            && matches!(event.kind, EventKind::Switch { .. })
        {
            self.switches.insert(event.cpu, event);
        }
    }

    /// Returns the events that say why these waits of one thread ended when they did: how each timer was armed and when the
    /// thread left the processor and was stopped, then everything from just before the deadline to the end, and each processor's last
    /// switch before.
    pub(super) fn around(&self, waits: &[&Wait]) -> KernelEvents {
        let mut events: Vec<&Event> = Vec::new();
        for wait in waits {
            events.push(&wait.armed);
            events.extend(wait.left.iter().chain(&wait.stopped));
            // Whoever ran while the thread was stopped did not delay it.
            let due = if wait.stopped.is_empty() { wait.deadline } else { wait.deadline.max(wait.armed.at) };
            let from = due.saturating_sub(BEFORE);
            let first = self.events.partition_point(|event| event.at < from);
            let last = self.events.partition_point(|event| event.at <= wait.end).max(first);
            events.extend(self.events.range(first..last));
            let mut without: BTreeSet<u16> = self.events.range(first..last).map(|event| event.cpu).collect();
            without.insert(wait.cpu_end);
            let before = self.events.range(..first).rev().chain(self.switches.values());
            for event in before.filter(|event| matches!(event.kind, EventKind::Switch { .. })) {
                if without.is_empty() {
                    break;
                }
                if without.remove(&event.cpu) {
                    events.push(event);
                }
            }
        }
        events.sort_by_key(|event| event.at);
        let mut unique: Vec<Event> = Vec::with_capacity(events.len());
        for event in events {
            let same = |known: &&Event| known.at == event.at;
            if !unique.iter().rev().take_while(same).any(|known| known == event) {
                unique.push(event.clone());
            }
        }
        let overlaps = |gap: &&Gap| waits.iter().any(|wait| gap.from <= wait.end && wait.deadline <= gap.until);
        KernelEvents { events: unique, gaps: self.gaps.iter().filter(overlaps).copied().collect() }.without_addresses()
    }
}
