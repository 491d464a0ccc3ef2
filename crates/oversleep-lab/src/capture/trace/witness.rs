//! What watches a thread that sleeps.

use oversleep_os::trace::{OwnSwitches, Readings, Setup, Tracer, thread_id};
use oversleep_recording::trace::Tier;
use oversleep_sys::Refusal;

/// What watches the calling thread.
#[derive(Debug, Default)]
pub struct Witness {
    /// Kernel events.
    pub tracer: Option<Tracer>,
    /// Its own switches.
    pub switches: Option<OwnSwitches>,
    /// Its counters.
    pub readings: Option<Readings>,
    /// Why each higher tier could not be had.
    pub refused: Vec<(Tier, Refusal)>,
}

impl Witness {
    /// The best that can be had for the calling thread, `best` or below.
    pub fn open(best: Tier, setup: Setup) -> Self {
        let mut witness = Self::default();
        for tier in Tier::ALL.iter().copied().filter(|tier| *tier >= best) {
            match witness.attempt(tier, setup) {
                Ok(()) => break,
                Err(refusal) => witness.refused.push((tier, refusal)),
            }
        }
        witness
    }

    /// The tier that was reached.
    pub fn tier(&self) -> Tier {
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
                // Beside events the switch records only fill what the kernel hides: not having them is no loss of tier.
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
}
