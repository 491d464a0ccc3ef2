//! Results on standard output.

use crate::args::{Checks, OutputFormat};
use crate::failure::Failure;
use crate::say::say;
use oversleep_lab::export::csv::{Csv, CsvForm};
use oversleep_lab::report::Screen;
use oversleep_lab::report::check::{CheckResult, FailIf, Known};
use oversleep_lab::report::notes::{refusals, unavailable};
use oversleep_lab::session::{Results, is_standard};
use oversleep_recording::plan::{Kind, Plan};
use oversleep_recording::text::on_terminal;
use oversleep_recording::{End, exact_time, shell_word};
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Returns a sink that writes every sample to standard output as CSV.
pub(crate) fn csv(plan: &Plan) -> Csv<BufWriter<io::Stdout>> {
    Csv::new(CsvForm, plan, BufWriter::new(io::stdout()))
}

/// Writes a JSON document (`Ok`) and a line end, or text (`Err`) without what would change a terminal, to standard
/// output.
pub(crate) fn print(document_or_text: Result<String, String>) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match document_or_text {
        Ok(document) => writeln!(out, "{document}")?,
        Err(text) => write!(out, "{}", on_terminal(&text))?,
    }
    Ok(out.flush()?)
}

/// Writes a document as indented JSON, with a line end.
pub(crate) fn json(out: &mut impl Write, document: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Shows the figures as a table or as JSON; returns an error if there are none or a check fails.
pub(crate) fn print_results(results: &Results, shown: OutputFormat, checks: &Checks) -> Result<(), Failure> {
    checkable(results, checks)?;
    if !shown.json && is_cut_before_samples(results) {
        // A table without figures would say nothing beside the error.
        return judge(results, checks);
    }
    print(if shown.json { Ok(results.json()) } else { Err(results.text(shown.screen())) })?;
    if shown.json {
        refused(results, checks);
    }
    judge(results, checks)
}

/// Returns an error if nothing was measured, with the reason, or a check fails.
pub(crate) fn judge(results: &Results, checks: &Checks) -> Result<(), Failure> {
    judge_as(results, checks, || match (&reasons(results)[..], &results.note.end) {
        ([], None) => reason(results),
        _ => format!("no sleep was measured: {}", reason(results)),
    })
}

/// Does the same where standard error already has the reasons, as with `--csv`.
pub(crate) fn judge_explained(results: &Results, checks: &Checks) -> Result<(), Failure> {
    judge_as(results, checks, || {
        let is_said = !reasons(results).is_empty();
        format!(
            "no sleep was measured: {}",
            if is_said { "the lines above say why".to_owned() } else { reason(results) }
        )
    })
}

/// Returns the lines on what could not be measured.
fn reasons(results: &Results) -> Vec<String> {
    let lines = unavailable(&results.meta, &results.note, Screen::PLAIN);
    lines.lines().filter(|line| !line.starts_with("WARNING")).map(str::to_owned).collect()
}

/// Returns why nothing was measured, in one line: standard output, which says so too, may be somewhere else.
pub(crate) fn reason(results: &Results) -> String {
    let lines = reasons(results);
    match (&lines[..], &results.note.end) {
        ([only], _) => only.clone(),
        ([first, more @ ..], _) => format!("{first} (and {} more)", more.len()),
        ([], Some(End::Interrupted)) => "the run was interrupted before the first sleep was over".to_owned(),
        ([], Some(End::TimeOver)) => "the run's time (-d) was over before the first sleep was".to_owned(),
        ([], None) => {
            "the recording is cut off before its first sample: its run was killed, or is not over, or the copy is incomplete; \
             samples are written about once a second, so wait, copy it again, or measure again"
                .to_owned()
        }
        ([], Some(End::Complete)) => "nothing says why".to_owned(),
    }
}

fn judge_as(results: &Results, checks: &Checks, nothing: impl FnOnce() -> String) -> Result<(), Failure> {
    if results.meta.plan.kind == Kind::Clocks {
        return Ok(());
    }
    let empty = results.is_empty();
    if empty && results.stalls.as_ref().is_some_and(|stalls| !stalls.processors.is_empty()) {
        // No stall at all is the best result.
        return Ok(());
    }
    if says_nothing(results) {
        return Err(Failure::trouble(nothing()));
    }
    limits(results, checks)
}

/// Returns whether there is nothing to explain. Sleeps that never ended are a result, even without figures.
fn says_nothing(results: &Results) -> bool {
    results.is_empty() && results.note.hung.is_empty()
}

/// Returns whether the results are of a recording that breaks off before its first sample.
fn is_cut_before_samples(results: &Results) -> bool {
    results.note.end.is_none()
        && results.stalls.is_none()
        && results.meta.plan.kind != Kind::Clocks
        && says_nothing(results)
}

/// Names the command that explains the measurement, on standard error; nothing if `quiet`, or if nothing was measured.
pub(crate) fn next(results: &Results, quiet: bool) {
    if let Some(file) = results.kept_in.as_deref().filter(|_| !quiet && !says_nothing(results)) {
        explain(file, results.work());
    }
}

fn explain(file: &Path, work: Option<Nanos>) {
    let work = work.map_or_else(String::new, |work| format!(" --work {}", exact_time(work)));
    say!("next: oversleep explain {}{work}", shell_word(&file.display().to_string()));
}

/// Names the command that explains what `report` has shown, on standard error; nothing for surveys of clocks and the like,
/// which explain themselves, and for standard input, which has been read. Without a file it was the last recording.
pub(crate) fn next_after_report(results: &Results, file: Option<&Path>) {
    if results.meta.plan.kind.has_own_document() || file.is_some_and(is_standard) || says_nothing(results) {
        return;
    }
    if let Some(file) = file { explain(file, results.work()) } else { say!("next: oversleep explain") }
}

/// Says on standard error which conditions were refused, where the output is for programs: they may not look for it.
pub(crate) fn refused(results: &Results, checks: &Checks) {
    // With --fail-if, the failed check says so.
    if checks.fail_if.is_empty() {
        warn(&refusals(&results.meta, &results.note));
    }
}

/// Warns on standard error that conditions were refused.
pub(crate) fn warn(refusals: &[String]) {
    for refusal in refusals {
        say!("WARNING: {refusal}");
    }
}

/// Refuses `--fail-if` for results that have nothing to check; called before anything is shown.
pub(crate) fn checkable(results: &Results, checks: &Checks) -> Result<(), Failure> {
    if results.meta.plan.kind == Kind::Clocks {
        return checks.refuse("a survey of clocks has no sleeps to check");
    }
    checks.need_work(results.work())
}

/// With `--fail-if`, returns an error if a condition was refused or a check fails. Traced cells are not checked:
/// tracing itself takes time.
pub(crate) fn limits(results: &Results, checks: &Checks) -> Result<(), Failure> {
    if checks.fail_if.is_empty() {
        return Ok(());
    }
    let untraced = || results.cells.iter().filter(|cell| cell.cell.conditions.traced != Some(true));
    if let Some(remark) = results.schedules() {
        say!("{remark}");
    }
    // Stopped by its own rule it has done what was asked; by somebody else it has not.
    let stopped = results.note.late.as_ref().is_some_and(|late| late.stopped);
    let cut = (results.note.end == Some(End::Interrupted) && !stopped).then(|| {
        CheckResult::Undecided("the run was interrupted; what it would have slept later is not known".to_owned())
    });
    let refused = refusals(&results.meta, &results.note).into_iter().map(CheckResult::Failed);
    let counts = results.counts();
    let known = Known { work: results.work(), watched: results.watched() };
    let judge = |check: &FailIf| [check.judge(untraced(), known), check.judge_counts(counts.iter())].concat();
    verdict(refused.chain(checks.fail_if.iter().flat_map(judge)).chain(cut))
}

/// Says what the checks found. A check that cannot be decided neither passes nor fails, and is trouble (exit 3).
pub(crate) fn verdict(results: impl Iterator<Item = CheckResult>) -> Result<(), Failure> {
    let (mut failed, mut undecided) = (false, None);
    for result in results {
        match result {
            CheckResult::Passed { text, .. } => say!("check passed: {text}"),
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
