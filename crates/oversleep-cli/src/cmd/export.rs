//! `export`: a recording for other programs.

use super::report;
use crate::args::FileArgs;
use crate::failure::Failure;
use crate::say::say;
use crate::show;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    if args.output.json {
        return report::run(args);
    }
    args.output.no_checks("`oversleep report FILE` checks")?;
    let mut csv = None;
    let meta = report::read_into(args, |meta| csv.insert(show::csv(&meta.plan)))?;
    if meta.plan.is_clocks() {
        say!("a survey of clocks has no samples; `oversleep export --json FILE` writes what it found");
    }
    match csv {
        Some(csv) => Ok(csv.finish()?),
        None => Ok(()),
    }
}
