//! Results on standard output.

use crate::args::{Checks, OutputFormat};
use crate::failure::Failure;
use crate::say::say;
use oversleep_lab::export::csv::{Csv, CsvForm};
use oversleep_lab::report::check::CheckResult;
use oversleep_lab::report::notes::refusals;
use oversleep_lab::session::Results;
use oversleep_recording::plan::Plan;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Returns a sink that writes every sample as CSV to standard output.
pub(crate) fn csv(plan: &Plan) -> Csv<BufWriter<io::Stdout>> {
    Csv::new(CsvForm, plan, BufWriter::new(io::stdout()))
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
pub(crate) fn results(results: &Results, shown: OutputFormat, checks: &Checks) -> Result<(), Failure> {
    checkable(results, checks)?;
    print(if shown.json { Ok(results.json()) } else { Err(results.text(shown.screen())) })?;
    judge(results, checks)
}

/// Returns whether anything was measured and passes the checks asked for.
pub(crate) fn judge(results: &Results, checks: &Checks) -> Result<(), Failure> {
    if results.meta.plan.is_clocks() {
        return Ok(());
    }
    let empty = results.is_empty();
    if empty && results.stalls.as_ref().is_some_and(|stalls| !stalls.processors.is_empty()) {
        // Not a stall: the best result there is.
        return Ok(());
    }
    // Sleeps that never ended are a result, though without figures.
    if empty && results.note.hung.is_empty() {
        return Err(Failure::trouble("no sleep was measured; the lines above say why"));
    }
    limits(results, checks)
}

/// Says which command goes on from here, on standard error; nothing to programs.
pub(crate) fn next(file: Option<&Path>, quiet: bool) {
    if let Some(file) = file.filter(|_| !quiet) {
        say!("next: oversleep explain {}", file.display());
    }
}

/// Refuses checks where there is nothing to check, before anything is shown.
pub(crate) fn checkable(results: &Results, checks: &Checks) -> Result<(), Failure> {
    if results.meta.plan.is_clocks() {
        return checks.refuse("a survey of clocks has no sleeps to check");
    }
    if !results.note.distributions.is_empty() {
        return checks.refuse("the file has buckets and no samples, so that figures are known within bounds alone");
    }
    Ok(())
}

/// Returns whether every condition was obtained and the figures pass the checks asked for. Tracing takes time of its own, so
/// traced cells are not checked.
pub(crate) fn limits(results: &Results, checks: &Checks) -> Result<(), Failure> {
    if checks.fail_if.is_empty() {
        return Ok(());
    }
    let untraced = || results.cells.iter().filter(|cell| cell.cell.conditions.traced != Some(true));
    let refused = refusals(&results.meta, &results.note).into_iter().map(CheckResult::Failed);
    verdict(refused.chain(checks.fail_if.iter().flat_map(|check| check.judge(untraced()))))
}

/// Says which checks failed. One that cannot be decided neither passes nor fails: nothing was measured that would tell.
pub(crate) fn verdict(results: impl Iterator<Item = CheckResult>) -> Result<(), Failure> {
    let (mut failed, mut undecided) = (false, None);
    for result in results {
        match result {
            CheckResult::Failed(text) => {
                say!("check failed: {text}");
                failed = true;
            }
            CheckResult::Undecided(text) => undecided = undecided.or(Some(text)),
        }
    }
    match undecided {
        _ if failed => Err(Failure::Check),
        Some(text) => Err(Failure::trouble(format!("a check cannot be decided: {text}"))),
        None => Ok(()),
    }
}
