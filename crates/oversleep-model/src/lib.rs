//! Decides by prediction which laws explain measured sleeps.
//!
//! A hypothesis says when each sleep should end, by the laws of `oversleep_sim`; what is left over is scored by one
//! density, the same for all. The posterior over hypotheses gives the findings, with their confidence.
//!
//! [`asked`] does the same for figures that somebody states.

mod addition;
pub mod asked;
mod density;
mod findings;
mod free;
mod group;
mod posterior;
mod prior;
mod propose;
mod ticks;

pub use addition::{Addition, MayAdd, may_add};
pub use findings::{Additions, Judgement, Ticks};
pub use prior::{KNOWN_RATES, Rule};

use oversleep_recording::Recording;

/// Judges a recording. Without sleeps that wait for a timer, nothing is found. Ticks of the `proposed` lengths, in ns, are
/// scored beside those that the ends' spectra show.
pub fn judge(recording: &Recording, proposed: &[f64]) -> Judgement {
    posterior::Posterior::new(recording, proposed)
        .map_or_else(Judgement::default, |posterior| findings::findings(&posterior))
}

#[cfg(test)]
mod tests;
