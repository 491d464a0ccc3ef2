//! Who had a processor during a stall, by kernel events.

use crate::attribution::Owner;
use crate::attribution::Timeline;
use oversleep_recording::StallWindow;
use oversleep_recording::trace::{Event, Gap, KernelEvents};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// The kernel events of a window, by processor.
pub(super) struct Events<'a> {
    cpus: BTreeMap<u16, Vec<Event>>,
    gaps: &'a [Gap],
}

impl<'a> Events<'a> {
    pub(super) fn new(batch: &'a KernelEvents) -> Self {
        let mut cpus: BTreeMap<u16, Vec<Event>> = BTreeMap::new();
        for event in &batch.events {
            cpus.entry(event.cpu).or_default().push(event.clone());
        }
        Self { cpus, gaps: &batch.gaps }
    }

    /// Returns who had the processor between two times, the longest first, the watching thread as [`Owner::Sleeper`];
    /// `None` where events of that time were lost.
    pub(super) fn owners(&self, cpu: u16, watcher: i32, from: Nanos, until: Nanos) -> Option<Vec<(Owner, Nanos)>> {
        let lost = |gap: &Gap| gap.cpu == cpu && gap.from <= until && from <= gap.until;
        if self.gaps.iter().any(lost) {
            return None;
        }
        let timeline = Timeline::build(self.around(cpu, from, until), &[], -1);
        let mut owners: Vec<(Owner, Nanos)> = Vec::new();
        for (owner, time) in timeline.cut(cpu, from, until) {
            let owner = own(owner, watcher);
            match owners.iter_mut().find(|(known, _)| *known == owner) {
                Some((_, sum)) => *sum += time,
                None => owners.push((owner, time)),
            }
        }
        owners.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        Some(owners)
    }

    /// Returns the events of one stall with a margin. Earlier events are left out: those between stalls are not kept,
    /// so an interrupt whose end lies there would seem to last until the next stall.
    fn around(&self, cpu: u16, from: Nanos, until: Nanos) -> &[Event] {
        let events = self.cpus.get(&cpu).map_or(&[][..], Vec::as_slice);
        let first = from.saturating_sub(StallWindow::MARGIN);
        let last = until.saturating_add(StallWindow::MARGIN);
        let begin = events.partition_point(|event| event.at < first);
        let end = events.partition_point(|event| event.at <= last);
        &events[begin..end.max(begin)]
    }
}

/// Returns [`Owner::Sleeper`] for the watching thread, other owners unchanged.
pub(super) fn own(owner: Owner, watcher: i32) -> Owner {
    match owner {
        // Before the first switch it is only known that the watching thread, bound to this processor, was running.
        Owner::Unknown => Owner::Sleeper,
        Owner::Task { tid, .. } if tid == watcher => Owner::Sleeper,
        other => other,
    }
}
