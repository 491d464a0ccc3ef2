//! `report`: a recording's figures.

use crate::args::FileArgs;
use crate::failure::Failure;
use crate::input::Input;
use crate::say::say;
use crate::show;
use oversleep_lab::import::{self, Ending, ImportError};
use oversleep_lab::session::FiguresOnly;
use oversleep_recording::file::ReadError;
use oversleep_recording::{Meta, Sink};

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    if args.output.csv {
        return super::export::run(args);
    }
    let mut figures = None;
    read_into(args, |meta| figures.insert(FiguresOnly::new(meta)))?;
    let figures = figures.ok_or_else(|| Failure::trouble("the recording has no head"))?;
    show::results(&figures.finish(), &args.output)
}

/// Reads a recording, or another program's file, into a sink made for it, and says what of it is missing. What a
/// damaged one holds before the damage is used if told so.
pub(crate) fn read_into<'a, S: Sink + 'a>(
    args: &FileArgs,
    make: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    let Input { name, bytes } = Input::open(&args.file)?;
    let mut source = import::open(&name, bytes).map_err(Failure::trouble)?;
    let sink = make(source.meta());
    match source.read_into(sink) {
        Ending::Broken(ImportError::Table { name, why, rows }) if args.partial => {
            say!("{name}: {why}; rows before that, which are used: {rows}");
        }
        Ending::Broken(error @ ImportError::Table { .. }) => {
            return Err(Failure::trouble(format!("{error} (--partial reads them)")));
        }
        Ending::Broken(error @ ImportError::Recording(ReadError::Damaged { .. })) if args.partial => say!("{error}"),
        Ending::Broken(error) => return Err(Failure::trouble(error)),
        ending => {
            if let Some(remark) = ending.remark() {
                say!("{remark}");
            }
        }
    }
    Ok(source.meta().clone())
}
