//! Names of the experiments on the command line.

use clap::ValueEnum;
use oversleep_lab::session;

/// The experiments with a design of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExperimentName {
    /// Sleep to the next second of the wall clock, 200 times; one signed error per line (Herman 2004)
    WallSecond,
    /// Error against requested duration, 1 µs to 10 s, for usleep, nanosleep, select and poll (Rizzo 2009)
    Sweep,
    /// 14 requests from 0 to 1000 ms, 50 times each, beside 0 to 5 busy threads (O'Neill 2003)
    Load,
    /// An absolute schedule, as cyclictest keeps: every 1 ms for 10 s, every period accounted for
    Periodic,
}

impl ExperimentName {
    /// Returns the session's name of this experiment.
    pub(crate) const fn request(self) -> session::Experiment {
        match self {
            Self::WallSecond => session::Experiment::WallSecond,
            Self::Sweep => session::Experiment::Sweep,
            Self::Load => session::Experiment::Load,
            Self::Periodic => session::Experiment::Periodic,
        }
    }
}
