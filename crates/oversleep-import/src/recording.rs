//! oversleep's own recordings (`.arrows`).

use super::{Ending, ImportOptions, Importer, Input, Opened, Records};
use oversleep_recording::file::Reader;
use oversleep_recording::{Meta, Sink};
use std::io::Read;

/// Reads oversleep's recordings.
pub(super) const RECORDINGS: Importer =
    Importer::new(NAME, |start| start.iter().zip(MARK).all(|(byte, mark)| *byte == mark), read);

/// Name of the format.
pub(super) const NAME: &str = "recording";

/// First bytes of an Arrow stream: the marker before a message.
const MARK: [u8; 4] = [0xFF; 4];

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    Ok(Box::new(Reader::new(name.to_owned(), input)?))
}

impl<R: Read> Records for Reader<R> {
    fn meta(&self) -> &Meta {
        self.meta()
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        self.read_into(sink).map_or_else(|error| Ending::Broken(error.into()), Ending::from)
    }
}
