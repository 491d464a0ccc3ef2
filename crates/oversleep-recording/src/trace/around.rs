//! The part of a trace that matters to some sleeps, so that recordings stay small.

use super::{Event, EventKind, Gap, KernelEvents, OwnSwitches};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet};

impl KernelEvents {
    /// Returns the events from `from` to `until`, and those needed to tell who used each processor in that time: the
    /// events since its last switch before, its first event after, and its first switch after. Timers are numbered instead of identified by
    /// their addresses. The events must be in order of time.
    #[must_use]
    pub fn around(&self, from: Nanos, until: Nanos) -> Self {
        let events = &self.events;
        let first = events.partition_point(|event| event.at < from);
        let last = events.partition_point(|event| event.at <= until).max(first);
        let mut selected = before(&events[..first]);
        selected.extend_from_slice(&events[first..last]);
        selected.extend(after(&events[last..]));
        let overlaps = |gap: &&Gap| gap.from <= until && from <= gap.until;
        Self { events: selected, gaps: self.gaps.iter().filter(overlaps).copied().collect() }.without_addresses()
    }
}

impl OwnSwitches {
    /// Returns the switches that belong to these events: they tell where events hide a thread's switch.
    #[must_use]
    pub fn around(&self, kept: &KernelEvents, from: Nanos, until: Nanos) -> Self {
        // A processor's state is known from its last switch before `from` to its next one after `until`.
        let mut reach: BTreeMap<u16, (Nanos, Nanos)> = BTreeMap::new();
        for event in kept.events.iter().filter(|event| matches!(event.kind, EventKind::Switch { .. })) {
            let (begin, end) = reach.entry(event.cpu).or_insert((Nanos::MIN, Nanos::MAX));
            if event.at < from {
                *begin = event.at;
            } else if event.at > until {
                *end = event.at;
            }
        }
        let whole = if kept.events.is_empty() { (from, until) } else { (Nanos::MIN, Nanos::MAX) };
        let is_near = |cpu: u16, at: Nanos| {
            let (begin, end) = reach.get(&cpu).copied().unwrap_or(whole);
            (begin..=end).contains(&at)
        };
        let switches = self.switches.iter().filter(|switch| is_near(switch.cpu, switch.at)).copied().collect();
        Self { switches, lost: self.lost }
    }
}

/// Returns the events that determine each processor's state: those since its last switch, and its idle state by then.
fn before(events: &[Event]) -> Vec<Event> {
    let is_switch = |event: &Event| matches!(event.kind, EventKind::Switch { .. });
    let mut begins: BTreeMap<u16, usize> = BTreeMap::new();
    let mut idle: BTreeMap<u16, usize> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        if is_switch(event) {
            begins.insert(event.cpu, index);
        }
    }
    for (index, event) in events.iter().enumerate() {
        let led_there = begins.get(&event.cpu).is_some_and(|begin| index < *begin);
        if led_there && matches!(event.kind, EventKind::Idle { .. }) {
            idle.insert(event.cpu, index);
        }
    }
    let states: BTreeSet<usize> = idle.into_values().collect();
    let selected = events
        .iter()
        .enumerate()
        .filter(|(index, event)| begins.get(&event.cpu).is_none_or(|begin| index >= begin) || states.contains(index));
    selected.map(|(_, event)| event.clone()).collect()
}

/// Returns each processor's next event and its next switch: where either is of another thread than the one that ran last, a
/// switch in between was not seen.
fn after(events: &[Event]) -> Vec<Event> {
    let (mut met, mut switched) = (BTreeSet::new(), BTreeSet::new());
    let next = events.iter().filter(|event| {
        let is_next = met.insert(event.cpu);
        let is_next_switch = matches!(event.kind, EventKind::Switch { .. }) && switched.insert(event.cpu);
        is_next || is_next_switch
    });
    next.cloned().collect()
}
