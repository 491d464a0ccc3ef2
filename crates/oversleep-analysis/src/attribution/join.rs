//! Tier one: finds each sleep's marks in kernel events.

use super::{Breakdown, BreakdownBuilder, Complete, Owner, PartEvidence, PartKind};
use super::{TimedSleep, Timeline};
use oversleep_recording::trace::Interrupt;
use oversleep_recording::trace::{Direction, Event, EventKind, KernelEvents, OwnSwitch};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Bits of the states in which a thread is stopped (`__TASK_STOPPED`) or traced (`__TASK_TRACED`).
const STOPPED: i64 = 4 | 8;
/// Bits of the states in which a thread waits by its own will; a higher bit only marks a preempted thread.
const WAITING: i64 = 1 | 2;

/// Splits the sleeps of thread `sleeper` by the events around them; also returns how often switches did not join up.
pub fn join(batch: &KernelEvents, own: &[OwnSwitch], sleeper: i32, sleeps: &[TimedSleep]) -> (Vec<Breakdown>, u64) {
    let timeline = Timeline::build(&batch.events, own, sleeper);
    let joined = sleeps.iter().map(|slept| Joiner::new(batch, own, sleeper, &timeline, slept).breakdown());
    (joined.collect(), timeline.breaks())
}

struct Joiner<'a> {
    slept: &'a TimedSleep,
    sleeper: i32,
    timeline: &'a Timeline,
    /// The events between the sleep's two clock readings.
    events: &'a [Event],
    /// The events before.
    before: &'a [Event],
    moves: Vec<Move>,
    lost: Option<String>,
}

/// A switch of the sleeper onto a processor or off it.
#[derive(Debug, Clone, Copy)]
struct Move {
    at: Nanos,
    cpu: u16,
    /// Its state when switched off; `None` when switched on.
    off: Option<i64>,
    evidence: PartEvidence,
}

/// The timer of a sleep: when it was armed, and the range of its expiry.
struct Timer {
    armed: Nanos,
    cpu: u16,
    soft: Nanos,
    hard: Nanos,
    id: i64,
}

impl<'a> Joiner<'a> {
    fn new(
        batch: &'a KernelEvents,
        own: &[OwnSwitch],
        sleeper: i32,
        timeline: &'a Timeline,
        slept: &'a TimedSleep,
    ) -> Self {
        let from = batch.events.partition_point(|event| event.at < slept.start);
        let until = batch.events.partition_point(|event| event.at <= slept.end);
        let (before, events) = (&batch.events[..from], &batch.events[from..until.max(from)]);
        let gap = batch.gaps.iter().find(|gap| gap.from <= slept.end && slept.start <= gap.until);
        let lost = gap.map(|gap| format!("events were lost on processor {}", gap.cpu));
        Self { slept, sleeper, timeline, events, before, moves: moves(events, own, sleeper, slept), lost }
    }

    fn breakdown(&self) -> Breakdown {
        let mut chain = BreakdownBuilder::new(self.slept.sequence, self.slept.due(), self.slept.end);
        if let Some(lost) = &self.lost {
            chain.trouble(lost.clone());
        }
        if let Err(why) = self.marks(&mut chain) {
            // The rest is kept as a part, so that the sum holds.
            chain.trouble(why.to_owned());
            chain.mark(PartKind::Rest, self.slept.end, None, PartEvidence::Inferred);
        }
        let mut breakdown = chain.finish();
        if breakdown.complete == Complete::Complete {
            self.blame_quota(&mut breakdown);
        }
        breakdown
    }

    fn marks(&self, chain: &mut BreakdownBuilder) -> Result<(), &'static str> {
        if self.slept.end < self.slept.due() {
            return Err("woke early");
        }
        let timer = self.timer().ok_or("the start of its timer was not seen")?;
        self.until_armed(chain, &timer);
        let expiry = self.until_expiry(chain, &timer)?;
        let wake = self.woken(expiry).ok_or("its wake-up was not seen")?;
        chain.mark(PartKind::Wake, wake.at, Some(wake.cpu), PartEvidence::Tracepoint);
        self.until_running(chain, timer.armed, wake)?;
        self.until_end(chain)
    }

    /// Returns the timer that the sleep itself armed: its expiry less the request is a clock reading between the
    /// sleep's first reading and the arming; for a request until a deadline, it is as much later than the deadline as
    /// that reading was later than the program's. The last such timer counts, because a stopped sleep arms its timer again.
    /// A timer that is waited for in another call than the one that armed it was armed before, with the very deadline.
    fn timer(&self) -> Option<Timer> {
        let slept = self.slept;
        let own = self.events.iter().rev().find_map(|event| match event.kind {
            EventKind::TimerStart { timer, soft, hard } if event.thread == self.sleeper => {
                let fits = match (slept.deadline, slept.relative_unit) {
                    (Some(deadline), None) => soft == deadline,
                    (Some(deadline), Some(unit)) => {
                        let latest = event.at.saturating_sub(slept.start).saturating_add(unit);
                        (Nanos::ZERO..=latest).contains(&soft.saturating_sub(deadline))
                    }
                    (None, _) => (slept.start..=event.at).contains(&soft.saturating_sub(slept.requested)),
                };
                fits.then_some(Timer { armed: event.at, cpu: event.cpu, soft, hard, id: timer })
            }
            _ => None,
        });
        own.or_else(|| {
            let deadline = slept.deadline.filter(|_| slept.relative_unit.is_none())?;
            self.before.iter().rev().find_map(|event| match event.kind {
                EventKind::TimerStart { timer, soft, hard } if soft == deadline => {
                    Some(Timer { armed: event.at, cpu: event.cpu, soft, hard, id: timer })
                }
                _ => None,
            })
        })
    }

    fn until_armed(&self, chain: &mut BreakdownBuilder, timer: &Timer) {
        let entry = timer.soft.saturating_sub(chain.last());
        // What delayed the kernel's clock reading happened after the sleep's first reading. The part itself lies one
        // request later, after the deadline.
        let owners = self.timeline.cut(timer.cpu, self.slept.start, self.slept.start.saturating_add(entry));
        *chain.mark(PartKind::Entry, timer.soft, Some(timer.cpu), PartEvidence::Tracepoint) = others(owners);
        if timer.armed <= timer.soft {
            return;
        }
        for (from, until) in self.stops() {
            if from < timer.armed && until > chain.last() {
                self.owned(chain, PartKind::ArmedLate, from.max(chain.last()), timer.cpu);
                chain.mark(PartKind::Stopped, until.min(timer.armed), None, PartEvidence::Tracepoint);
            }
        }
        self.owned(chain, PartKind::ArmedLate, timer.armed, timer.cpu);
    }

    /// Returns the times during which the sleeper was stopped.
    fn stops(&self) -> Vec<(Nanos, Nanos)> {
        let pairs =
            self.moves.iter().enumerate().filter(|(_, gone)| gone.off.is_some_and(|state| state & STOPPED != 0));
        let back = |at: usize| self.moves[at..].iter().find(|back| back.off.is_none());
        pairs.map(|(at, gone)| (gone.at, back(at).map_or(self.slept.end, |back| back.at))).collect()
    }

    fn until_expiry(&self, chain: &mut BreakdownBuilder, timer: &Timer) -> Result<&Event, &'static str> {
        let is_ours = |event: &&Event| matches!(event.kind, EventKind::TimerExpire { timer: id, .. } if id == timer.id);
        let expiry = self.events.iter().filter(|event| event.at >= timer.armed).find(is_ours);
        let expiry = expiry.ok_or("the expiry of its timer was not seen")?;
        let EventKind::TimerExpire { now, .. } = expiry.kind else {
            return Err("the expiry of its timer was not seen");
        };
        let floor = chain.last();
        // An interrupt from before the timer could fire did not come for it.
        let interrupt = self.interrupt(expiry).filter(|at| *at >= floor && *at <= now);
        let fired = timer.hard.min(interrupt.unwrap_or(now)).max(floor);
        chain.mark(PartKind::Slack, fired, Some(expiry.cpu), PartEvidence::Tracepoint);
        if let Some(at) = interrupt {
            self.owned(chain, PartKind::IrqLate, at, expiry.cpu);
            chain.mark(PartKind::IrqEntry, now, Some(expiry.cpu), PartEvidence::Tracepoint);
        } else {
            self.owned(chain, PartKind::IrqLate, now, expiry.cpu);
        }
        chain.mark(PartKind::OtherTimers, expiry.at, Some(expiry.cpu), PartEvidence::Tracepoint);
        Ok(expiry)
    }

    /// Returns when the interrupt came in whose handler made the timer expire.
    fn interrupt(&self, expiry: &Event) -> Option<Nanos> {
        let before = self.events.iter().rev().filter(|event| event.cpu == expiry.cpu && event.at <= expiry.at);
        for event in before {
            match &event.kind {
                EventKind::TimerInterrupt => return Some(event.at),
                EventKind::InterruptExit { what: Interrupt::Timer } => return None,
                _ => {}
            }
        }
        None
    }

    /// Returns the event that put the sleeper on a run queue after the expiry, or else the one that began its wake-up.
    fn woken(&self, expiry: &Event) -> Option<&Event> {
        let after = || self.events.iter().filter(|event| event.at >= expiry.at);
        let queued = after().find(|event| matches!(event.kind, EventKind::Wakeup { tid, .. } if tid == self.sleeper));
        queued.or_else(|| after().find(|event| event.kind == EventKind::Waking { tid: self.sleeper }))
    }

    /// Adds the part in which the sleeper waits on a run queue.
    fn until_running(&self, chain: &mut BreakdownBuilder, armed: Nanos, woken: &Event) -> Result<(), &'static str> {
        let wake = chain.last();
        let on = self.moves.iter().find(|on| on.off.is_none() && on.at >= wake);
        let never_left = !self.moves.iter().any(|gone| gone.off.is_some() && (armed..=wake).contains(&gone.at));
        match on {
            // The timer fired before the sleeper had left the processor.
            _ if never_left => Ok(()),
            Some(on) => {
                let queue = if let EventKind::Wakeup { queue, .. } = woken.kind { queue } else { None };
                let cpu = queue.unwrap_or(on.cpu);
                let owners = self.ran_before_it((cpu, wake), on);
                *chain.mark(PartKind::RunQueue, on.at, Some(cpu), on.evidence) = others(owners);
                Ok(())
            }
            None => Err("its switch onto a processor was not seen"),
        }
    }

    /// Returns who ran on the processor in whose run queue the sleeper was, from its arrival there until it runs, the longest
    /// first. Where it runs on another processor and no event shows when it was moved, that was just before.
    fn ran_before_it(&self, (mut cpu, mut from): (u16, Nanos), on: &Move) -> Vec<(Owner, Nanos)> {
        let moved = self.events.iter().filter_map(|event| match event.kind {
            EventKind::Moved { tid, queue } if tid == self.sleeper => Some((queue, event.at)),
            _ => None,
        });
        let mut sums: BTreeMap<Owner, Nanos> = BTreeMap::new();
        let mut add = |cpu: u16, from: Nanos, until: Nanos| {
            for (owner, time) in self.timeline.cut(cpu, from, until) {
                *sums.entry(owner).or_default() += time;
            }
        };
        let arrived = from;
        for (queue, at) in moved.filter(|(_, at)| (arrived..on.at).contains(at)) {
            add(cpu, from, at);
            (cpu, from) = (queue, at);
        }
        add(cpu, from, on.at);
        let mut ran: Vec<_> = sums.into_iter().collect();
        ran.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        ran
    }

    fn until_end(&self, chain: &mut BreakdownBuilder) -> Result<(), &'static str> {
        let from = chain.last();
        let cpu = self.moves.iter().rev().find(|on| on.off.is_none() && on.at <= from).map(|on| on.cpu);
        let mut cpu = cpu.or_else(|| self.events.last().map(|event| event.cpu));
        let mut gone: Option<Move> = None;
        for step in self.moves.iter().filter(|step| step.at > from) {
            match (gone, step.off) {
                (None, Some(_)) => {
                    self.running(chain, step.at, Some(step.cpu));
                    gone = Some(*step);
                }
                (Some(left), None) => {
                    self.away(chain, &left, step)?;
                    (gone, cpu) = (None, Some(step.cpu));
                }
                _ => {}
            }
        }
        if gone.is_some() {
            return Err("its switch onto a processor was not seen");
        }
        self.running(chain, self.slept.end, cpu);
        Ok(())
    }

    /// Adds the part between two moves of the sleeper: preempted or stopped. Fails if it waited again.
    fn away(&self, chain: &mut BreakdownBuilder, left: &Move, back: &Move) -> Result<(), &'static str> {
        let state = left.off.unwrap_or(0);
        let kind = if state & STOPPED != 0 { PartKind::Stopped } else { PartKind::Preempted };
        if kind == PartKind::Preempted && state & WAITING != 0 {
            return Err("it waited again before it returned");
        }
        let owners = if kind == PartKind::Stopped { Vec::new() } else { self.ran_before_it((left.cpu, left.at), back) };
        *chain.mark(kind, back.at, Some(left.cpu), left.evidence) = others(owners);
        Ok(())
    }

    /// Adds the parts in which the sleeper runs until `at`: interrupts, and its own time.
    fn running(&self, chain: &mut BreakdownBuilder, at: Nanos, cpu: Option<u16>) {
        let owners = cpu.map_or_else(Vec::new, |cpu| self.timeline.cut(cpu, chain.last(), at));
        let interrupts: Vec<_> = owners.into_iter().filter(|(owner, _)| is_interrupt(owner)).collect();
        let taken = interrupts.iter().map(|(_, time)| *time).sum();
        if taken > Nanos::ZERO {
            *chain.part(PartKind::Irq, taken, cpu, PartEvidence::Tracepoint) = interrupts;
        }
        chain.mark(PartKind::Return, at, cpu, PartEvidence::Tracepoint);
    }

    fn owned(&self, chain: &mut BreakdownBuilder, kind: PartKind, at: Nanos, cpu: u16) {
        let owners = self.timeline.cut(cpu, chain.last(), at);
        *chain.mark(kind, at, Some(cpu), PartEvidence::Tracepoint) = owners;
    }

    /// Blames the quota for the longest wait if the control group was throttled for half of it, whoever had the
    /// processor. Since 6.18 the thread is switched in and out again at once; before, it waits for an idle processor.
    fn blame_quota(&self, breakdown: &mut Breakdown) {
        let throttled = self.slept.throttled();
        let waits = breakdown.parts.iter_mut();
        let waits = waits.filter(|part| matches!(part.kind, PartKind::RunQueue | PartKind::Preempted));
        let Some(longest) = waits.max_by_key(|part| part.time) else { return };
        if throttled > Nanos::ZERO && throttled.get() >= longest.time.get() / 2 {
            longest.owners = vec![(Owner::Throttled, throttled.min(longest.time))];
        }
    }
}

/// Returns the sleeper's switches during the sleep, from the events and from its own records, without duplicates.
fn moves(events: &[Event], own: &[OwnSwitch], sleeper: i32, slept: &TimedSleep) -> Vec<Move> {
    let seen = events.iter().filter_map(|event| {
        let with = |off| Some(Move { at: event.at, cpu: event.cpu, off, evidence: PartEvidence::Tracepoint });
        match &event.kind {
            EventKind::Switch { next, .. } if next.tid == sleeper => with(None),
            EventKind::Switch { prev, state, .. } if prev.tid == sleeper => with(Some(*state)),
            _ => None,
        }
    });
    let from = own.partition_point(|switch| switch.at < slept.start);
    let within = own[from..].iter().take_while(|switch| switch.at <= slept.end);
    let told = within.map(|switch| {
        let off = match switch.to {
            Direction::In => None,
            Direction::OutWaiting => Some(WAITING),
            Direction::OutPreempted => Some(0),
        };
        Move { at: switch.at, cpu: switch.cpu, off, evidence: PartEvidence::SwitchRecord }
    });
    let mut all: Vec<Move> = seen.chain(told).collect();
    all.sort_by_key(|step| step.at);
    // The event comes first, and the thread's own record of the same switch just after it. Two events in the same direction
    // are two switches, with one between them that the trace hides.
    all.dedup_by(|later, earlier| later.off.is_some() == earlier.off.is_some() && later.evidence != earlier.evidence);
    all
}

fn is_interrupt(owner: &Owner) -> bool {
    matches!(owner, Owner::Timer | Owner::Irq { .. } | Owner::Softirq(_) | Owner::Vector(_))
}

/// Removes the sleeper: it does not delay itself.
fn others(owners: Vec<(Owner, Nanos)>) -> Vec<(Owner, Nanos)> {
    owners.into_iter().filter(|(owner, _)| *owner != Owner::Sleeper).collect()
}
