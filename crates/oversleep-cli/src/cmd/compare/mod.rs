//! `compare`: compares two sides, given as recordings or measured in turns.

mod interleaved;

use super::report::page;
use crate::args::{CompareArgs, DocumentForm, Sides};
use crate::atomic_file::write;
use crate::failure::Failure;
use crate::input::read;
use crate::say::say;
use crate::show;
use oversleep_lab::import::{ImportOptions, is_table};
use oversleep_lab::report::check::CheckResult;
use oversleep_lab::report::notes::refusals;
use oversleep_lab::report::picture;
use oversleep_lab::session::{ComparableRun, Comparison, Copies, Gather, Input};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let sides = args.sides()?;
    args.check_out(&sides)?;
    args.need_work()?;
    // Of sides that are measured; removed at the end.
    let folder = tempfile::tempdir().map_err(|error| Failure::trouble(format!("no temporary folder: {error}")))?;
    let (comparison, refused, files) = match sides {
        Sides::Files([a, b]) => {
            let files = [a.clone(), b.clone()].concat();
            let read = |side: &[std::path::PathBuf]| {
                side.iter().map(|file| gathered(file, &file.display().to_string(), args)).collect::<Result<Vec<_>, _>>()
            };
            let (a, b) = (read(&a)?, read(&b)?);
            check_columns(args, a.iter().chain(&b))?;
            let mut copies = Copies::default();
            a.iter().chain(&b).try_for_each(|run| copies.refuse(&run.name, run.checksum)).map_err(Failure::usage)?;
            let refused = refusals_of(&a, &b);
            show::warn(&busy_of(&a, &b));
            let comparison = Comparison::new(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), args.paired);
            (comparison, refused, files)
        }
        Sides::Measure(sides) => interleaved::measure(&sides, args, folder.path())?,
    };
    let none = comparison.0.cells.is_empty();
    // Before the table: figures made under other conditions read differently.
    if args.fail_if.is_empty() || none {
        show::warn(&refused);
    }
    print(&comparison, &files, args)?;
    if none {
        return Err(nothing_in_common(&comparison));
    }
    if args.fail_if.is_empty() {
        return Ok(());
    }
    let refused = refused.into_iter().map(CheckResult::Failed);
    show::verdict(refused.chain(args.fail_if.iter().flat_map(|limit| limit.judge(&comparison))))
}

/// Prints the comparison in the form asked for, or writes it to the file of `--out`; a page is of the files compared.
fn print(comparison: &Comparison, files: &[PathBuf], args: &CompareArgs) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        let form = DocumentForm::of_out(out)?;
        let picture = || comparison.svg().map_err(|why| Failure::trouble(format!("there is nothing to draw: {why}")));
        let made = match form {
            DocumentForm::Markdown => comparison.markdown().into_bytes(),
            DocumentForm::Svg => picture()?.into_bytes(),
            DocumentForm::Png => picture::png(&picture()?).map_err(Failure::trouble)?,
            DocumentForm::Page => {
                let inputs: Vec<Input> = files.iter().map(|file| input_of(file, args)).collect();
                page::compared(&inputs, comparison)?.into_bytes()
            }
        };
        write(out, &made)?;
        say!("{}", comparison.sentence());
        say!("the {} is {}", form.noun(), out.display());
        return Ok(());
    }
    show::print(match (args.shown.json, args.markdown) {
        (true, _) => Ok(comparison.json()),
        (false, true) => Err(comparison.markdown()),
        (false, false) => Err(comparison.text(args.shown.screen())),
    })
}

/// Returns the failure that no cell of A has a counterpart in B, with what each side has.
fn nothing_in_common(comparison: &Comparison) -> Failure {
    let [a, b] = comparison.unpaired();
    Failure::trouble(format!(
        "nothing was compared: a row of A is paired with the row of B that has the same method, request and conditions, or else with \
         the only one that has the same method or request; A has {a}, and B has {b}"
    ))
}

/// Returns which conditions were refused to either side, each once: a side that did not obtain what it is named after is not
/// what was to be compared.
fn refusals_of(a: &[ComparableRun], b: &[ComparableRun]) -> Vec<String> {
    let refusals = |side: &str, runs: &[ComparableRun]| {
        let all = runs.iter().flat_map(|run| refusals(&run.meta, &run.note));
        all.map(|refusal| format!("side {side}: {refusal}")).collect::<BTreeSet<String>>()
    };
    refusals("A", a).into_iter().chain(refusals("B", b)).collect()
}

/// Returns which sides were measured while the machine was busy with something else.
fn busy_of(a: &[ComparableRun], b: &[ComparableRun]) -> Vec<String> {
    let busy_runs = |side: &str, runs: &[ComparableRun]| {
        let busy = runs.iter().filter(|run| run.meta.machine.is_busy()).count();
        (busy > 0).then(|| {
            format!(
                "side {side}: the machine was busy when {} began",
                if runs.len() == 1 { "the run".to_owned() } else { format!("{busy} of {} runs", runs.len()) }
            )
        })
    };
    [busy_runs("A", a), busy_runs("B", b)].into_iter().flatten().collect()
}

/// Refuses `--columns` where no file has columns that it could name.
fn check_columns<'a>(args: &CompareArgs, mut runs: impl Iterator<Item = &'a ComparableRun>) -> Result<(), Failure> {
    if args.columns.is_none() || runs.any(|run| is_table(&run.meta)) {
        return Ok(());
    }
    Err(Failure::usage("--columns names the columns of tables, and none of these files is one"))
}

/// Returns how to read one of the files compared.
fn input_of(file: &Path, args: &CompareArgs) -> Input {
    let options = ImportOptions { columns: args.columns.clone().unwrap_or_default(), among_others: true };
    Input { path: Some(file.to_owned()), partial: false, options }
}

/// Reads a recording or another program's file for a comparison, in which it is called `name`.
fn gathered(file: &Path, name: &str, args: &CompareArgs) -> Result<ComparableRun, Failure> {
    let mut gather = None;
    let input = input_of(file, args);
    let way = "`oversleep export --partial` writes them into a file of their own";
    read(&input, None, |meta| gather.insert(Gather::new(name, meta).for_work(args.work)), way)?;
    match gather.map(Gather::finish) {
        Some(run) if run.checksum.is_some() => {
            args.check_periods(&run)?;
            Ok(run)
        }
        _ => Err(Failure::trouble(format!("{name}: there are no sleeps in it to compare"))),
    }
}
