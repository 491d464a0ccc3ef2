//! The publications that this project began with, reproduced: the published numbers and those of simulated kernels,
//! with a verdict on every number, and charts.
//!
//! Each publication is one file, which makes its claims; its charts are in `charts`. Only simulated time is used, so
//! every run gives the same result. Measurements of this machine are made by the caller and passed in as a recording.

mod charts;
mod clocks;
mod dragonfly;
mod field;
mod fixes;
mod herman;
mod oneill;
mod own_measurement;
mod rizzo;
mod runs;
mod wemm;

pub use charts::{Charts, FIGURES, NamedFigure};
pub use fixes::Fix;
pub use own_measurement::plan as plan_here;

use oversleep_recording::document::Publication;
use oversleep_recording::{Recording, names};
use oversleep_sim::ParameterError;

names! {
    /// A publication that can be reproduced.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PublicationId {
        /// Herman's measurements of January 2004, and his program.
        Herman = "herman",
        /// The changes to `DragonFly` in January 2004, from the same article as [`PublicationId::Herman`].
        Dragonfly = "dragonfly",
        /// Rizzo's mail of September 2009, with Wemm's answer.
        Rizzo = "rizzo",
        /// O'Neill's article of March 2003.
        Oneill = "oneill",
        /// The guide to the clocks of OS X.
        Clocks = "clocks",
        /// What people have published of systems of today.
        Field = "field",
    }
}

impl PublicationId {
    /// Returns the publication with every number simulated. `fixes` picks among Rizzo's fixes; `here` is the recording
    /// of [`plan_here`]'s plan on this machine.
    ///
    /// # Errors
    /// If a preset is not a valid kernel.
    pub fn reproduce(self, fixes: &[Fix], here: Option<&Recording>) -> Result<Publication, ParameterError> {
        match self {
            Self::Herman => herman::publication(here),
            Self::Dragonfly => dragonfly::publication(),
            Self::Rizzo => rizzo::publication(fixes, here),
            Self::Oneill => oneill::publication(here),
            Self::Clocks => Ok(clocks::publication(here)),
            Self::Field => field::publication(),
        }
    }
}
