//! `report`: shows recordings' figures as text, or writes a page, a plot or Markdown.

pub(super) mod page;

use crate::args::{Checks, OutputFormat, ReportArgs};
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use oversleep_lab::session::{Copies, FiguresOnly, Input, Results};

pub(crate) fn run(args: &ReportArgs) -> Result<(), Failure> {
    if args.out.is_some() || args.open || args.plot.is_some() || args.markdown {
        args.over.refuse_beside(Some("a page, a plot or Markdown"))?;
        return page::run(args);
    }
    if args.shown.json {
        return figures_once(&args.single("--json")?, args, None).map(drop);
    }
    let inputs = args.inputs();
    let mut copies = Copies::among(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        if let (Some(file), true) = (&input.path, inputs.len() > 1) {
            let gap = if index > 0 { "\n" } else { "" };
            show::print(Err(format!("{gap}{}\n", file.display())))?;
        }
        let results = figures_once(input, args, copies.as_mut())?;
        if inputs.len() == 1 {
            show::next_after_report(&results, input.path.as_deref());
        }
    }
    Ok(())
}

/// Shows the figures of a recording, checks them, and returns them.
pub(super) fn figures(input: &Input, shown: OutputFormat, checks: &Checks) -> Result<Results, Failure> {
    let results = read_figures(input, None)?;
    show::print_results(&results, shown, checks)?;
    Ok(results)
}

/// Does the same with a recording that is not one of those before it.
fn figures_once(input: &Input, args: &ReportArgs, copies: Option<&mut Copies>) -> Result<Results, Failure> {
    let mut results = read_figures(input, copies)?;
    args.work.judge(input.path.as_deref(), |work| results.judge_by_work(work))?;
    args.over.count(&mut results)?;
    show::print_results(&results, args.shown, &args.checks)?;
    Ok(results)
}

fn read_figures(input: &Input, copies: Option<&mut Copies>) -> Result<Results, Failure> {
    let mut figures = None;
    read_into(input, copies, |meta| figures.insert(FiguresOnly::new(meta)))?;
    Ok(figures.ok_or_else(|| Failure::trouble("the recording has no header"))?.finish())
}
