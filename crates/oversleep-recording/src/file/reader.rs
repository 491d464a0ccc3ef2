//! Reads a recording piece by piece, so that memory stays bounded whatever its length.

use super::checksum::{self, Verdict};
use super::sanity::Sanity;
use super::{ReadError, columns, frame};
use crate::{Meta, Note, Sample, Sink};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::read_record_batch;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::{DataType, Schema};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// Messages larger than this are treated as damage rather than read: a batch is at most about 4 MiB.
const LARGEST_MESSAGE: u64 = 1 << 30;

/// An open recording.
pub struct Reader<R> {
    path: String,
    input: R,
    schema: Arc<Schema>,
    /// Indices of the columns that samples are read from.
    places: Vec<usize>,
    meta: Meta,
    sanity: Sanity,
    offset: u64,
    batches: u64,
    samples: u64,
    tail: Option<Tail>,
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
enum Stop {
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
        Self::new(shown, BufReader::with_capacity(1 << 20, file))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the head of a stream; `path` is used in error messages only.
    pub fn new(path: String, mut input: R) -> Result<Self, ReadError> {
        let foreign = |why: &str| ReadError::Foreign { path: path.clone(), why: why.to_owned() };
        let incomplete = || foreign("it ends before its head is complete");
        let mut offset = 0;
        let (head, _) = match message(&mut input, &mut offset) {
            Ok(parts) => parts,
            Err(Stop::Tail(_)) => return Err(incomplete()),
            Err(Stop::Damaged(_)) => return Err(foreign("it does not begin like an Arrow stream")),
        };
        let schema = root_as_message(&head)
            .ok()
            .and_then(|message| message.header_as_schema())
            .and_then(|schema| try_fb_to_schema(schema).ok())
            .ok_or_else(|| foreign("it does not begin like an Arrow stream"))?;
        let document =
            schema.metadata().get(super::KEY).ok_or_else(|| foreign("it is an Arrow stream of some other program"))?;
        let mut names = Vec::new();
        for _ in schema.fields().iter().filter(|field| matches!(field.data_type(), DataType::Dictionary(..))) {
            match message(&mut input, &mut offset) {
                Ok((head, body)) => names.extend(framed(&head, &body)),
                Err(Stop::Tail(_)) => return Err(incomplete()),
                Err(Stop::Damaged(why)) => return Err(ReadError::DamagedHead { path, why }),
            }
        }
        let verdict = checksum::verify(&head, &names);
        let damaged = |why: &str| ReadError::DamagedHead { path: path.clone(), why: why.to_owned() };
        if verdict == Verdict::Changed {
            return Err(damaged(CHANGED));
        }
        let meta = read_meta(&path, document)?;
        if verdict == Verdict::Unsealed && meta.format >= SEALED {
            return Err(damaged(UNSEALED));
        }
        let places = columns::places(&schema).ok_or_else(|| foreign("its columns are not those of a recording"))?;
        let sanity = Sanity::new(&meta.plan);
        let schema = Arc::new(schema);
        Ok(Self { schema, places, path, input, meta, sanity, offset, batches: 0, samples: 0, tail: None })
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
        let (head, body) = match message(&mut self.input, &mut self.offset) {
            Ok(parts) => parts,
            Err(Stop::Tail(tail)) => {
                self.tail = Some(tail);
                return Ok(None);
            }
            Err(Stop::Damaged(why)) => return Err(self.damaged(begun, why)),
        };
        let mut piece = self.decode(&head, body).map_err(|why| self.damaged(begun, why))?;
        self.batches += 1;
        self.samples += piece.samples.len() as u64;
        let unsound = self.sanity.check(&mut piece.samples, begun);
        if !unsound.is_empty() {
            piece.note.get_or_insert_default().unsound = unsound;
        }
        Ok(Some(piece))
    }

    fn decode(&self, head: &[u8], body: Vec<u8>) -> Result<Piece, String> {
        match checksum::verify(head, &body) {
            Verdict::Changed => return Err(CHANGED.to_owned()),
            Verdict::Unsealed if self.meta.format >= SEALED => return Err(UNSEALED.to_owned()),
            Verdict::Unsealed | Verdict::Same => {}
        }
        let message = root_as_message(head).map_err(|_| BROKEN)?;
        let header = message.header_as_record_batch().ok_or("a message that is not a record batch")?;
        check_extent(&header, body.len())?;
        let body = Buffer::from_vec(body);
        let schema = Arc::clone(&self.schema);
        // Dictionaries are not read: the names follow from the plan.
        let (names, places) = (HashMap::new(), Some(&self.places[..]));
        let batch = read_record_batch(&body, header, schema, &names, places, &message.version()).map_err(|_| BROKEN)?;
        let note = read_note(&message)?;
        Ok(Piece { samples: columns::samples(&batch), note })
    }

    fn damaged(&self, offset: u64, why: String) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), offset, batch: self.batches + 1, why, samples: self.samples }
    }

    /// Writes the rest to a sink and returns how the stream ended.
    pub fn read_into(&mut self, sink: &mut dyn Sink) -> Result<Tail, ReadError> {
        while let Some(piece) = self.next_piece()? {
            sink.samples(&piece.samples);
            if let Some(note) = &piece.note {
                sink.note(note);
            }
        }
        Ok(self.tail.unwrap_or(Tail::Open))
    }
}

/// The first format in which the head and the batches have checksums.
const SEALED: u32 = 2;

pub(super) const CHANGED: &str = "its checksum is not that of what stands there";
const UNSEALED: &str = "its checksum is missing";
/// Replaces the decoders' own messages, which name their internals and have several lines.
pub(super) const BROKEN: &str = "its structure is broken";

/// Returns a message as it is in the stream, with marker and length.
fn framed(head: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes();
    [&[0xFF; 4][..], &length, head, body].concat()
}

/// The fields that the description has in every version.
#[derive(serde::Deserialize)]
struct Head {
    format: u32,
    #[serde(default)]
    tool: String,
}

pub(super) fn read_meta(path: &str, document: &str) -> Result<Meta, ReadError> {
    let foreign = |error: serde_json::Error| ReadError::Foreign {
        path: path.to_owned(),
        why: format!("its description cannot be read ({error})"),
    };
    // The version comes first: additions of a later version must not cause another error.
    let head: Head = serde_json::from_str(document).map_err(foreign)?;
    if head.format > Meta::FORMAT {
        return Err(ReadError::TooNew {
            path: path.to_owned(),
            format: head.format,
            known: Meta::FORMAT,
            tool: head.tool,
        });
    }
    serde_json::from_str(document).map_err(foreign)
}

/// Checks that the body has the extent that the header states: the decoder panics if a slice lies outside.
fn check_extent(header: &arrow_ipc::RecordBatch<'_>, body: usize) -> Result<(), String> {
    let inside = |buffer: &arrow_ipc::Buffer| {
        let end = buffer.offset().checked_add(buffer.length())?;
        (buffer.offset() >= 0 && buffer.length() >= 0 && end <= i64::try_from(body).ok()?).then_some(())
    };
    let rows = header.length();
    // The widest columns take 8 bytes a row.
    if rows < 0 || rows.checked_mul(8).is_none_or(|bytes| bytes > i64::try_from(body).unwrap_or(i64::MAX)) {
        return Err(format!("a batch of {rows} rows in {body} bytes"));
    }
    let nodes = header.nodes().ok_or("a batch without columns")?;
    if nodes.iter().any(|node| node.length() != rows || node.null_count() < 0 || node.null_count() > rows) {
        return Err("columns of different lengths".to_owned());
    }
    match header.buffers().is_some_and(|buffers| buffers.iter().all(|buffer| inside(buffer).is_some())) {
        true if header.compression().is_none() => Ok(()),
        true => Err("a compressed batch, which this version does not read".to_owned()),
        false => Err("a column that reaches outside its batch".to_owned()),
    }
}

fn read_note(message: &Message<'_>) -> Result<Option<Note>, String> {
    let read = |text| serde_json::from_str(text).map_err(|error| format!("a note that cannot be read ({error})"));
    frame::note(message).map(read).transpose()
}

/// Reads the next message's head and body, and advances `offset` past them.
fn message(input: &mut impl Read, offset: &mut u64) -> Result<(Vec<u8>, Vec<u8>), Stop> {
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
        return Err(Stop::Damaged("no message begins here".to_owned()));
    }
    let length = length.try_into().map_or(0, u32::from_le_bytes);
    if length == 0 {
        return Err(Stop::Tail(Tail::Closed));
    }
    let head = take(input, u64::from(length), offset)?.ok_or_else(torn)?;
    let body_length = root_as_message(&head).map_err(|_| Stop::Damaged(BROKEN.to_owned()))?.bodyLength();
    let body_length = u64::try_from(body_length).unwrap_or(u64::MAX);
    let body = take(input, body_length, offset)?.ok_or_else(torn)?;
    Ok((head, body))
}

/// Reads exactly `length` bytes; returns `None` if the input ends before.
fn take(input: &mut impl Read, length: u64, offset: &mut u64) -> Result<Option<Vec<u8>>, Stop> {
    if length > LARGEST_MESSAGE {
        return Err(Stop::Damaged(format!("a message of {length} bytes")));
    }
    let mut bytes = Vec::new();
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
