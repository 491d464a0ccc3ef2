//! Why sleeps were late: the causes that a recording's samples show by their pattern, without any privilege and on
//! any system.
//!
//! [`diagnose`] computes the recording's [`features`] once and passes them to the detector of every [`cause`]. A cell's
//! lateness is then split among the causes that rule it ([`parts`]). What the samples leave open is reported with the
//! experiment that would decide it ([`undecided`]). docs/DIAGNOSIS.md says how each cause is recognised,
//! docs/BENCHMARKS.md how often wrongly.

pub mod budget;
mod calibration;
pub mod cause;
mod circumstances;
mod downsampled;
pub mod features;
pub mod parts;
mod predict;
mod system;
pub mod undecided;

pub use downsampled::diagnose_downsampled;
pub use oversleep_recording::document::{
    Budget, Cause, CellDiagnosis, Diagnosis, Finding, Remedy, Split, Undecided, Unit, Witness,
};
pub(crate) use system::{name as system_name, of_remedies as remedied_system};

use super::latency_hold;
use calibration::calibrated;
use cause::{At, DETECTORS};
use features::Features;
use oversleep_recording::Recording;

/// Returns what the pattern of a recording's samples shows, for the cells without tracing. Never panics, whatever the
/// samples; too few of them give `undecided` entries.
pub fn diagnose(recording: &Recording) -> Diagnosis {
    of_features(&Features::new(&recording.untraced()))
}

fn of_features(features: &Features<'_>) -> Diagnosis {
    let mut diagnosis = Diagnosis { undecided: undecided::detect(features), ..Diagnosis::default() };
    for (view, cell) in features.views.iter().enumerate() {
        let budget = budget::compute(features, view);
        diagnosis.cells.push(CellDiagnosis { cell: cell.cell.id, findings: Vec::new(), budget });
    }
    for (at, mut finding) in DETECTORS.iter().flat_map(|detect| detect(features)) {
        cause::tell(features, &mut finding);
        predict::remedies(features, at, &mut finding);
        latency_hold::leave_out_if_held(&features.recording.meta.machine, &mut finding);
        if finding.witnesses.contains(&Witness::Pattern) {
            finding.confidence = by_prediction(features, at, &finding)
                .unwrap_or_else(|| calibrated(finding.cause(), finding.confidence));
        }
        match at {
            At::Machine => diagnosis.machine.push(finding),
            At::View(view) => add(&mut diagnosis.cells[view].findings, finding),
        }
    }
    for cell in &mut diagnosis.cells {
        by_share(&mut cell.findings);
    }
    diagnosis
}

/// Returns the probability of a tick by prediction; of the machine's, that of the method that keeps it most surely.
fn by_prediction(features: &Features<'_>, at: At, finding: &Finding) -> Option<f64> {
    if !matches!(finding.cause(), Cause::TickQuantised | Cause::TimerWheel) {
        return None;
    }
    match at {
        At::View(view) => features.ticks[features.views[view].group],
        At::Machine => features.ticks.iter().flatten().copied().max_by(f64::total_cmp),
    }
}

/// Adds a finding; one that examined sleeps show becomes evidence of the same cause's finding from the pattern.
fn add(findings: &mut Vec<Finding>, finding: Finding) {
    let examined = finding.evidence.examined().cloned();
    let known = findings.iter_mut().find(|known| known.cause() == finding.cause());
    let (Some(known), Some(examined)) = (known, examined) else { return findings.push(finding) };
    known.evidence.add_examined(examined);
    known.witnesses.extend(finding.witnesses);
    known.confidence = known.confidence.max(finding.confidence);
}

/// Sorts findings by share, the largest first.
fn by_share(findings: &mut [Finding]) {
    findings.sort_by(|a, b| b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)));
}
