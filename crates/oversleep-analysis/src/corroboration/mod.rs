//! Compares the witnesses: what the pattern, the intervention and the trace say of the same cell's lateness.
//!
//! Where two of them size a cause and their intervals overlap, confidence rises; where they do not, it falls, and the
//! row says so. No witness overrules another: every size stays visible.

mod agree;
mod estimates;
mod trace;
mod tried;

pub use oversleep_recording::document::{CauseEstimates, Corroboration, Estimate, SideBySide, WitnessAgreement};
pub use trace::traced;

use super::interventions::intervene;
use super::patterns::remedied_system;
use oversleep_recording::document::evidence::Disagreement;
use oversleep_recording::document::{Cause, CellDiagnosis, Diagnosis, Finding, Interventions, Witness};
use oversleep_recording::plan::Cell;
use oversleep_recording::plan::intervene::Change;
use oversleep_recording::{Recording, Traced};
use oversleep_sys::units::Nanos;

/// Compares the pattern's diagnosis with the other witnesses, and adds to it: their names and the resulting confidence
/// to its findings, and the findings that it lacks.
pub fn corroborate(recording: &Recording, diagnosis: &mut Diagnosis) -> Corroboration {
    corroborate_with(recording, diagnosis, |cell| trace::of_cell(recording, cell))
}

/// Does the same with a trace's figures of each cell, which `trace_of` returns.
pub fn corroborate_with(
    recording: &Recording,
    diagnosis: &mut Diagnosis,
    trace_of: impl Fn(&Cell) -> Option<Traced>,
) -> Corroboration {
    let mut interventions = intervene(recording);
    if let Some(found) = &mut interventions {
        predict(found, diagnosis);
    }
    let mut cells = Vec::new();
    for cell in &mut diagnosis.cells {
        let planned = recording.meta.plan.cells.iter().find(|planned| planned.id == cell.cell);
        let traced = planned.and_then(&trace_of);
        if let Some(found) = &interventions
            && cell.cell == found.base
        {
            add(cell, found);
        }
        let speaks = interventions.iter().any(|found| found.readings.iter().any(|reading| reading.cell == cell.cell));
        if speaks || traced.is_some() {
            let side = side(cell, interventions.as_ref(), traced.as_ref());
            enter(cell, &side);
            cells.push(side);
        }
        if let Some(planned) = planned {
            cell.findings.extend(trace::findings(recording, planned, &cell.findings));
        }
        if let Some(system) = remedied_system(recording) {
            let remedies = cell.findings.iter_mut().map(|finding| &mut finding.remedy);
            remedies.for_each(|all| all.retain(|remedy| remedy.system == system || remedy.system == "any"));
        }
    }
    if let Some(found) = &interventions {
        tried::drop_useless(found, diagnosis);
        diagnosis.undecided.extend(found.open.iter().cloned());
    }
    Corroboration { interventions, cells }
}

/// Largest slack that counts as none.
const NO_SLACK: Nanos = Nanos::new(1);

/// Adds to the effects of changes that remove the slack what the baseline's pattern predicts for them.
fn predict(found: &mut Interventions, diagnosis: &Diagnosis) {
    let base = diagnosis.cells.iter().find(|cell| cell.cell == found.base);
    let slack = base.and_then(|base| base.findings.iter().find(|finding| finding.cause() == Cause::TimerSlack));
    let Some(slack) = slack else { return };
    let worth = |real_time: bool| {
        let mut remedies = slack.remedy.iter().filter(|remedy| remedy.makes_real_time() == real_time);
        remedies.find_map(|remedy| remedy.predicted)
    };
    for effect in found.effects.iter_mut().filter(|effect| effect.given.is_none()) {
        effect.predicted = match &effect.change {
            Change::Slack { slack_ns: Some(slack) } if *slack <= NO_SLACK => worth(false),
            Change::Policy { policy: Some(policy) } if policy.is_real_time() => worth(true),
            _ => None,
        };
    }
}

/// Adds the intervention's findings that the pattern does not have. The way to the kernel is only a part of a cost, so
/// it is a finding of its own.
fn add(cell: &mut CellDiagnosis, found: &Interventions) {
    for finding in found.readings.iter().filter_map(|reading| reading.finding.as_ref()) {
        let known = cell.findings.iter_mut().find(|known| known.cause() == finding.cause());
        match known.filter(|_| finding.cause() != Cause::ConstantCost) {
            Some(known) => {
                known.witnesses.push(Witness::Intervention);
                if let Some(changed) = finding.evidence.intervention() {
                    known.evidence.add_intervention(changed.clone());
                }
            }
            None => cell.findings.push(finding.clone()),
        }
    }
}

fn side(cell: &CellDiagnosis, interventions: Option<&Interventions>, traced: Option<&Traced>) -> SideBySide {
    let p50 = estimates::by_all(cell, interventions, traced, estimates::Quantile::P50);
    let p99 = estimates::by_all(cell, interventions, traced, estimates::Quantile::P99);
    SideBySide { cell: cell.cell, p50: rows(p50, cell), p99: rows(p99, cell), trace: traced.cloned() }
}

fn rows(estimates: Vec<(String, [Option<Estimate>; 3])>, cell: &CellDiagnosis) -> Vec<CauseEstimates> {
    let row = |(cause, estimates): (String, [Option<Estimate>; 3])| {
        let verdict =
            if cause == estimates::UNEXPLAINED { WitnessAgreement::Alone } else { agree::verdict(&estimates) };
        let known = cell.findings.iter().filter(|finding| finding.cause().name() == cause);
        let pattern = known.map(|finding| finding.confidence).reduce(f64::max);
        let confidence = agree::confidence(verdict, pattern, &estimates);
        let [pattern, intervention, trace] = estimates;
        CauseEstimates { cause, pattern, intervention, trace, verdict, confidence }
    };
    estimates.into_iter().map(row).collect()
}

/// Applies the comparison to the cell's findings: witnesses, confidence and disagreements.
fn enter(cell: &mut CellDiagnosis, side: &SideBySide) {
    for finding in &mut cell.findings {
        let Some(row) = side.p50.iter().find(|row| row.cause == finding.cause().name()) else { continue };
        if row.trace.is_some_and(Estimate::finds) && !finding.witnesses.contains(&Witness::Trace) {
            finding.witnesses.push(Witness::Trace);
        }
        finding.confidence = row.confidence.unwrap_or(finding.confidence);
        contradiction(finding, row);
    }
}

fn contradiction(finding: &mut Finding, row: &CauseEstimates) {
    if row.verdict != WitnessAgreement::Differ {
        return;
    }
    let size = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.size);
    let (pattern, intervention, trace) = (size(row.pattern), size(row.intervention), size(row.trace));
    finding.evidence.disagree(Disagreement { pattern, intervention, trace });
}

#[cfg(test)]
mod tests;
