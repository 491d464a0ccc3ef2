//! How much of the kernel's account can be had.

use oversleep_os::trace::{OwnSwitches, Readings, Setup, Tracer, thread_id};
use oversleep_sys::Refusal;
use serde::Serialize;

/// A tier, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Kernel events of a private tracefs instance, and the thread's own switch records where they can be had.
    Events,
    /// The thread's own switch records, run-queue time, and the slack by rule.
    Switches,
    /// Run-queue time, preemptions, quota, and the slack by rule.
    Counters,
    /// The slack by rule alone.
    Slack,
}

impl Tier {
    /// Every tier, the best first.
    pub const ALL: &[Self] = &[Self::Events, Self::Switches, Self::Counters, Self::Slack];

    /// As people read and write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Switches => "switches",
            Self::Counters => "counters",
            Self::Slack => "slack",
        }
    }

    /// What it is made of.
    pub const fn made_of(self) -> &'static str {
        match self {
            Self::Events => "kernel events of a private tracefs instance",
            Self::Switches => "the thread's own switch records, schedstat and the slack by rule",
            Self::Counters => "schedstat, rusage, the control group's quota and the slack by rule",
            Self::Slack => "the slack by rule alone",
        }
    }

    /// The tier of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tier| tier.name() == name)
    }
}

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
