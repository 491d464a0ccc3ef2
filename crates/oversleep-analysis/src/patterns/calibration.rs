//! How often findings are right: converts a detector's own confidence to the measured share.

use oversleep_recording::document::Cause;

/// For each cause, the confidence from which a row applies, and the share of such findings that were right, (k + 1) /
/// (n + 2): of the findings of seed 501 of `tests/diagnose/truth/reliability.rs`. Causes that its generators do not
/// have keep the detector's confidence.
const MEASURED: &[(Cause, f64, f64)] = &[
    (Cause::ConstantCost, 0.0, 0.989),
    (Cause::TimerSlack, 0.0, 0.980),
    (Cause::ProportionalSlack, 0.0, 0.969),
    (Cause::TickQuantised, 0.0, 0.977),
    (Cause::TickQuantised, 0.9, 0.990),
    (Cause::ClockDrift, 0.0, 0.977),
    (Cause::ClockDrift, 0.9, 0.995),
    (Cause::Sawtooth, 0.0, 0.980),
    (Cause::TimerWheel, 0.0, 0.969),
    (Cause::TimerWheel, 0.9, 0.992),
    (Cause::EarlyWake, 0.0, 0.990),
    (Cause::Bimodal, 0.0, 0.963),
    (Cause::ChangePoint, 0.0, 0.929),
];

/// Returns the measured share of such findings that are right, or `sure` where none was measured.
pub(super) fn calibrated(cause: Cause, sure: f64) -> f64 {
    let steps = MEASURED.iter().filter(|(of, from, _)| *of == cause && *from <= sure);
    steps.map(|(_, _, so)| *so).next_back().unwrap_or(sure)
}
