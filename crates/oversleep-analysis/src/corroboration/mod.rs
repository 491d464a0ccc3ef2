//! Compares the witnesses: what the pattern, the intervention and the trace say of the same cell's lateness.
//!
//! Where two of them size a cause and their intervals overlap, confidence rises; where they do not, it falls, and the
//! row says so. No witness overrules another: every size stays visible.

mod agree;
mod estimates;
mod trace;

pub use oversleep_recording::document::{CauseEstimates, Corroboration, Estimate, SideBySide, WitnessAgreement};
pub use trace::{prefer_events, traced};

use super::attribution::{by_cause, late_sleeps};
use super::interventions::intervene;
use super::latency_hold::{DID_NOTHING, holds, instead};
use super::patterns::remedied_system;
use oversleep_recording::document::evidence::Disagreement;
use oversleep_recording::document::{Cause, CellDiagnosis, Diagnosis, Effect, Finding, Interventions, Remedy, Witness};
use oversleep_recording::plan::intervene::Change;
use oversleep_recording::plan::{Cell, Policy};
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
    drop_refuted(recording, diagnosis);
    if let Some(found) = &interventions {
        drop_useless(found, diagnosis);
        diagnosis.undecided.extend(found.open.iter().cloned());
    }
    Corroboration { interventions, cells }
}

/// Removes stops that the samples suggest where a sleep that was examined shows that so long a lateness had another cause.
fn drop_refuted(recording: &Recording, diagnosis: &mut Diagnosis) {
    let Some(late) = late_sleeps(&recording.meta.plan, &recording.note) else { return };
    let others: Vec<Nanos> = late
        .sleeps
        .iter()
        .filter(|sleep| {
            let complete = sleep.breakdown.as_ref().filter(|breakdown| breakdown.is_complete());
            let causes = complete.map(by_cause).unwrap_or_default();
            let largest = causes.into_iter().max_by_key(|(_, ns)| *ns);
            largest.is_some_and(|(cause, _)| cause.is_some_and(|cause| cause != Cause::Stopped))
        })
        .map(|sleep| sleep.length)
        .collect();
    let is_refuted = |finding: &Finding| {
        let is_pattern = finding.cause() == Cause::Stopped && finding.evidence.examined().is_none();
        is_pattern && others.iter().any(|length| length.as_f64() >= 0.5 * finding.size)
    };
    diagnosis.machine.retain(|finding| !is_refuted(finding));
    diagnosis.cells.iter_mut().for_each(|cell| cell.findings.retain(|finding| !is_refuted(finding)));
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

/// Removes from every finding the remedies of which no effect was seen, or a harmful one.
fn drop_useless(found: &Interventions, diagnosis: &mut Diagnosis) {
    let of_cells = diagnosis.cells.iter_mut().flat_map(|cell| &mut cell.findings);
    for finding in of_cells.chain(&mut diagnosis.machine) {
        drop_from(finding, found);
    }
}

fn drop_from(finding: &mut Finding, found: &Interventions) {
    let (useless, kept): (Vec<Remedy>, Vec<Remedy>) =
        finding.remedy.drain(..).partition(|remedy| is_useless(remedy, found));
    finding.remedy = kept;
    let alternatives = useless.iter().filter_map(alternative);
    finding.remedy.extend(alternatives);
    if finding.remedy.is_empty() && useless.iter().any(holds) {
        finding.remedy = vec![instead(DID_NOTHING)];
    }
}

/// Returns the rest of a remedy whose first alternative, a real-time policy, is useless.
fn alternative(remedy: &Remedy) -> Option<Remedy> {
    let (_, rest) = remedy.command.split_once(", or ").filter(|_| remedy.makes_real_time())?;
    Some(Remedy { command: rest.to_owned(), predicted: None, ..remedy.clone() })
}

/// Returns whether the recording tried a remedy, and it did not help. A remedy whose effect is undecided may help.
fn is_useless(remedy: &Remedy, found: &Interventions) -> bool {
    let tried = |effect: &&Effect| effect.given.is_none() && is_tried(remedy, &effect.change);
    let tried: Vec<&Effect> = found.effects.iter().filter(tried).collect();
    !tried.is_empty() && tried.iter().all(|effect| !effect.helped() && !found.is_undecided(effect))
}

/// Returns whether a change does what a remedy recommends.
fn is_tried(remedy: &Remedy, change: &Change) -> bool {
    match change {
        Change::Hold { hold_ns: Some(_) } => holds(remedy),
        Change::Slack { slack_ns: Some(slack) } => slack.get() <= 1 && remedy.command.contains("PR_SET_TIMERSLACK"),
        Change::Policy { policy: Some(Policy::Fifo { priority }) } => {
            remedy.real_time_priority().is_some_and(|asked| asked <= *priority)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::trace::traced;
    use crate::attribution::{Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind};
    use oversleep_sys::units::Nanos;

    /// Returns a sleep with 50 µs of slack, an interrupt 25 µs late (20 of them to leave idle), `rest` µs to be woken, and
    /// 8 µs in the run queue.
    fn breakdown(sequence: u64, rest: i64, evidence: PartEvidence) -> Breakdown {
        let us = |us: i64| Nanos::from_micros(us);
        let mut chain = BreakdownBuilder::new(sequence, Nanos::ZERO, us(83 + rest));
        chain.part(PartKind::Slack, us(50), None, evidence);
        chain.part(PartKind::IrqLate, us(25), None, PartEvidence::Tracepoint).push((Owner::Idle(None), us(20)));
        chain.part(PartKind::Wake, us(rest), None, PartEvidence::Tracepoint);
        *chain.part(PartKind::RunQueue, us(8), None, PartEvidence::Tracepoint) =
            vec![(Owner::Timer, us(2)), (Owner::Softirq(9), us(1)), (Owner::Idle(Some(1)), us(4))];
        chain.finish()
    }

    #[test]
    fn parts_go_to_their_causes_and_nothing_is_lost() {
        let breakdowns: Vec<Breakdown> =
            (0..300).map(|number| breakdown(number, 3, PartEvidence::Tracepoint)).collect();
        assert!(breakdowns.iter().all(Breakdown::is_complete));
        let witness = traced(7, "events", &breakdowns, &[Nanos::from_micros(80); 9], &[Nanos::from_micros(6); 5]);
        let us = |cause: &str| witness.parts.iter().find(|part| part.cause == cause).map(|part| part.p50.get() / 1_000);
        assert_eq!(us("timer-slack"), Some(50));
        assert_eq!(us("idle-exit"), Some(24));
        assert_eq!(us("late-interrupt"), Some(5));
        assert_eq!(us("constant-cost"), Some(5));
        assert_eq!(us("run-queue"), Some(2));
        assert_eq!(witness.parts.iter().map(|part| part.p50.get()).sum::<i64>(), 86_000);
        assert_eq!(witness.parts.iter().filter_map(|part| part.at_p99).map(Nanos::get).sum::<i64>(), 86_000);
        assert!((witness.parts.iter().map(|part| part.share).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!((witness.cell, witness.sleeps, witness.complete), (7, 300, 300));
        assert_eq!(
            (witness.traced_p50, witness.untraced_p50),
            (Some(Nanos::from_micros(86)), Some(Nanos::from_micros(80)))
        );
        assert_eq!(witness.shift.map(|shift| shift.size), Some(Nanos::from_micros(6)));
    }

    #[test]
    fn slack_by_rule_is_no_observation() {
        let breakdowns: Vec<Breakdown> = (0..20).map(|number| breakdown(number, 3, PartEvidence::Known)).collect();
        let witness = traced(0, "switches", &breakdowns, &[], &[]);
        assert!(witness.parts.iter().all(|part| part.cause != "timer-slack"));
        assert!(witness.parts.iter().any(|part| part.cause == "unexplained" && part.p50 == Nanos::from_micros(50)));
        // 20 sleeps do not support a 99th percentile, and no untraced ones no median.
        assert!(witness.parts.iter().all(|part| part.at_p99.is_none()));
        assert_eq!((witness.untraced_p50, witness.shift), (None, None));
    }

    #[test]
    fn too_few_sleeps_say_nothing() {
        assert!(traced(0, "events", &[breakdown(0, 3, PartEvidence::Tracepoint)], &[], &[]).parts.is_empty());
    }
}
