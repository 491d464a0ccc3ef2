//! `report` as a page, a plot or Markdown: in a file, or in the terminal where that can show it.

use super::ReportArgs;
use crate::args::{DocumentForm, FormatName};
use crate::atomic_file::{write, write_temporary};
use crate::failure::Failure;
use crate::input::{read_into, refuse_overwriting, refuse_replacing};
use crate::say::{notice, say};
use crate::show;
use oversleep_lab::report::Screen;
use oversleep_lab::report::picture::{self, Plot};
use oversleep_lab::session::{self, Comparison, Copies, Input, PagePart, PageReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Most recordings on a page: a reader cannot tell more apart by colour.
const MOST: usize = 8;

pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let form = form(args)?;
    let inputs = args.inputs();
    refuse_more(&inputs)?;
    if form.is_picture() {
        args.single("a plot")?;
        if args.work.work.is_some() {
            return Err(Failure::usage("--work counts periods, which no plot shows; leave it out"));
        }
    }
    let located: Vec<Input> = inputs.iter().map(|input| input.located(&notice)).collect::<Result<_, _>>()?;
    refuse_overwriting(args.out.as_deref(), located.iter().filter_map(|input| input.path.as_deref()))?;
    refuse_replacing(args.out.as_deref(), args.force)?;
    let mut copies = Copies::among(inputs.len());
    let parts = inputs.iter().zip(&located).map(|(named, input)| part(named, input, copies.as_mut()));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    for (part, input) in parts.iter_mut().zip(&inputs) {
        args.work.judge(input.path.as_deref(), |work| part.judge_by_work(work))?;
    }
    if form != DocumentForm::Markdown {
        parts.iter().filter_map(|part| part.explanation().results.schedules()).for_each(|remark| say!("{remark}"));
    }
    let made = match form {
        DocumentForm::Page => page(parts, None)?,
        DocumentForm::Svg | DocumentForm::Png => plot(args, &parts)?,
        DocumentForm::Markdown => markdown(&parts),
    };
    let path = match &args.out {
        Some(path) if form == DocumentForm::Png => {
            write(path, &picture::png(&made).map_err(Failure::trouble)?)?;
            path.clone()
        }
        Some(path) => {
            write(path, made.as_bytes())?;
            path.clone()
        }
        None if form == DocumentForm::Page => write_temporary("oversleep-report-", ".html", made.as_bytes())?,
        None => return show::print(Err(made)),
    };
    say!("the {} is {}", form.noun(), path.display());
    if args.open { open(&path) } else { Ok(()) }
}

/// Returns the page of recordings, with a comparison of them if there is one.
fn page(parts: Vec<PagePart>, comparison: Option<&Comparison>) -> Result<String, Failure> {
    let plain: String = parts.iter().map(|part| part.explanation().text(Screen::PLAIN)).collect();
    session::page(parts, concat!("oversleep ", env!("CARGO_PKG_VERSION")), &plain, comparison).map_err(Failure::trouble)
}

/// Returns the page of the recordings that `compare` compared.
pub(in crate::cmd) fn compared(inputs: &[Input], comparison: &Comparison) -> Result<String, Failure> {
    refuse_more(inputs)?;
    let mut copies = Copies::among(inputs.len());
    let parts = inputs.iter().map(|input| part(input, input, copies.as_mut())).collect::<Result<_, _>>()?;
    page(parts, Some(comparison))
}

fn refuse_more(inputs: &[Input]) -> Result<(), Failure> {
    if inputs.len() <= MOST {
        return Ok(());
    }
    Err(Failure::usage(format!("a page shows at most {MOST} recordings, and {} are named", inputs.len())))
}

/// Returns the recordings as Markdown, several each under its name.
fn markdown(parts: &[PagePart]) -> String {
    match parts {
        [one] => one.markdown(),
        several => several.iter().map(PagePart::named_markdown).collect::<Vec<_>>().join("\n"),
    }
}

/// Refuses a file whose ending names a form of the sleeps, which `export` writes.
fn refuse_export(path: &Path) -> Result<(), Failure> {
    if FormatName::of_ending(path).is_none() {
        return Ok(());
    }
    let path = path.display();
    Err(Failure::usage(format!(
        "--out {path}: a report ends in .html, .svg, .png or .md; `oversleep export -o {path}` writes the sleeps"
    )))
}

/// Returns the form that the file's ending or the options ask for.
fn form(args: &ReportArgs) -> Result<DocumentForm, Failure> {
    let Some(path) = &args.out else {
        return Ok(match (args.plot, args.markdown) {
            (Some(_), _) => DocumentForm::Svg,
            (None, true) => DocumentForm::Markdown,
            (None, false) => DocumentForm::Page,
        });
    };
    refuse_export(path)?;
    let form = DocumentForm::of_out(path)?;
    let fits = match form {
        DocumentForm::Page => args.plot.is_none() && !args.markdown,
        DocumentForm::Svg | DocumentForm::Png => !args.markdown,
        DocumentForm::Markdown => args.plot.is_none(),
    };
    if fits {
        Ok(form)
    } else {
        Err(Failure::usage(format!(
            "--out {} asks for another form than --plot or --markdown: plots end in .svg or .png, Markdown in .md",
            path.display()
        )))
    }
}

/// Returns the plot asked for, or the most informative one: as SVG for a file, as text for the terminal.
fn plot(args: &ReportArgs, parts: &[PagePart]) -> Result<String, Failure> {
    let Some(part) = parts.first() else { return Err(Failure::usage("no recording is named")) };
    let plot = args.plot.unwrap_or_else(|| Plot::best(&part.recording));
    let drawn = match &args.out {
        Some(_) => picture::svg(plot, &part.subject()),
        None => picture::text(plot, &part.subject(), args.shown.screen()),
    };
    drawn.map_err(|why| Failure::trouble(format!("there is nothing to plot: {why}")))
}

fn part(named: &Input, located: &Input, copies: Option<&mut Copies>) -> Result<PagePart, Failure> {
    let mut reader = None;
    let begun = if copies.is_some() { PageReader::beside_others } else { PageReader::new };
    read_into(located, copies, |meta| reader.insert(begun(meta)))?;
    let reader = reader.ok_or_else(|| Failure::trouble("the recording has no header"))?;
    let name = match &named.path {
        None => "the last recording".into(),
        Some(file) => file.file_name().map_or_else(|| "recording".into(), |name| name.to_string_lossy()),
    };
    Ok(reader.finish(if name == "-" { "standard input" } else { &name }))
}

/// Commands that open a file on a desktop, in the order in which they are tried.
const OPENERS: &[&[&str]] = &[&["xdg-open"], &["open"], &["cmd", "/C", "start", ""]];

fn open(path: &Path) -> Result<(), Failure> {
    for opener in OPENERS {
        let mut command = Command::new(opener[0]);
        command.args(&opener[1..]).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            return Ok(());
        }
    }
    Err(Failure::trouble(format!("no program opens {} here; open it in a browser", path.display())))
}
