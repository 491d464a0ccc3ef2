//! oversleep's own recordings (`.arrows`), and those of the ring of `serve` (`.ring`).

use super::{Ending, ImportError, ImportOptions, Importer, Records};
use oversleep_recording::file::Reader;
use oversleep_recording::file::ring::{self, RingFileReader};
use oversleep_recording::{Meta, Sink};
use std::io::{BufRead, Read};

/// Reads oversleep's recordings.
pub(super) struct Recordings;

/// First bytes of an Arrow stream: the marker before a message.
const MARK: [u8; 4] = [0xFF; 4];

impl Importer for Recordings {
    fn name(&self) -> &'static str {
        "recording"
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

/// Reads recordings of the ring.
pub(super) struct Rings;

impl Importer for Rings {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn sniff(&self, start: &[u8]) -> bool {
        start.starts_with(ring::MARK)
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        Ok(Box::new(RingFileReader::new(name.to_owned(), input)?))
    }
}

impl<R: Read> Records for RingFileReader<R> {
    fn meta(&self) -> &Meta {
        self.meta()
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        self.read_into(sink).map_or_else(|error| Ending::Broken(error.into()), Ending::from)
    }
}
