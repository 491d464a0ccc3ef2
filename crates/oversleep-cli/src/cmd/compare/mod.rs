//! `compare`: compares two sides, given as recordings or measured in turns.

mod interleaved;

use super::report::read_into;
use crate::args::{CompareArgs, FileArgs, Sides};
use crate::failure::Failure;
use crate::show;
use oversleep_lab::session::{ComparableRun, Comparison, Gather};
use std::collections::HashMap;
use std::path::Path;

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let comparison = match args.sides()? {
        Sides::Files([a, b]) => {
            let read =
                |side: &[std::path::PathBuf]| side.iter().map(|file| gathered(file)).collect::<Result<Vec<_>, _>>();
            let (a, b) = (read(&a)?, read(&b)?);
            refuse_copies(a.iter().chain(&b))?;
            Comparison::new(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), args.paired)
        }
        Sides::Measure(sides) => interleaved::measure(&sides, args)?,
    };
    show::print(if args.shown.json { Ok(comparison.json()) } else { Err(comparison.text(args.shown.screen())) })?;
    if comparison.0.cells.is_empty() {
        return Err(Failure::trouble("the sides have no cell in common, so nothing was compared"));
    }
    show::verdict(args.fail_if.iter().flat_map(|limit| limit.judge(&comparison)))
}

/// Refuses a recording that is given more than once, under whatever name: it is one run, and looks like several that agree.
fn refuse_copies<'a>(runs: impl Iterator<Item = &'a ComparableRun>) -> Result<(), Failure> {
    let mut known: HashMap<u64, &str> = HashMap::new();
    for run in runs {
        let Some(checksum) = run.checksum else { continue };
        match known.insert(checksum, &run.name) {
            Some(first) if first == run.name => {
                return Err(Failure::usage(format!("{first} is given twice; each recording counts once")));
            }
            Some(first) => {
                let text = format!("{first} and {} hold the same recording; each recording counts once", run.name);
                return Err(Failure::usage(text));
            }
            None => {}
        }
    }
    Ok(())
}

/// Reads a recording or another program's file for a comparison.
fn gathered(file: &Path) -> Result<ComparableRun, Failure> {
    let mut gather = None;
    let input = FileArgs { file: Some(file.to_owned()), partial: false, columns: None };
    let name = file.display().to_string();
    read_into(&input, |meta| gather.insert(Gather::new(&name, meta)))?;
    let run = gather.map(Gather::finish);
    run.ok_or_else(|| Failure::trouble(format!("{name}: the recording has no head")))
}
