//! The publications this project began with, reproduced: what each printed beside what the simulated kernels give, with
//! a verdict on every number, and the pictures.
//!
//! A publication is one file, which makes its claims; its pictures are in `charts`. Simulated time alone, so every run
//! gives the same; what this machine gives is measured by whoever asks and handed in as a recording.

mod charts;
mod clocks;
mod dragonfly;
mod fixes;
mod here;
mod herman;
mod oneill;
mod rizzo;
mod runs;
mod wemm;

pub use charts::{Charts, FIGURES, NamedFigure};
pub use fixes::Fix;
pub use here::plan as plan_here;

use oversleep_recording::Recording;
use oversleep_recording::document::Publication;
use oversleep_sim::ParameterError;

/// The publications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Herman's measurements of January 2004, and his program.
    Herman,
    /// Rizzo's mail of September 2009, with Wemm's answer.
    Rizzo,
    /// O'Neill's article of March 2003.
    Oneill,
    /// The guide to the clocks of OS X.
    Clocks,
    /// What `DragonFly` changed in January 2004, from the same article as [`Source::Herman`].
    Dragonfly,
}

impl Source {
    /// Every publication.
    pub const ALL: [Self; 5] = [Self::Herman, Self::Dragonfly, Self::Rizzo, Self::Oneill, Self::Clocks];

    /// Returns the name it is asked for by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Herman => "herman",
            Self::Rizzo => "rizzo",
            Self::Oneill => "oneill",
            Self::Clocks => "clocks",
            Self::Dragonfly => "dragonfly",
        }
    }

    /// Returns the publication with every number simulated. `fixes` picks among Rizzo's; `here` is what
    /// [`plan_here`] gave on this machine.
    ///
    /// # Errors
    /// If a preset is not what it was.
    pub fn reproduce(self, fixes: &[Fix], here: Option<&Recording>) -> Result<Publication, ParameterError> {
        match self {
            Self::Herman => herman::publication(here),
            Self::Dragonfly => dragonfly::publication(),
            Self::Rizzo => rizzo::publication(fixes, here),
            Self::Oneill => oneill::publication(here),
            Self::Clocks => Ok(clocks::publication(here)),
        }
    }
}
