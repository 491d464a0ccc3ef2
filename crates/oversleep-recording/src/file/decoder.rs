//! Decodes the messages of a recording.

use super::checksum::{self, ChecksumResult};
use super::reader::{Piece, RawMessage};
use super::sample_check::SampleCheck;
use super::spare::SpareMemory;
use super::{columns, frame, json};
use crate::{Meta, Note};
use arrow_buffer::Buffer;
use arrow_ipc::reader::read_record_batch;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::Schema;
use std::collections::HashMap;
use std::sync::Arc;

/// Decodes batches, and checks their checksums and whether their samples are possible.
pub(super) struct Decoder {
    schema: Arc<Schema>,
    /// Indices of the columns that samples are read from.
    places: Vec<usize>,
    format: u32,
    sample_check: SampleCheck,
    spare: SpareMemory,
}

/// The first format in which the head and the batches have checksums.
pub(super) const SEALED: u32 = 2;

pub(super) const CHANGED: &str = "its checksum does not match its bytes";
pub(super) const UNSEALED: &str = "its checksum is missing";
pub(super) const FOLLOWED: &str = "bytes follow the end of the recording; give each recording a file of its own";
/// Replaces the decoders' own messages, which name their internals and have several lines.
pub(super) const BROKEN: &str = "its structure is broken";

impl Decoder {
    /// Returns a decoder for the batches that follow this head; `None` if the schema is not that of a recording.
    pub(super) fn new(schema: Schema, meta: &Meta, spare: SpareMemory) -> Option<Self> {
        let places = columns::places(&schema)?;
        Some(Self {
            schema: Arc::new(schema),
            places,
            format: meta.format,
            sample_check: SampleCheck::new(&meta.plan),
            spare,
        })
    }

    /// Decodes the next batch. The error says what is wrong with it.
    pub(super) fn piece(&mut self, message: RawMessage) -> Result<Piece, String> {
        let mut piece = self.decode(&message.head, message.body)?;
        let unsound = self.sample_check.check(&mut piece.samples, message.offset);
        if !unsound.is_empty() {
            piece.note.get_or_insert_default().unsound = unsound;
        }
        Ok(piece)
    }

    fn decode(&self, head: &[u8], body: Vec<u8>) -> Result<Piece, String> {
        match checksum::verify(head, &body) {
            ChecksumResult::Changed => return Err(CHANGED.to_owned()),
            ChecksumResult::Unsealed if self.format >= SEALED => return Err(UNSEALED.to_owned()),
            ChecksumResult::Unsealed | ChecksumResult::Same => {}
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
        let samples = columns::samples(&batch);
        drop(batch);
        if let Ok(memory) = body.into_vec() {
            self.spare.keep(memory);
        }
        Ok(Piece { samples, note })
    }
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
    frame::note(message).map(json::read_note).transpose()
}
