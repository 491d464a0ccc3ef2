//! Reads a recording piece by piece, so that memory stays bounded whatever its length.

use super::checksum::{self, ChecksumResult};
use super::decoder::{self, SpareMemory};
use super::decoder::{BROKEN, CHANGED, Decoder, FOLLOWED, UNSEALED};
use super::error::{AGAIN, CUT, OTHER, ReadError};
use super::{decode_ahead::decode_ahead, json};
use crate::{Meta, Note, Sample, Sink};
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::root_as_message;
use arrow_schema::DataType;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Size of the read buffer in bytes. Larger reads bypass it.
const BUFFER: usize = 1 << 16;

/// Messages larger than this are treated as damage rather than read: a batch is at most about 4 MiB.
const LARGEST_MESSAGE: u64 = 1 << 30;

/// A head of more bytes than this, names included, is treated as damage: it is kept, and takes more memory than bytes.
const LARGEST_HEAD: u64 = 64 << 20;

/// An open recording.
pub struct Reader<R> {
    input: R,
    offset: u64,
    meta: Meta,
    spare: SpareMemory,
    decoder: Decoder,
    progress: ReadProgress,
    tail: Option<Tail>,
}

/// What has been read so far, for messages.
struct ReadProgress {
    path: String,
    batches: u64,
    samples: u64,
}

/// A message as it is in the stream, without marker and length.
pub(super) struct RawMessage {
    /// Where the message begins, in bytes.
    pub(super) offset: u64,
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
}

/// The contents of one flush.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Samples of the flush.
    pub samples: Vec<Sample>,
    /// Note of the flush.
    pub note: Option<Note>,
}

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// With an end marker.
    Closed,
    /// Between two batches, without an end marker: the run was killed.
    Open,
    /// Within a batch, which is left out.
    Torn {
        /// Offset of the truncated batch, in bytes.
        offset: u64,
    },
}

/// Why there is no next message.
pub(super) enum Stop {
    Tail(Tail),
    Damaged(String),
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its head.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let shown = path.display().to_string();
        let open = || {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() { Err(io::Error::other("it is a folder")) } else { Ok(file) }
        };
        let file = open().map_err(|source| ReadError::Open { path: shown.clone(), source })?;
        Self::new(shown, BufReader::with_capacity(BUFFER, file))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the head of a stream; `path` is used in error messages only.
    pub fn new(path: String, mut input: R) -> Result<Self, ReadError> {
        let foreign = |why: &str| ReadError::Foreign { path: path.clone(), why: why.to_owned() };
        let incomplete = || foreign(&format!("{CUT}: {AGAIN}"));
        let mut offset = 0;
        let spare = SpareMemory::default();
        let mut start = (&mut input).take(LARGEST_HEAD);
        let head = match message(&mut start, &mut offset, &spare) {
            Ok(message) => message.head,
            Err(Stop::Tail(_)) if offset == LARGEST_HEAD => return Err(foreign("its header exceeds 64 MiB")),
            Err(Stop::Tail(_)) => return Err(incomplete()),
            Err(Stop::Damaged(_)) => return Err(foreign(OTHER)),
        };
        let schema = root_as_message(&head)
            .ok()
            .and_then(|message| message.header_as_schema())
            .and_then(|schema| try_fb_to_schema(schema).ok())
            .ok_or_else(|| foreign(OTHER))?;
        let document = schema.metadata().get(super::KEY).ok_or_else(|| foreign(OTHER))?;
        let mut names = Vec::new();
        for _ in schema.fields().iter().filter(|field| matches!(field.data_type(), DataType::Dictionary(..))) {
            match message(&mut start, &mut offset, &spare) {
                Ok(RawMessage { head, body, .. }) => names.extend(framed(&head, &body)),
                Err(Stop::Tail(_)) if offset == LARGEST_HEAD => {
                    return Err(foreign("its header exceeds 64 MiB"));
                }
                Err(Stop::Tail(_)) => return Err(incomplete()),
                Err(Stop::Damaged(why)) => return Err(ReadError::DamagedHead { path, why }),
            }
        }
        let verdict = checksum::verify(&head, &names);
        let damaged = |why: &str| ReadError::DamagedHead { path: path.clone(), why: why.to_owned() };
        if verdict == ChecksumResult::Changed {
            return Err(damaged(CHANGED));
        }
        let meta = read_meta(&path, document)?;
        // A later version may do without our checksums; its format was refused already.
        if verdict == ChecksumResult::Unsealed {
            return Err(damaged(UNSEALED));
        }
        let decoder = Decoder::new(schema, &meta, spare.clone())
            .ok_or_else(|| foreign("its columns are not those of a recording"))?;
        Ok(Self {
            input,
            offset,
            meta,
            spare,
            decoder,
            progress: ReadProgress { path, batches: 0, samples: 0 },
            tail: None,
        })
    }

    /// Returns the head of the recording.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns how the stream ended; `None` before its end was reached.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    /// Returns the next piece, or `None` at the end, however the stream ended.
    ///
    /// # Errors
    /// [`ReadError::Damaged`] where the bytes are invalid although more follow.
    pub fn next_piece(&mut self) -> Result<Option<Piece>, ReadError> {
        if self.tail.is_some() {
            return Ok(None);
        }
        let begun = self.offset;
        let message = match message(&mut self.input, &mut self.offset, &self.spare) {
            Ok(message) => message,
            Err(stop) => return self.stopped(begun, stop).map(|_| None),
        };
        let piece = self.progress.count(begun, self.decoder.piece(message))?;
        self.meta.plan.cells.extend(piece.note.iter().flat_map(|note| note.cells.clone()));
        Ok(Some(piece))
    }

    /// Writes the rest to a sink and returns how the stream ended. Batches are decoded on another thread.
    pub fn read_into(&mut self, sink: &mut dyn Sink) -> Result<Tail, ReadError> {
        if let Some(tail) = self.tail {
            return Ok(tail);
        }
        let Self { input, offset, spare, decoder, progress, meta, .. } = self;
        let mut begun = *offset;
        let read = || {
            begun = *offset;
            message(input, offset, spare)
        };
        let stop = decode_ahead(decoder, read, |offset, piece| {
            let mut piece = progress.count(offset, piece)?;
            for cell in piece.note.iter_mut().flat_map(|note| std::mem::take(&mut note.cells)) {
                sink.cell(&cell);
                meta.plan.cells.push(cell);
            }
            sink.samples(&piece.samples);
            if let Some(note) = &piece.note {
                sink.note(note);
            }
            Ok(())
        })?;
        self.stopped(begun, stop)
    }

    /// Remembers how the stream ended, or returns the damage at `begun` as an error.
    fn stopped(&mut self, begun: u64, stop: Stop) -> Result<Tail, ReadError> {
        match stop {
            Stop::Tail(tail) => Ok(*self.tail.insert(tail)),
            Stop::Damaged(why) => Err(self.progress.damaged(begun, why)),
        }
    }
}

impl ReadProgress {
    /// Counts a batch that begins at `offset`, or returns an error that says what is wrong with it.
    fn count(&mut self, offset: u64, piece: Result<Piece, String>) -> Result<Piece, ReadError> {
        let piece = piece.map_err(|why| self.damaged(offset, why))?;
        self.batches += 1;
        self.samples += piece.samples.len() as u64;
        Ok(piece)
    }

    fn damaged(&self, offset: u64, why: String) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), offset, batch: self.batches + 1, why, samples: self.samples }
    }
}

/// Returns a message as it is in the stream, with marker and length.
fn framed(head: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes();
    [&[0xFF; 4][..], &length, head, body].concat()
}

/// The fields that the description of a later version has too.
#[derive(serde::Deserialize)]
struct Head {
    format: u32,
    #[serde(default)]
    tool: String,
}

pub(super) fn read_meta(path: &str, document: &str) -> Result<Meta, ReadError> {
    let foreign = |error: serde_json::Error| ReadError::Foreign {
        path: path.to_owned(),
        why: format!("its description is not the JSON that it should be ({error})"),
    };
    // The version comes first: additions of a later version must not cause another error.
    let head: Head = json::read(document).map_err(foreign)?;
    if head.format > Meta::FORMAT {
        return Err(ReadError::TooNew {
            path: path.to_owned(),
            format: head.format,
            known: Meta::FORMAT,
            tool: head.tool,
        });
    }
    json::read(document).map_err(foreign)
}

/// Reads the next message's head and body, and advances `offset` past them.
fn message(input: &mut impl Read, offset: &mut u64, spare: &SpareMemory) -> Result<RawMessage, Stop> {
    let begun = *offset;
    let torn = || Stop::Tail(Tail::Torn { offset: begun });
    let mut prefix = [0; 8];
    match read_full(input, &mut prefix, offset)? {
        0 => return Err(Stop::Tail(Tail::Open)),
        8 => {}
        _ => return Err(torn()),
    }
    let (marker, length) = prefix.split_at(4);
    if marker != [0xFF; 4] {
        return Err(Stop::Damaged("the mark of its beginning is missing".to_owned()));
    }
    let length = length.try_into().map_or(0, u32::from_le_bytes);
    if length == 0 {
        let followed = read_full(input, &mut [0], offset)? > 0;
        return Err(if followed { Stop::Damaged(FOLLOWED.to_owned()) } else { Stop::Tail(Tail::Closed) });
    }
    let head = take(input, u64::from(length), offset, Vec::new())?.ok_or_else(torn)?;
    let body_length = root_as_message(&head).map_err(|_| Stop::Damaged(BROKEN.to_owned()))?.bodyLength();
    let body_length = u64::try_from(body_length).unwrap_or(u64::MAX);
    let body = take(input, body_length, offset, spare.take())?.ok_or_else(torn)?;
    Ok(RawMessage { offset: begun, head, body })
}

/// Reads exactly `length` bytes into empty memory; returns `None` if the input ends before.
fn take(input: &mut impl Read, length: u64, offset: &mut u64, mut bytes: Vec<u8>) -> Result<Option<Vec<u8>>, Stop> {
    if length > LARGEST_MESSAGE {
        return Err(Stop::Damaged(format!("a message of {length} bytes")));
    }
    bytes.reserve(usize::try_from(length).unwrap_or_default().min(decoder::LARGEST));
    let taken = input.take(length).read_to_end(&mut bytes).map_err(|error| Stop::Damaged(error.to_string()))?;
    *offset += taken as u64;
    Ok((taken as u64 == length).then_some(bytes))
}

fn read_full(input: &mut impl Read, bytes: &mut [u8], offset: &mut u64) -> Result<usize, Stop> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Stop::Damaged(error.to_string())),
        }
    }
    *offset += filled as u64;
    Ok(filled)
}
