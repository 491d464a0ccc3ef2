//! oversleep's own recordings (`.arrows`).

use super::{Ending, ImportError, ImportOptions, Importer, Records};
use oversleep_recording::file::Reader;
use oversleep_recording::{Meta, Sink};
use std::io::{BufRead, Read};

/// Reads oversleep's recordings.
pub(super) struct Recordings;

/// Name of the format.
pub(super) const NAME: &str = "recording";

/// First bytes of an Arrow stream: the marker before a message.
const MARK: [u8; 4] = [0xFF; 4];

impl Importer for Recordings {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sniff(&self, start: &[u8]) -> bool {
        start.iter().zip(MARK).all(|(byte, mark)| *byte == mark)
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        Ok(Box::new(Reader::new(name.to_owned(), input)?))
    }
}

impl<R: Read> Records for Reader<R> {
    fn meta(&self) -> &Meta {
        self.meta()
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        self.read_into(sink).map_or_else(|error| Ending::Broken(error.into()), Ending::from)
    }
}
