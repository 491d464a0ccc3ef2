//! Tracing of the sleeping threads from another thread, so that nothing is added to their work.

use super::fact::{AFTER, fact, since};
use oversleep_os::trace::{OwnSwitches as Switches, Setup, Tracer, threads};
use oversleep_recording::trace::{Direction, EventKind, KernelEvents, OwnSwitch, OwnSwitches, Tier};
use oversleep_recording::{LateSleep, RefusedTier, Sample};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

/// Age at which events are dropped; later samples may still need younger ones.
const MEMORY: Nanos = Nanos::from_secs(3);
/// Prefix of the names of threads that sleep (set in `sleeps::group`).
const SLEEPERS: &str = "sleeper-";

/// A trace of all sleeping threads of this process.
#[derive(Debug)]
pub(super) struct SleeperTracers {
    tracer: Option<Tracer>,
    own: Vec<(i32, Switches)>,
    seen: KernelEvents,
    switches: Vec<(i32, OwnSwitch)>,
    lost: u64,
    refused: Vec<RefusedTier>,
}

impl SleeperTracers {
    /// Begins to record at the best available tier, `best` or below.
    pub(super) fn open(best: Tier, setup: Setup) -> Self {
        let sleepers: Vec<i32> =
            threads().into_iter().filter(|(_, name)| name.starts_with(SLEEPERS)).map(|(tid, _)| tid).collect();
        let mut tracers = Self {
            tracer: None,
            own: Vec::new(),
            seen: KernelEvents::default(),
            switches: Vec::new(),
            lost: 0,
            refused: Vec::new(),
        };
        if best <= Tier::Events {
            match Tracer::open_for(&sleepers, setup).and_then(|mut tracer| tracer.start().map(|()| tracer)) {
                Ok(tracer) => tracers.tracer = Some(tracer),
                Err(refusal) => tracers.refuse(Tier::Events, refusal),
            }
        }
        if best <= Tier::Switches {
            for tid in sleepers {
                match Switches::open_for(tid).and_then(|mut switches| switches.start().map(|()| switches)) {
                    Ok(switches) => tracers.own.push((tid, switches)),
                    Err(refusal) => {
                        tracers.refuse(Tier::Switches, refusal);
                        break;
                    }
                }
            }
        }
        tracers
    }

    /// Returns whether kernel events are recorded.
    pub(super) fn has_events(&self) -> bool {
        self.tracer.is_some()
    }

    /// Adds why a tier was not available.
    pub(super) fn refuse(&mut self, tier: Tier, why: Refusal) {
        if !self.refused.iter().any(|known| known.tier == tier) {
            self.refused.push(RefusedTier { tier, why });
        }
    }

    /// Collects the records made since the last call.
    pub(super) fn gather(&mut self) {
        let drained = self.tracer.as_mut().map(Tracer::drain);
        match drained {
            Some(Ok(batch)) => {
                self.seen.events.extend(batch.events);
                self.seen.gaps.extend(batch.gaps);
                self.seen.events.sort_by_key(|event| event.at);
            }
            Some(Err(refusal)) => {
                self.tracer = None;
                self.refuse(Tier::Events, refusal);
            }
            None => {}
        }
        self.gather_switches();
    }

    /// Collects the threads' own switches: the kernel drops new ones once its buffer of 64 KiB is full.
    pub(super) fn gather_switches(&mut self) {
        for (tid, tracer) in &mut self.own {
            let (switches, lost) = tracer.drain();
            self.switches.extend(switches.into_iter().map(|switch| (*tid, switch)));
            self.lost += lost;
        }
        self.switches.sort_by_key(|(_, switch)| switch.at);
        let newest = self.seen.events.last().map(|event| event.at).into_iter();
        let newest = newest.chain(self.switches.last().map(|(_, switch)| switch.at)).max();
        if let Some(from) = newest.map(|newest| newest.saturating_sub(MEMORY)) {
            let old = self.seen.events.partition_point(|event| event.at < from);
            self.seen.events.drain(..old);
            let old = self.switches.partition_point(|(_, switch)| switch.at < from);
            self.switches.drain(..old);
            self.seen.gaps.retain(|gap| gap.until >= from);
        }
    }

    /// Returns a late sleep with the records around it.
    pub(super) fn around(&self, sample: &Sample) -> LateSleep {
        let tid = self.sleeper(sample);
        let (from, until) = (since(sample), sample.end.saturating_add(AFTER));
        let events = self.seen.around(from, until);
        let of_thread = self.switches.iter().filter(|(switched, _)| Some(*switched) == tid);
        let switches = OwnSwitches { switches: of_thread.map(|(_, switch)| *switch).collect(), lost: self.lost };
        let switches = switches.around(&events, from, until);
        LateSleep {
            tid,
            watched: true,
            events: self.tracer.is_some().then_some(events),
            own: switches,
            refused: self.refused.clone(),
            ..fact(sample)
        }
    }

    /// Returns the system's id of the thread that slept: the sleeper that was last switched onto the processor on which
    /// the sleep ended.
    fn sleeper(&self, sample: &Sample) -> Option<i32> {
        let here = |cpu: u16| sample.cpu().is_none_or(|ended_on| cpu == ended_on);
        let name = format!("{SLEEPERS}{}", sample.thread);
        let by_own = self
            .switches
            .iter()
            .rev()
            .find(|(_, switch)| switch.at <= sample.end && switch.to == Direction::In && here(switch.cpu));
        let until = self.seen.events.partition_point(|event| event.at <= sample.end);
        let by_event = self.seen.events[..until].iter().rev().find_map(|event| match &event.kind {
            EventKind::Switch { next, .. } if here(event.cpu) && next.comm == name => Some((event.at, next.tid)),
            _ => None,
        });
        match (by_own, by_event) {
            (Some((tid, switch)), Some((at, other))) => Some(if switch.at >= at { *tid } else { other }),
            (Some((tid, _)), None) => Some(*tid),
            (None, by_event) => by_event.map(|(_, tid)| tid),
        }
    }
}
