//! Reconstructs which thread or interrupt had each processor at each time.

use super::Owner;
use oversleep_recording::trace::Interrupt;
use oversleep_recording::trace::{Direction, Event, EventKind, OwnSwitch, Task};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};

/// The owners of all processors over the time of a trace.
#[derive(Debug, Default)]
pub struct Timeline {
    cpus: BTreeMap<u16, Cpu>,
    /// Every thread that a switch names.
    tasks: HashMap<i32, Task>,
    breaks: u64,
}

/// One processor: its present state, and its owners so far.
#[derive(Debug, Default)]
struct Cpu {
    /// Each owner, with the time from which it had the processor.
    changes: Vec<(Nanos, Owner)>,
    /// Time of the last event or switch record.
    seen: Nanos,
    /// The thread that runs; without a name if no switch names it.
    task: Option<Task>,
    idle: Option<u32>,
    interrupts: Vec<Interrupt>,
}

impl Timeline {
    /// Builds the timeline from events in order of time, and the sleeper's own switches, which the events may lack.
    pub fn build(events: &[Event], own: &[OwnSwitch], sleeper: i32) -> Self {
        let mut timeline = Self { tasks: named(events), ..Self::default() };
        let mut own = own.iter().peekable();
        for event in events {
            while let Some(switch) = own.next_if(|switch| switch.at <= event.at) {
                timeline.own(switch, sleeper);
            }
            timeline.event(event, sleeper);
        }
        own.for_each(|switch| timeline.own(switch, sleeper));
        timeline
    }

    /// Returns how often an event came from another thread than the one that ran last: a switch between them was not seen.
    pub fn breaks(&self) -> u64 {
        self.breaks
    }

    /// Returns who had the processor between two times, the longest first. The times sum to `until − from` exactly.
    pub fn cut(&self, cpu: u16, from: Nanos, until: Nanos) -> Vec<(Owner, Nanos)> {
        let mut sums: BTreeMap<Owner, Nanos> = BTreeMap::new();
        let changes = self.cpus.get(&cpu).map_or(&[][..], |cpu| &cpu.changes);
        let mut at = changes.partition_point(|change| change.0 <= from);
        let (mut time, mut owner) = (from, at.checked_sub(1).map_or(&Owner::Unknown, |before| &changes[before].1));
        while time < until {
            let next = changes.get(at).map_or(until, |change| change.0.min(until));
            *sums.entry(owner.clone()).or_default() += next.saturating_sub(time);
            time = next;
            if let Some(change) = changes.get(at) {
                owner = &change.1;
            }
            at += 1;
        }
        let mut cut: Vec<_> = sums.into_iter().filter(|(_, time)| *time > Nanos::ZERO).collect();
        cut.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        cut
    }

    fn event(&mut self, event: &Event, sleeper: i32) {
        let cpu = self.cpus.entry(event.cpu).or_default();
        self.breaks += u64::from(cpu.meet(event, &self.tasks, sleeper));
        match &event.kind {
            EventKind::Switch { next, .. } => {
                cpu.task = Some(next.clone());
                cpu.interrupts.clear();
            }
            EventKind::TimerInterrupt => cpu.interrupts.push(Interrupt::Timer),
            EventKind::InterruptEntry { what } => cpu.interrupts.push(what.clone()),
            EventKind::InterruptExit { what } => cpu.leave(what),
            EventKind::Idle { state } => cpu.idle = *state,
            _ => return,
        }
        cpu.change(event.at, sleeper);
    }

    /// Applies the sleeper's own switch record where the events lack it. The kernel writes it just after the event.
    fn own(&mut self, switch: &OwnSwitch, sleeper: i32) {
        let cpu = self.cpus.entry(switch.cpu).or_default();
        let running = cpu.task.as_ref().is_some_and(|task| task.tid == sleeper);
        match switch.to {
            Direction::In if !running => {
                cpu.task = Some(Task { tid: sleeper, comm: String::new(), prio: 120 });
                cpu.interrupts.clear();
            }
            Direction::OutWaiting | Direction::OutPreempted if running => cpu.task = None,
            _ => return,
        }
        cpu.seen = switch.at;
        cpu.change(switch.at, sleeper);
    }
}

impl Cpu {
    fn change(&mut self, at: Nanos, sleeper: i32) {
        let owner = self.owner(sleeper);
        self.changes.push((at, owner));
    }

    /// Returns the innermost interrupt, or else the thread.
    fn owner(&self, sleeper: i32) -> Owner {
        match (self.interrupts.last(), &self.task) {
            (Some(Interrupt::Timer), _) => Owner::Timer,
            (Some(Interrupt::Device { irq, name }), _) => Owner::Irq { irq: *irq, name: name.clone() },
            (Some(Interrupt::Softirq(vector)), _) => Owner::Softirq(*vector),
            (Some(Interrupt::Vector(name)), _) => Owner::Vector(name.to_string()),
            (None, None) => Owner::Unknown,
            (None, Some(task)) if task.tid == 0 => Owner::Idle(self.idle),
            (None, Some(task)) if task.tid == sleeper => Owner::Sleeper,
            // No switch names it: it had the processor, and is not known.
            (None, Some(task)) if task.comm.is_empty() => Owner::Unknown,
            (None, Some(task)) => owner_of(task),
        }
    }

    /// Leaves an interrupt, and with it any inner one whose end was not seen.
    fn leave(&mut self, what: &Interrupt) {
        let same = |seen: &Interrupt| match (seen, what) {
            (Interrupt::Device { irq: a, .. }, Interrupt::Device { irq: b, .. }) => a == b,
            (a, b) => a == b,
        };
        if let Some(at) = self.interrupts.iter().rposition(same) {
            self.interrupts.truncate(at);
        }
    }

    /// Takes the running thread from an event. Returns whether it is another than the one that ran last: a switch between
    /// them was not seen, and only the time since the last event is in doubt.
    fn meet(&mut self, event: &Event, tasks: &HashMap<i32, Task>, sleeper: i32) -> bool {
        let unseen = self.task.as_ref().is_none_or(|task| task.tid != event.thread);
        let known = self.task.is_some();
        if unseen {
            let nameless = || Task { tid: event.thread, comm: String::new(), prio: 120 };
            let now = tasks.get(&event.thread).cloned().unwrap_or_else(nameless);
            let owner = between(self.task.as_ref(), &now, sleeper);
            self.interrupts.clear();
            self.task = Some(now);
            if known || !self.changes.is_empty() {
                self.changes.push((self.seen, owner));
            }
            self.change(event.at, sleeper);
        }
        self.seen = event.at;
        unseen && known
    }
}

/// Returns who had the processor between two events, `before` and `now` being the threads that ran at them. An idle
/// processor keeps nobody waiting, so that of a thread and the idle loop it was the thread; between two threads it may have
/// been either, or a third that was not seen at all.
fn between(before: Option<&Task>, now: &Task, sleeper: i32) -> Owner {
    let thread = |task: &&Task| task.tid != 0;
    let mut threads = before.into_iter().chain([now]).filter(thread);
    match (threads.next(), threads.next()) {
        (Some(task), None) if task.tid != sleeper => owner_of(task),
        (None, _) => Owner::Unknown,
        _ => Owner::Hidden,
    }
}

/// Returns a thread as an owner: hidden if no switch names it.
fn owner_of(task: &Task) -> Owner {
    if task.comm.is_empty() {
        return Owner::Hidden;
    }
    Owner::Task { tid: task.tid, comm: task.comm.clone(), prio: task.prio }
}

/// Returns every thread that a switch names, by its number.
fn named(events: &[Event]) -> HashMap<i32, Task> {
    let mut tasks = HashMap::new();
    for event in events {
        if let EventKind::Switch { prev, next, .. } = &event.kind {
            for task in [prev, next] {
                tasks.entry(task.tid).or_insert_with(|| task.clone());
            }
        }
    }
    tasks
}
