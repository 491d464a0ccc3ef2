//! The causes, a file for each, with a function `detect` that takes the features of a recording and returns its
//! findings. To add a cause, name it in the recording's `document/cause.rs`, write its evidence type and its file, and
//! list its `detect` here.

mod bimodal;
mod cached_clock;
mod calibration;
mod change_point;
mod clock_step;
mod coalescing;
mod constant_cost;
mod drift;
mod early_wake;
mod examined;
mod first_call;
mod host_steal;
mod hung;
mod idle_exit;
pub(crate) mod interference;
mod missed;
mod proportional;
mod resolution;
mod run_queue;
mod sawtooth;
mod stopped;
mod systems;
mod tick;
mod timer_slack;
mod wheel;

pub(super) use early_wake::LEAST as EARLY_LEAST;
pub(super) use host_steal::undecided as stalls_of_several;
pub use oversleep_recording::document::Cause;
pub(super) use systems::tell;

use super::features::Features;
use oversleep_recording::document::Finding;

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The whole machine.
    Machine,
    /// The cell of the view with this index.
    View(usize),
}

/// A finding and what it is about.
pub type Detection = (At, Finding);

/// The detectors of all causes.
pub const DETECTORS: &[fn(&Features<'_>) -> Vec<Detection>] = &[
    tick::detect,
    drift::detect,
    sawtooth::detect,
    wheel::detect,
    run_queue::detect,
    timer_slack::detect,
    proportional::detect,
    constant_cost::detect,
    idle_exit::detect,
    early_wake::detect,
    clock_step::detect,
    cached_clock::detect,
    first_call::detect,
    interference::detect,
    bimodal::detect,
    change_point::detect,
    resolution::detect,
    coalescing::detect,
    host_steal::detect,
    stopped::detect,
    missed::detect,
    hung::detect,
    examined::detect,
];

/// Returns the views whose lateness has two clusters or a step.
pub(super) fn crowds(features: &Features<'_>) -> Vec<usize> {
    let seen = bimodal::detect(features).into_iter().chain(change_point::detect(features));
    seen.filter_map(|(at, _)| if let At::View(view) = at { Some(view) } else { None }).collect()
}

/// Returns the share of a cell's total lateness that these parts make up, 0 to 1.
fn share_of(parts: impl Iterator<Item = f64>, lates: &[i64]) -> Option<f64> {
    let total: f64 = lates.iter().map(|&late| late as f64).sum();
    (total > 0.0).then(|| (parts.sum::<f64>() / total).clamp(0.0, 1.0))
}
