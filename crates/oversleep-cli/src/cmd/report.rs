//! `report`: shows recordings' figures as text, or writes a page, a plot or Markdown.

mod page;

use crate::args::{Checks, FileArgs, OutputFormat, ReportArgs, WorkArgs};
use crate::copies::{ChecksumSink, Copies};
use crate::failure::Failure;
use crate::input::{Input, locate};
use crate::say::say;
use crate::show;
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::import::{self, Ending};
use oversleep_lab::session::{FiguresOnly, Results};
use oversleep_recording::file::is_being_written;
use oversleep_recording::{Meta, Sink};
use std::path::Path;

pub(crate) fn run(args: &ReportArgs) -> Result<(), Failure> {
    if args.out.is_some() || args.open || args.plot.is_some() || args.markdown {
        return page::run(args);
    }
    if args.shown.json {
        return figures_once(&args.single("--json")?, args.work, args.shown, &args.checks, None).map(drop);
    }
    let inputs = args.inputs();
    let mut copies = Copies::among(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        if let (Some(file), true) = (&input.file, inputs.len() > 1) {
            let gap = if index > 0 { "\n" } else { "" };
            show::print(Err(format!("{gap}{}\n", file.display())))?;
        }
        let results = figures_once(input, args.work, args.shown, &args.checks, copies.as_mut())?;
        if inputs.len() == 1 {
            show::next_after_report(&results, input.file.as_deref());
        }
    }
    Ok(())
}

/// Shows the figures of a recording, checks them, and returns them.
pub(super) fn figures(input: &FileArgs, shown: OutputFormat, checks: &Checks) -> Result<Results, Failure> {
    figures_once(input, WorkArgs::default(), shown, checks, None)
}

/// Does the same with a recording that is not one of those before it.
fn figures_once(
    input: &FileArgs,
    work: WorkArgs,
    shown: OutputFormat,
    checks: &Checks,
    copies: Option<&mut Copies>,
) -> Result<Results, Failure> {
    let mut figures = None;
    read_once(input, copies, |meta| figures.insert(FiguresOnly::new(meta)))?;
    let figures = figures.ok_or_else(|| Failure::trouble("the recording has no head"))?;
    let mut results = figures.finish();
    work.judge(input.file.as_deref(), |work| results.judge_by_work(work))?;
    show::print_results(&results, shown, checks)?;
    Ok(results)
}

/// Reads a recording, or another program's file, into the sink that `make` returns, and says what is missing from it.
/// With `--partial`, the part of a damaged file before the damage is used.
pub(crate) fn read_into<'a, S: Sink + 'a>(
    args: &FileArgs,
    make: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    read_once(args, None, make)
}

/// Does the same, and refuses a copy of one of the recordings before it, if there are several.
pub(crate) fn read_once<'a, S: Sink + 'a>(
    args: &FileArgs,
    copies: Option<&mut Copies>,
    make: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    read(args, copies, make, "--partial reads them")
}

/// Reads a whole recording, one of several, for a command without `--partial`; `columns` names those of tables.
pub(crate) fn read_whole<'a, S: Sink + 'a>(
    file: &Path,
    columns: Option<&Mapping>,
    make: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    let columns = columns.cloned();
    let args = FileArgs { file: Some(file.to_owned()), partial: false, columns, among_others: true };
    read(&args, None, make, "`oversleep export --partial` writes them into a file of their own")
}

/// Reads a recording; `way` says how the part of a damaged one that comes before the damage can be used.
fn read<'a, S: Sink + 'a>(
    args: &FileArgs,
    copies: Option<&mut Copies>,
    make: impl FnOnce(&Meta) -> &'a mut S,
    way: &str,
) -> Result<Meta, Failure> {
    let located = locate(args.file.as_deref())?;
    let (name, source) = match &located {
        folder if folder.is_dir() => (folder.display().to_string(), import::open_segments(folder)),
        file => {
            let Input { name, bytes } = Input::open_located(file)?;
            let source = import::open_with(&name, bytes, &args.options());
            (name, source)
        }
    };
    let mut source = source.map_err(Failure::trouble)?;
    let sink = make(source.meta());
    let (ending, checksum) = if copies.is_some() {
        let mut checksum = ChecksumSink::of(source.meta(), sink);
        (source.read_into(&mut checksum), checksum.checksum())
    } else {
        (source.read_into(sink), None)
    };
    match ending {
        Ending::Broken(error) if args.partial && error.has_sound_part() => say!("{error}, which are used"),
        Ending::Broken(error) => {
            let hint = if error.has_sound_part() { format!(" ({way})") } else { String::new() };
            return Err(Failure::trouble(format!("{error}{hint}")));
        }
        ending => {
            if let Some(remark) = ending.remark() {
                let grows = is_being_written(&located);
                say!("{name}: {}", if grows { "it is being written, and whole up to now".to_owned() } else { remark });
            }
        }
    }
    source.remarks().iter().for_each(|remark| say!("{name}: {remark}"));
    if let Some(copies) = copies {
        copies.refuse(&name, checksum)?;
    }
    Ok(source.meta().clone())
}
