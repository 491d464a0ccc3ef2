//! `export`: a recording for other programs.

use super::report;
use crate::args::FileArgs;
use crate::failure::Failure;
use crate::show;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    if args.output.json {
        return report::run(args);
    }
    args.output.no_checks("`oversleep report FILE` checks")?;
    let mut csv = None;
    report::read_into(args, |meta| csv.insert(show::csv(meta)))?;
    match csv {
        Some(csv) => Ok(csv.finish()?),
        None => Ok(()),
    }
}
