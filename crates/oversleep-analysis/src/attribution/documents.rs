//! Documents of a recording's traced cells.

use super::traced::{TracedCell, traced_cells};
use super::{Breakdown, spread, summarise};
use oversleep_figures::interval::median_difference;
use oversleep_recording::document::trace::{Lacking, LackingKind, Trace, TraceConditions, Untraced};
use oversleep_recording::{Missing, Recording};
use oversleep_sys::units::Nanos;

/// Returns a document for each traced cell of a recording, in the plan's order. `every`: whether it contains every
/// sleep's breakdown.
pub fn trace_documents(recording: &Recording, every: bool) -> Vec<Trace> {
    traced_cells(recording).into_iter().map(|cell| document(cell, every)).collect()
}

fn document(of: TracedCell<'_>, every: bool) -> Trace {
    let shift = median_difference(&of.shifts);
    let trace = summarise(&of.breakdowns);
    let oversleeps = |late: &[Nanos]| spread(late.iter().map(|late| late.get()).collect());
    let traced: Vec<Nanos> = of.breakdowns.iter().map(Breakdown::oversleep).collect();
    let tracing = of.tracing;
    let lacking = |missing: &Missing, kind| Lacking { what: missing.what.clone(), why: missing.why.clone(), kind };
    let events = tracing.missing.iter().map(|missing| lacking(missing, LackingKind::Event));
    let conditions = tracing.conditions_refused.iter().map(|missing| lacking(missing, LackingKind::Condition));
    Trace {
        format: 1,
        untraced_cell: of.untraced_cell,
        method: of.cell.method.clone(),
        requested: of.cell.pattern.typical(),
        conditions: TraceConditions { asked: of.cell.conditions.without_tracing(), obtained: of.obtained },
        tier: tracing.tier,
        own_switches: tracing.own_switches,
        higher_tiers: tracing.refused.clone(),
        complete_share: (trace.sleeps > 0).then(|| trace.complete as f64 / trace.sleeps as f64),
        trace,
        traced: oversleeps(&traced),
        untraced: Untraced { n: of.untraced.len() as u64, spread: oversleeps(&of.untraced) },
        trace_shift: shift.map(|apart| apart.size),
        trace_shift_low: shift.map(|apart| apart.low),
        trace_shift_high: shift.map(|apart| apart.high),
        pairs: of.shifts.len(),
        hidden_breaks: of.breaks,
        lost_events: of.lost,
        interrupted: of.interrupted,
        ended_early: tracing.ended.clone(),
        unavailable: events.chain(conditions).collect(),
        findings: Vec::new(),
        sleeps: every.then_some(of.breakdowns),
    }
}
