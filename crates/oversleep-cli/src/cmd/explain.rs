//! `explain`: says why the sleeps of a recording were late, or what explains stated figures. A file is read once.

use crate::args::{AfterArgs, AskedArgs, FileArgs, ReadArgs};
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use oversleep_lab::import;
use oversleep_lab::session::{AskedExplanation, AskedTable, Explainer, Input, StatedFigures, is_standard};
use oversleep_recording::asked::Question;
use std::path::Path;

pub(crate) fn run(args: &ReadArgs) -> Result<(), Failure> {
    let before = question(args.input.file.as_deref(), &args.input, &args.asked, false)?;
    if before.is_none() && !args.after.is_empty() {
        return Err(Failure::usage(
            "what follows -- is about stated figures (--asked, --took) or tables without starts; two recordings are compared by \
             `oversleep compare BEFORE AFTER`",
        ));
    }
    if let Some(before) = before {
        args.checks.refuse("it compares figures of recordings")?;
        args.work.check(None)?;
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
    let mut explanation = explanation.ok_or_else(|| {
        let name =
            args.input.file.as_ref().map_or_else(|| "the last recording".to_owned(), |file| file.display().to_string());
        Failure::trouble(format!("{name}: there are no sleeps in it to explain"))
    })?;
    args.work.judge(args.input.file.as_deref(), |work| explanation.results.judge_by_work(work))?;
    show::checkable(&explanation.results, &args.checks)?;
    show::print(if args.shown.json { Ok(explanation.json()) } else { Err(explanation.text(args.shown.screen())) })?;
    show::judge(&explanation.results, &args.checks)
}

/// Returns the question that is stated, or that a file asks for whose sleeps something is stated of; `None` if there is a recording to
/// explain. `of_file`: whether a file is of sleeps that were stated of before.
fn question(
    file: Option<&Path>,
    input: &FileArgs,
    asked: &AskedArgs,
    of_file: bool,
) -> Result<Option<Question>, Failure> {
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
    let is_piped = is_standard(path) && (of_file || asked.is_stated());
    let table = if is_piped {
        Some(AskedTable::read(std::io::stdin()).map_err(|error| trouble(&error))?)
    } else {
        // What cannot be read is said by the reader of recordings.
        AskedTable::open(path, &columns).unwrap_or_default()
    };
    let is_of_several = request.is_some_and(|request| request.times > 1 || path.is_dir());
    let is_stated = of_file || is_of_several || asked.is_about_their_kind();
    let table = match table {
        Some(table) if table.is_one(&columns) || !is_stated && !is_piped => table,
        Some(table) => return of_other(path, input, asked, Some(&table)).map(Some),
        None if is_stated => return of_other(path, input, asked, None).map(Some),
        None => return Ok(None),
    };
    let pairs = table.pairs(&columns, request).map_err(|error| trouble(&error))?;
    Ok(Some(asked.question(pairs)))
}

/// Returns the question about the sleeps of another program's file, whatever its format. `piped` is what came through standard input.
fn of_other(path: &Path, input: &FileArgs, asked: &AskedArgs, piped: Option<&AskedTable>) -> Result<Question, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::usage(format!("{}: {why}", path.display()));
    let request = asked.request()?;
    if request.is_some_and(|request| request.times > 1) {
        return Err(wrong(
            &"a number of sleeps in a row goes with a table of how long they took, which this file is not",
        ));
    }
    let mut figures = None;
    if let Some(table) = piped {
        let mut options = input.input().options;
        options.columns = options.columns.with_request(request.map(|request| request.each));
        let mut source = import::open_with("standard input", table.text().as_bytes(), &options)
            .map_err(|error| Failure::trouble(error.to_string()))?;
        let sink = figures.insert(StatedFigures::new(source.meta()));
        source.read_into(sink);
    } else {
        let mut input = Input { path: Some(path.to_owned()), ..input.input() };
        // A table with starts and ends may lack what was asked for; other formats say it themselves.
        input.options.columns = input.options.columns.with_request(request.map(|request| request.each));
        input.options.among_others = true;
        read_into(&input, None, |meta| figures.insert(StatedFigures::new(meta)))?;
    }
    let of_file = figures.map(|figures| figures.question(request)).transpose().map_err(|error| wrong(&error))?;
    let of_file = of_file.unwrap_or_default();
    let stated = asked.question(of_file.pairs.clone());
    let call = stated.call.clone().or(of_file.call.clone());
    Ok(Question { call, ..of_file.after(stated) })
}

/// Returns the figures that are stated of the same sleeps after a change.
fn changed(args: &ReadArgs) -> Result<Question, Failure> {
    let after = AfterArgs::new(&args.after, &args.asked.asked)?;
    question(after.file.as_deref(), &args.input, &after.asked, true)?.ok_or_else(|| {
        Failure::usage(
            "after -- say how long the sleeps took then, such as --took 1.01ms, or name a table without starts",
        )
    })
}
