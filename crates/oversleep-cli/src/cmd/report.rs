//! `report`: a recording's figures.

use crate::args::FileArgs;
use crate::failure::Failure;
use crate::input::Input;
use crate::say::say;
use crate::show;
use crate::surveys::Surveys;
use oversleep_lab::analysis::Summariser;
use oversleep_recording::file::{ReadError, Reader, Tail};
use oversleep_recording::{Meta, Sink};
use std::io::{BufRead, Read};

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    if args.output.csv {
        return super::export::run(args);
    }
    let mut kept = None;
    let meta = pour(args, |meta| kept.insert((Summariser::new(meta), Surveys::new(meta))))?;
    let (summary, surveys) = kept.ok_or_else(|| Failure::trouble("the recording has no head"))?;
    if Surveys::shows(&meta) {
        return surveys.show(&meta, summary, &args.output);
    }
    let note = summary.notes().clone();
    show::results(&meta, &note, &summary.finish(), None, &args.output)
}

/// Reads a recording into a sink made for it, and says what of it is missing.
pub(crate) fn pour<'a, S: Sink + 'a>(args: &FileArgs, sink: impl FnOnce(&Meta) -> &'a mut S) -> Result<Meta, Failure> {
    let Input { name, mut bytes } = Input::open(&args.file)?;
    // Whoever has a table expects to be told what reads it.
    let table = bytes.fill_buf().is_ok_and(|start| start.iter().take(1).any(u8::is_ascii_graphic));
    let reader = Reader::new(name, bytes).map_err(|error| match error {
        ReadError::Foreign { .. } if table => Failure::trouble(format!("{error}; `oversleep explain` reads tables")),
        error => error.into(),
    })?;
    pour_from(reader, args.partial, sink)
}

/// The same from what is open already.
pub(super) fn pour_from<'a, S: Sink + 'a>(
    mut reader: Reader<impl Read>,
    partial: bool,
    sink: impl FnOnce(&Meta) -> &'a mut S,
) -> Result<Meta, Failure> {
    let meta = reader.meta().clone();
    match reader.pour(sink(&meta)) {
        Ok(Tail::Closed) => {}
        Ok(Tail::Open) => {
            say!("the run that made this recording did not end properly; it is whole up to then");
        }
        Ok(Tail::Torn { offset }) => {
            say!("the recording breaks off at byte {offset}; it is whole up to there");
        }
        Err(error @ ReadError::Damaged { .. }) if partial => say!("{error}"),
        Err(error) => return Err(error.into()),
    }
    Ok(meta)
}
