//! `explain`: says why the sleeps of a recording were late, or what explains stated figures. A file is read once.

use crate::args::ReadArgs;
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use oversleep_lab::session::{AskedExplanation, Explainer};

pub(crate) fn run(args: &ReadArgs) -> Result<(), Failure> {
    if let Some(question) = args.asked.question()? {
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
