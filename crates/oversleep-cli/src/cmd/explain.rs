//! `explain`: says why the sleeps of a recording were late, or what explains stated figures. A file is read once.

use crate::args::{AfterArgs, AskedArgs, FileArgs, ReadArgs};
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use oversleep_lab::session::{AskedExplanation, AskedTable, Explainer, is_standard};
use oversleep_recording::asked::Question;
use std::path::Path;

pub(crate) fn run(args: &ReadArgs) -> Result<(), Failure> {
    let before = question(args.input.file.as_deref(), &args.input, &args.asked)?;
    if before.is_none() && !args.after.is_empty() {
        return Err(Failure::usage(
            "what follows -- is about stated figures (--asked, --took) or tables without starts; two recordings are compared by \
             `oversleep compare BEFORE AFTER`",
        ));
    }
    if let Some(before) = before {
        args.checks.refuse("it compares figures of recordings")?;
        if args.input.partial {
            return Err(Failure::usage("--partial is for damaged recordings: leave it out when figures are stated"));
        }
        let answer = if args.after.is_empty() {
            AskedExplanation::new(&before)
        } else {
            AskedExplanation::of_change(&before, &before.after(changed(args)?))
        };
        let answer = answer.map_err(Failure::usage)?;
        return show::print(if args.shown.json { Ok(answer.json()) } else { Err(answer.text(args.shown.screen())) });
    }
    let mut explainer = None;
    let mut input = args.input.input();
    input.options.columns = input.options.columns.with_request(args.asked.request()?.map(|request| request.each));
    read_into(&input, None, |meta| explainer.insert(Explainer::new(meta)))?;
    let explanation = explainer.and_then(Explainer::finish);
    let explanation = explanation.ok_or_else(|| {
        let name =
            args.input.file.as_ref().map_or_else(|| "the last recording".to_owned(), |file| file.display().to_string());
        Failure::trouble(format!("{name}: there are no sleeps in it to explain"))
    })?;
    show::checkable(&explanation.results, &args.checks)?;
    show::print(if args.shown.json { Ok(explanation.json()) } else { Err(explanation.text(args.shown.screen())) })?;
    show::judge(&explanation.results, &args.checks)
}

/// Returns the question that is stated, or that a table without starts asks; `None` if there is a recording to explain.
fn question(file: Option<&Path>, input: &FileArgs, asked: &AskedArgs) -> Result<Option<Question>, Failure> {
    let columns = input.columns.clone().unwrap_or_default();
    let Some(path) = file else {
        let pairs = asked.pairs()?;
        if pairs.is_none() && asked.is_stated() {
            return Err(Failure::usage(
                "--system, -m and --condition are about figures without a recording: add --asked 1ms --took 15.6ms, or a table \
                 with columns such as requested_ms,took_ms",
            ));
        }
        return Ok(pairs.map(|pairs| asked.question(pairs)));
    };
    let request = asked.request()?;
    let trouble = |why: &dyn std::fmt::Display| Failure::trouble(format!("{}: {why}", path.display()));
    let table = if is_standard(path) && asked.is_stated() {
        Some(AskedTable::read(std::io::stdin()).map_err(|error| trouble(&error))?)
    } else {
        // What cannot be read is said by the reader of recordings.
        AskedTable::open(path, &columns).unwrap_or_default()
    };
    let Some(table) = table else {
        let is_of_several = request.is_some_and(|request| request.times > 1 || path.is_dir());
        if asked.is_about_their_kind() || is_of_several {
            return Err(Failure::usage(format!(
                "{}: --system, -m and --condition go with a table of figures (columns such as requested and took, or n, mean, p50 and max), \
                 which this file is not; leave them out, and state one sleep with --asked if a table of starts and ends lacks it",
                path.display()
            )));
        }
        return Ok(None);
    };
    let pairs = table.pairs(&columns, request).map_err(|error| trouble(&error))?;
    Ok(Some(asked.question(pairs)))
}

/// Returns the figures that are stated of the same sleeps after a change.
fn changed(args: &ReadArgs) -> Result<Question, Failure> {
    let after = AfterArgs::new(&args.after, &args.asked.asked)?;
    question(after.file.as_deref(), &args.input, &after.asked)?.ok_or_else(|| {
        Failure::usage(
            "after -- say how long the sleeps took then, such as --took 1.01ms, or name a table without starts",
        )
    })
}
