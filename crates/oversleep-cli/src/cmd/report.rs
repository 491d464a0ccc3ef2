//! `report`: shows recordings' figures as text, or writes a page, a plot or Markdown.

pub(super) mod page;

use crate::args::values::plot;
use crate::args::{Checks, OutputFormat, OverArgs, WorkArgs};
use crate::failure::Failure;
use crate::input::read_into;
use crate::show;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::import::ImportOptions;
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::report::picture::Plot;
use oversleep_lab::session::{Copies, FiguresOnly, Input, Results};
use std::path::PathBuf;

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

/// Recordings, and what to make of them.
#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct ReportArgs {
    /// The recordings; `-` for standard input [default: the last one in the state folder]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long)]
    pub(crate) partial: bool,
    /// Of a table with names of its own: which column holds what, as `explain` takes it
    #[arg(long, value_name = "FIELD=COLUMN:UNIT,...")]
    pub(crate) columns: Option<Mapping>,
    /// Write a file by its ending: .html, a page to look at, which needs no network; .svg or .png, a plot; .md, text for an issue tracker
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["json", "fail_if"])]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Show a plot in the terminal, or in the picture of --out: time, request, distribution, load, processors, ranking, drift, breakdown, cost
    #[arg(long, value_parser = plot(), value_name = "PLOT", conflicts_with_all = ["json", "fail_if", "open"], hide_possible_values = true)]
    pub(crate) plot: Option<Plot>,
    /// Print Markdown, to paste into an issue tracker: verdict, machine, command, table, causes
    #[arg(long, conflicts_with_all = ["json", "fail_if", "open", "plot"])]
    pub(crate) markdown: bool,
    /// Open the page in the browser; without --out it is a temporary file
    #[arg(long, conflicts_with_all = ["json", "fail_if"])]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    #[command(flatten)]
    pub(crate) checks: Checks,
}

impl ReportArgs {
    /// Returns one input per recording named; the last recording kept if none is named.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let options = ImportOptions { columns: self.columns.clone().unwrap_or_default(), among_others: false };
        let last = Input { path: None, partial: self.partial, options };
        if self.files.is_empty() {
            return vec![last];
        }
        self.files.iter().map(|file| Input { path: Some(file.clone()), ..last.clone() }).collect()
    }

    /// Returns the only recording named, for output that shows just one; `form` is the output's name in the error.
    pub(crate) fn single(&self, form: &str) -> Result<Input, Failure> {
        let named = self.inputs().len();
        match self.inputs().pop() {
            Some(input) if named == 1 => Ok(input),
            _ => Err(Failure::usage(format!(
                "{form} shows one recording, and {named} are named; -o FILE.html shows several on one page"
            ))),
        }
    }
}
