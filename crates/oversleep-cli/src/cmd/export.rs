//! `export`: a recording for other programs.

use super::report;
use crate::args::{Checks, ExportArgs, FileArgs, Shown};
use crate::failure::Failure;
use crate::say::say;
use crate::show;
use clap::ColorChoice;

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    if args.json {
        return report::figures(&args.input, Shown { json: true, color: ColorChoice::Never }, &Checks::default());
    }
    samples(&args.input)
}

/// Writes every sample as CSV.
pub(super) fn samples(input: &FileArgs) -> Result<(), Failure> {
    let mut csv = None;
    let meta = report::read_into(input, |meta| csv.insert(show::csv(&meta.plan)))?;
    if meta.plan.is_clocks() {
        say!("a survey of clocks has no samples; `oversleep export --json FILE` writes what it found");
    }
    match csv {
        Some(csv) => Ok(csv.finish()?),
        None => Ok(()),
    }
}
