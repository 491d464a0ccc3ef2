//! Turns the results of the analysis into documents: what a command prints as JSON.

use oversleep_figures::{CellSummary, Overlay, ThreadSummary, buckets};
use oversleep_recording::document::{
    AskedAndObtained, CellFigures, Checkup, Corroboration, Coverage, Diagnosed, Diagnosis, Explained, ExplainedCell,
    Measured, PeriodCounts, ThreadFigures,
};
use oversleep_recording::{Meta, Note, Periods};

/// Returns the document of a measurement: the figures of a recording's cells.
pub fn measured(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Measured {
    with_cells(meta, note, cells.iter().map(cell_figures).collect())
}

/// Returns a document of figures and findings; `diagnosis` says what the pattern of the samples shows.
pub fn checkup(meta: &Meta, note: &Note, cells: &[CellSummary], diagnosis: &Diagnosis) -> Checkup {
    let explained = cells.iter().map(|summary| {
        let found = diagnosis.cells.iter().find(|found| found.cell == summary.cell.id);
        ExplainedCell {
            figures: cell_figures(summary),
            findings: found.map_or_else(Vec::new, |found| found.findings.clone()),
            budget: found.map(|found| found.budget.clone()),
            witnesses: None,
        }
    });
    Checkup {
        measured: with_cells(meta, note, explained.collect()),
        findings: diagnosis.machine.clone(),
        undecided: diagnosis.undecided.clone(),
    }
}

/// Returns a document of figures and findings, with what the other witnesses (interventions, trace) say.
pub fn diagnosed(
    meta: &Meta,
    note: &Note,
    cells: &[CellSummary],
    diagnosis: &Diagnosis,
    corroboration: &Corroboration,
) -> Diagnosed {
    let mut found = checkup(meta, note, cells, diagnosis);
    for (cell, summary) in found.measured.cells.iter_mut().zip(cells) {
        cell.witnesses = corroboration.cells.iter().find(|side| side.cell == summary.cell.id).cloned();
    }
    Diagnosed { found, interventions: corroboration.interventions.clone() }
}

/// Adds to `diagnosed` how much of the recording was analysed, and the model of the findings.
pub fn explained(diagnosed: Diagnosed, looked_at: Coverage, model: &Overlay) -> Explained {
    Explained { diagnosed, looked_at, model: model.document.clone() }
}

/// Returns the document of a recording with these cells.
pub fn with_cells<C>(meta: &Meta, note: &Note, cells: Vec<C>) -> Measured<C> {
    let mut machine = meta.machine.clone();
    machine.timekeeping.tick_measured = note.tick_measured.or(machine.timekeeping.tick_measured);
    Measured {
        format: Measured::FORMAT,
        tool: meta.tool.clone(),
        kind: meta.plan.kind,
        origin: meta.origin.clone(),
        started: meta.started.clone(),
        ended: note.end.clone(),
        machine,
        cells,
        distributions: buckets::figures(&meta.plan, note),
        conventions: note.conventions.clone(),
        lost: note.lost,
        unsound: note.unsound.clone(),
        unavailable: meta.unavailable.iter().chain(&note.unavailable).cloned().collect(),
        late: super::attribution::late_sleeps(&meta.plan, note),
        told: note.probes.iter().flat_map(|probe| super::runtimes::kernel_requests(note, &probe.method)).collect(),
        stalls: None,
        attached: None,
        loops: Vec::new(),
    }
}

/// Returns the figures of a cell.
pub(super) fn cell_figures(summary: &CellSummary) -> CellFigures {
    let cell = &summary.cell;
    CellFigures {
        method: cell.method.clone(),
        // A request of zero in a cell without samples means that its request is not known.
        requested_ns: cell.pattern.requested().filter(|asked| summary.raw.n > 0 || asked.get() != 0),
        pattern: cell.pattern.kind(),
        absolute: cell.absolute(),
        clock: cell.clock,
        conditions: AskedAndObtained { asked: cell.conditions.clone(), obtained: summary.obtained.clone() },
        raw: summary.raw.clone(),
        interrupted: summary.interrupted,
        failed: summary.failed,
        first_ns: summary.first.clone(),
        cost: summary.cost,
        periods: summary.periods.as_ref().map(periods),
        threads: summary.threads.iter().map(thread).collect(),
        corrected: summary.corrected.clone(),
        time_left: summary.time_left(None),
        over: None,
    }
}

fn thread(summary: &ThreadSummary) -> ThreadFigures {
    ThreadFigures { thread: summary.thread, raw: summary.raw.clone(), periods: summary.periods.as_ref().map(periods) }
}

pub(super) fn periods(account: &Periods) -> PeriodCounts {
    let Periods { asked, fresh, late, skipped, early, .. } = *account;
    PeriodCounts { asked, fresh, late, skipped, early }
}
