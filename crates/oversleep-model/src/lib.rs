//! Decides by prediction which laws explain measured sleeps.
//!
//! A hypothesis says when each sleep should end, by the laws of `oversleep_sim`; what is left over is scored by one
//! density, the same for all. The posterior over hypotheses gives the findings, with their confidence.
//!
//! [`asked`] does the same for figures that somebody states.

pub mod asked;
mod density;
mod evidence;
mod findings;
mod group;
mod posterior;
mod prior;
mod propose;

pub use findings::{Finding, Judgement, Open, Ticks};
pub use prior::Rule;

use oversleep_recording::Recording;

/// Judges a recording. Without sleeps that wait for a timer, nothing is found. Ticks of the `proposed` lengths, in ns, are
/// scored beside those that the ends' spectra show.
pub fn judge(recording: &Recording, proposed: &[f64]) -> Judgement {
    posterior::Posterior::new(recording, proposed)
        .map_or_else(Judgement::default, |posterior| findings::findings(&posterior))
}

/// Returns the logarithm of the density of these latenesses, in ns, if each is one cost of waking, with scatter.
pub fn score_of_lateness(late: &[f64]) -> f64 {
    density::Density::new(late.len() + 1).lateness(late, density::RESOLUTION)
}

#[cfg(test)]
mod tests;
