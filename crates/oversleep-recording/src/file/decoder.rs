//! Decodes the messages of a recording.

use super::checksum::{self, ChecksumResult};
use super::reader::{Piece, RawMessage};
use super::sample_check::SampleCheck;
use super::{columns, frame, json};
use crate::{Meta, Note};
use arrow_buffer::Buffer;
use arrow_ipc::reader::read_record_batch;
use arrow_ipc::{CompressionType, Message, root_as_message};
use arrow_schema::Schema;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Decodes batches, and checks their checksums and whether their samples are possible.
pub(super) struct Decoder {
    schema: Arc<Schema>,
    /// Indices of the columns that samples are read from.
    places: Vec<usize>,
    sample_check: SampleCheck,
    spare: SpareMemory,
}

pub(super) const CHANGED: &str = "its checksum does not match its bytes";
pub(super) const UNSEALED: &str = "its checksum is missing";
pub(super) const FOLLOWED: &str = "bytes follow the end of the recording; give each recording a file of its own";
/// Replaces the decoders' own messages, which name their internals and have several lines.
pub(super) const BROKEN: &str = "its structure is broken";

impl Decoder {
    /// Returns a decoder for the batches that follow this head; `None` if the schema is not that of a recording.
    pub(super) fn new(schema: Schema, meta: &Meta, spare: SpareMemory) -> Option<Self> {
        let places = columns::places(&schema)?;
        Some(Self { schema: Arc::new(schema), places, sample_check: SampleCheck::new(&meta.plan), spare })
    }

    /// Decodes the next batch. The error says what is wrong with it.
    pub(super) fn piece(&mut self, message: RawMessage) -> Result<Piece, String> {
        let mut piece = self.decode(&message.head, message.body)?;
        for cell in piece.note.iter().flat_map(|note| &note.cells) {
            if !self.sample_check.add(cell) {
                return Err(format!("a cell with the number {}, which is not the next", cell.id));
            }
        }
        let unsound = self.sample_check.check(&mut piece.samples, message.offset);
        if !unsound.is_empty() {
            piece.note.get_or_insert_default().unsound = unsound;
        }
        Ok(piece)
    }

    fn decode(&self, head: &[u8], body: Vec<u8>) -> Result<Piece, String> {
        match checksum::verify(head, &body) {
            ChecksumResult::Changed => return Err(CHANGED.to_owned()),
            ChecksumResult::Unsealed => return Err(UNSEALED.to_owned()),
            ChecksumResult::Same => {}
        }
        let message = root_as_message(head).map_err(|_| BROKEN)?;
        let header = message.header_as_record_batch().ok_or("a message that is not a record batch")?;
        check_extent(&header, &body)?;
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

/// Most rows of a compressed batch; more are not written.
const MOST_COMPRESSED: i64 = 1 << 16;

/// Checks that the body has the extent that the header states: the decoder panics if a slice lies outside. Compressed columns must
/// not state more than their rows take.
fn check_extent(header: &arrow_ipc::RecordBatch<'_>, body: &[u8]) -> Result<(), String> {
    let rows = header.length();
    let slice = |buffer: &arrow_ipc::Buffer| {
        let begin = usize::try_from(buffer.offset()).ok()?;
        body.get(begin..begin.checked_add(usize::try_from(buffer.length()).ok()?)?)
    };
    // The widest columns take 8 bytes a row.
    let widest = rows.checked_mul(8).filter(|bytes| *bytes >= 0);
    let compressed = match header.compression() {
        None => false,
        Some(compression) if compression.codec() == CompressionType::LZ4_FRAME => true,
        Some(_) => return Err("a batch compressed in a way that this version does not read".to_owned()),
    };
    let most = if compressed { Some(8 * MOST_COMPRESSED) } else { i64::try_from(body.len()).ok() };
    let Some(widest) = widest.filter(|bytes| most.is_some_and(|most| *bytes <= most)) else {
        return Err(format!("a batch of {rows} rows in {} bytes", body.len()));
    };
    let nodes = header.nodes().ok_or("a batch without columns")?;
    if nodes.iter().any(|node| node.length() != rows || node.null_count() < 0 || node.null_count() > rows) {
        return Err("columns of different lengths".to_owned());
    }
    let fits = |bytes: &[u8]| {
        // A compressed column begins with its length without compression, or with -1 if it has none.
        let stated = || bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes));
        !compressed || bytes.is_empty() || stated().is_some_and(|stated| (-1..=widest).contains(&stated))
    };
    match header.buffers() {
        Some(buffers) if buffers.iter().all(|buffer| slice(buffer).is_some_and(fits)) => Ok(()),
        _ => Err("a column that reaches outside its batch".to_owned()),
    }
}

fn read_note(message: &Message<'_>) -> Result<Option<Note>, String> {
    frame::note(message).map(json::read_note).transpose()
}

/// Most pieces of memory that are kept: of the messages between reading and decoding.
const MOST: usize = 4;

/// Room for a full batch, in bytes: what is reserved for a part of a message before any of it was read, at most, and the
/// largest memory that is kept.
pub(super) const LARGEST: usize = 8 << 20;

/// Pieces of memory that are not in use, shared by the threads that read and decode.
#[derive(Clone, Default)]
pub(super) struct SpareMemory(Arc<Mutex<Vec<Vec<u8>>>>);

impl SpareMemory {
    /// Returns an empty piece of memory, with the capacity of an earlier message if there is one.
    pub(super) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps the memory of a message that was decoded.
    pub(super) fn keep(&self, mut memory: Vec<u8>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST && memory.capacity() <= LARGEST {
            memory.clear();
            spare.push(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::{self, CellNames};
    use super::super::frame::Encoder;
    use super::*;
    use crate::plan::build;
    use crate::{Origin, Sample};

    /// A file may state any length, and that much memory would be taken for it.
    #[test]
    fn a_compressed_column_states_no_more_than_its_rows_take() {
        let meta = Meta::new("oversleep test", Origin::Live, build::checkup(std::iter::empty(), 1));
        let schema = Arc::new(columns::schema(serde_json::to_string(&meta).unwrap()));
        let names = CellNames::from_plan(&meta.plan);
        let batch = |samples: &[Sample]| columns::batch(&schema, &names, samples).unwrap();
        let (mut encoder, _) = Encoder::begin(&batch(&[]), Some(CompressionType::LZ4_FRAME)).unwrap();
        let message = encoder.batch(&batch(&[Sample::BLANK; 100]), None).unwrap();
        let head = root_as_message(&message.head[8..]).unwrap().header_as_record_batch().unwrap();
        assert_eq!(check_extent(&head, &message.body), Ok(()));
        let buffers: Vec<_> = head.buffers().unwrap().iter().filter(|buffer| buffer.length() > 0).collect();
        assert!(!buffers.is_empty());
        for buffer in buffers {
            let begin = usize::try_from(buffer.offset()).unwrap();
            for (stated, fits) in [(-1, true), (800, true), (801, false), (i64::MAX, false), (-2, false)] {
                let mut body = message.body.clone();
                body[begin..begin + 8].copy_from_slice(&i64::to_le_bytes(stated));
                assert_eq!(check_extent(&head, &body).is_ok(), fits, "{stated}");
            }
        }
        assert!(check_extent(&head, &message.body[..message.body.len() / 2]).is_err());
    }

    #[test]
    fn memory_is_used_again_and_empty() {
        let spare = SpareMemory::default();
        let memory = vec![1; 1_000];
        let place = memory.as_ptr();
        spare.clone().keep(memory);
        let again = spare.take();
        assert_eq!((again.as_ptr(), again.len(), again.capacity()), (place, 0, 1_000));
        assert_eq!(spare.take().capacity(), 0);
        (0..10).for_each(|_| spare.keep(vec![1]));
        assert_eq!(spare.0.lock().unwrap().len(), MOST);
        spare.take();
        spare.keep(Vec::with_capacity(LARGEST + 1));
        assert_eq!(spare.0.lock().unwrap().len(), MOST - 1, "memory stays bounded");
    }
}
