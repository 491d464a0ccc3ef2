//! `explain`: what a recording's samples say of why sleeps were late. The file is read once.

use super::report;
use crate::args::FileArgs;
use crate::failure::Failure;
use crate::show;
use oversleep_lab::session::Explainer;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    args.output.no_csv("`oversleep export FILE` writes the samples")?;
    let mut explainer = None;
    report::read_into(args, |meta| explainer.insert(Explainer::new(meta)))?;
    let explanation = explainer.and_then(Explainer::finish);
    let explanation = explanation.ok_or_else(|| Failure::trouble("the recording has no samples"))?;
    show::checkable(&explanation.results, &args.output)?;
    show::print(if args.output.json { Ok(explanation.json()) } else { Err(explanation.text(args.output.look())) })?;
    show::judge(&explanation.results, &args.output)
}
