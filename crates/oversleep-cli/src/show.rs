//! Results on standard output.

use crate::args::Output;
use crate::failure::Failure;
use crate::say::say;
use oversleep_lab::export::csv::Csv;
use oversleep_lab::figures::CellSummary;
use oversleep_lab::report::check::FailIf;
use oversleep_lab::session::Results;
use oversleep_recording::plan::Plan;
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Returns a sink that writes every sample as CSV to standard output.
pub(crate) fn csv(plan: &Plan) -> Csv<BufWriter<io::Stdout>> {
    Csv::new(plan, BufWriter::new(io::stdout()))
}

/// Writes a document and a line end, or text as it is.
pub(crate) fn print(document_or_text: Result<String, String>) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match document_or_text {
        Ok(document) => writeln!(out, "{document}")?,
        Err(text) => write!(out, "{text}")?,
    }
    Ok(out.flush()?)
}

/// Writes a document.
pub(crate) fn json(out: &mut impl Write, document: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Shows the figures, as a table or as JSON, and whether they pass the checks asked for.
pub(crate) fn results(results: &Results, output: &Output) -> Result<(), Failure> {
    checkable(results, output)?;
    print(if output.json { Ok(results.json()) } else { Err(results.text(output.look())) })?;
    judge(results, output)
}

/// Returns whether anything was measured and passes the checks asked for.
pub(crate) fn judge(results: &Results, output: &Output) -> Result<(), Failure> {
    if results.meta.plan.is_clocks() {
        return Ok(());
    }
    let empty = results.cells.iter().all(|cell| cell.raw.n == 0);
    if empty && results.stalls.as_ref().is_some_and(|stalls| !stalls.processors.is_empty()) {
        // Not a stall: the best result there is.
        return Ok(());
    }
    if empty {
        return Err(Failure::trouble("nothing could be measured; the lines above say why"));
    }
    limits(&results.cells, &output.fail_if)
}

/// Refuses checks where there is nothing to check, before anything is shown.
pub(crate) fn checkable(results: &Results, output: &Output) -> Result<(), Failure> {
    if results.meta.plan.is_clocks() { output.no_checks("a survey of clocks has no sleeps to check") } else { Ok(()) }
}

/// Returns whether the figures pass the checks asked for. Tracing has its price, so traced cells are not asked.
pub(crate) fn limits(cells: &[CellSummary], fail_if: &[FailIf]) -> Result<(), Failure> {
    let untraced: Vec<CellSummary> =
        cells.iter().filter(|cell| cell.cell.conditions.traced != Some(true)).cloned().collect();
    let failures: Vec<_> = fail_if.iter().flat_map(|check| check.failures(&untraced)).collect();
    for failure in &failures {
        say!("check failed: {failure}");
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Check) }
}
