//! `explain`: says why the sleeps of a recording were late, or what explains stated figures. A file is read once.

use crate::args::ReadArgs;
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use oversleep_lab::session::{AskedExplanation, AskedTable, Explainer, is_standard};
use oversleep_recording::asked::Question;

pub(crate) fn run(args: &ReadArgs) -> Result<(), Failure> {
    if let Some(question) = question(args)? {
        let answer = AskedExplanation::new(&question).map_err(Failure::usage)?;
        return show::print(if args.shown.json { Ok(answer.json()) } else { Err(answer.text(args.shown.screen())) });
    }
    let mut explainer = None;
    read_into(&args.input.input(), None, |meta| explainer.insert(Explainer::new(meta)))?;
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
fn question(args: &ReadArgs) -> Result<Option<Question>, Failure> {
    let asked = &args.asked;
    let columns = args.input.columns.clone().unwrap_or_default();
    let Some(path) = &args.input.file else {
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
        if asked.is_stated() {
            return Err(Failure::usage(format!(
                "{}: a file with starts and ends says what was asked for, on which system and how; leave out --asked, --system, -m and \
                 --condition",
                path.display()
            )));
        }
        return Ok(None);
    };
    let pairs = table.pairs(&columns, request).map_err(|error| trouble(&error))?;
    Ok(Some(asked.question(pairs)))
}
