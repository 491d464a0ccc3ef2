//! Tracing of a thread that sleeps.

use oversleep_os::trace::{OwnSwitches, Readings, Setup, Tracer, thread_id};
use oversleep_recording::trace::{KernelEvents, OwnSwitches as Switches, ThreadCounters, Tier};
use oversleep_recording::{Missing, RefusedTier, Tracing};
use oversleep_sys::Refusal;

/// The tracers of the calling thread.
#[derive(Debug, Default)]
pub(super) struct ThreadTracers {
    /// Tracer of kernel events.
    tracer: Option<Tracer>,
    /// Recorder of the thread's own switches.
    switches: Option<OwnSwitches>,
    /// Reader of the thread's counters.
    readings: Option<Readings>,
    /// Reasons why higher tiers were unavailable.
    refused: Vec<RefusedTier>,
}

impl ThreadTracers {
    /// Opens the best available tier for the calling thread, `best` or below.
    pub(super) fn open(best: Tier, setup: Setup) -> Self {
        let mut tracers = Self::default();
        for tier in Tier::ALL.iter().copied().filter(|tier| *tier >= best) {
            match tracers.attempt(tier, setup) {
                Ok(()) => break,
                Err(why) => tracers.refused.push(RefusedTier { tier, why }),
            }
        }
        tracers
    }

    /// Returns the tier that was reached.
    fn tier(&self) -> Tier {
        match (&self.tracer, &self.switches, &self.readings) {
            (Some(_), _, _) => Tier::Events,
            (None, Some(_), _) => Tier::Switches,
            (None, None, Some(_)) => Tier::Counters,
            (None, None, None) => Tier::Slack,
        }
    }

    fn attempt(&mut self, tier: Tier, setup: Setup) -> Result<(), Refusal> {
        match tier {
            Tier::Events => {
                self.tracer = Some(Tracer::open(thread_id(), setup)?);
                // With kernel events, switch records only fill in what the kernel hides: lacking them does not lower
                // the tier.
                self.switches = OwnSwitches::open().ok();
                self.readings = Readings::open().ok();
            }
            Tier::Switches => {
                self.switches = Some(OwnSwitches::open()?);
                self.readings = Readings::open().ok();
            }
            Tier::Counters => self.readings = Some(Readings::open()?),
            Tier::Slack => {}
        }
        Ok(())
    }

    /// Returns a description of how sleeps of this cell are traced.
    pub(super) fn tracing(&self, cell: u32) -> Tracing {
        let missing = self.tracer.as_ref().map_or(&[][..], Tracer::missing).iter();
        Tracing {
            cell,
            tier: self.tier(),
            own_switches: self.switches.is_some(),
            refused: self.refused.clone(),
            missing: missing.map(|(what, why)| Missing { what: what.clone(), why: why.clone() }).collect(),
            conditions_refused: Vec::new(),
            ended: None,
        }
    }

    /// Begins to record.
    pub(super) fn start(&mut self) -> Result<(), Refusal> {
        self.tracer.as_mut().map_or(Ok(()), Tracer::start)?;
        self.switches.as_mut().map_or(Ok(()), OwnSwitches::start)
    }

    /// Ends recording and returns the records.
    pub(super) fn stop(&mut self) -> Result<(KernelEvents, Switches), Refusal> {
        let switches = match &mut self.switches {
            Some(switches) => {
                switches.stop()?;
                let (switches, lost) = switches.drain();
                Switches { switches, lost }
            }
            None => Switches::default(),
        };
        let events = match &mut self.tracer {
            Some(tracer) => {
                tracer.stop()?;
                tracer.drain()?
            }
            None => KernelEvents::default(),
        };
        Ok((events, switches))
    }

    /// Reads the thread's counters.
    pub(super) fn read(&mut self) -> ThreadCounters {
        self.readings.as_mut().map_or_else(ThreadCounters::default, Readings::now)
    }
}
