//! The messages of an Arrow IPC stream, with a note in a batch's own metadata.
//!
//! Arrow's format gives every message a `custom_metadata` field (`Message.fbs`). The `arrow-ipc` crate neither
//! writes nor reads it for record batches (60.1). So that crate makes the message, and its few parts are copied into a
//! new message that has the field; reading does the reverse.

use super::checksum;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{
    BodyCompression, BodyCompressionArgs, Buffer, CompressionType, FieldNode, KeyValue, KeyValueArgs, Message,
    MessageArgs, MessageHeader, RecordBatchArgs, root_as_message,
};
use arrow_schema::{ArrowError, Schema};
use flatbuffers::FlatBufferBuilder;

/// End marker of a finished stream, after the last batch.
pub(super) const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// Encodes the messages of a stream, one after the other.
pub(super) struct Encoder {
    options: IpcWriteOptions,
    tracker: DictionaryTracker,
}

/// A batch and its note as one message of an Arrow stream, in two parts to be written one after the other.
pub(super) struct BatchMessage {
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
}

impl Encoder {
    /// Begins a stream with everything before its first batch: the schema, and the dictionaries that batches refer to,
    /// which are those of `empty`, a batch without rows. `compression` is that of the columns.
    pub(super) fn begin(
        empty: &RecordBatch,
        compression: Option<CompressionType>,
    ) -> Result<(Self, Vec<u8>), ArrowError> {
        let options = IpcWriteOptions::default().try_with_compression(compression)?;
        let mut encoder = Self { options, tracker: DictionaryTracker::new(false) };
        let schema = empty.schema();
        let mut metadata = schema.metadata().clone();
        metadata.insert(checksum::KEY.to_owned(), checksum::BLANK.to_owned());
        let schema = Schema::new_with_metadata(schema.fields().clone(), metadata);
        let generator = IpcDataGenerator::default();
        let message =
            generator.schema_to_bytes_with_dictionary_tracker(&schema, &mut encoder.tracker, &encoder.options);
        let mut head = encoder.framed(message)?;

        let mut context = IpcWriteContext::default();
        let (dictionaries, _) = generator.encode(empty, &mut encoder.tracker, &encoder.options, &mut context)?;
        let mut names = Vec::new();
        for dictionary in dictionaries {
            names.extend(encoder.framed(dictionary)?);
        }
        checksum::seal(&mut head, &names).ok_or_else(sealing_error)?;
        head.extend(names);
        Ok((encoder, head))
    }

    /// Encodes a batch and its note as one message.
    pub(super) fn batch(&mut self, batch: &RecordBatch, note: Option<&str>) -> Result<BatchMessage, ArrowError> {
        let mut context = IpcWriteContext::default();
        let generator = IpcDataGenerator::default();
        let (_, mut encoded) = generator.encode(batch, &mut self.tracker, &self.options, &mut context)?;
        encoded.ipc_message = with_note(&encoded.ipc_message, note)?;
        // The body is padded already, and the message states its length.
        let body = std::mem::take(&mut encoded.arrow_data);
        let mut head = self.framed(encoded)?;
        checksum::seal(&mut head, &body).ok_or_else(sealing_error)?;
        Ok(BatchMessage { head, body })
    }

    fn framed(&self, encoded: EncodedData) -> Result<Vec<u8>, ArrowError> {
        let mut bytes = Vec::with_capacity(encoded.ipc_message.len() + encoded.arrow_data.len() + 64);
        write_message(&mut bytes, encoded, &self.options)?;
        Ok(bytes)
    }
}

fn sealing_error() -> ArrowError {
    ArrowError::IpcError("the encoder made no message that could be sealed".to_owned())
}

/// Copies a record batch's message and adds its note and the placeholder of its checksum.
fn with_note(message: &[u8], note: Option<&str>) -> Result<Vec<u8>, ArrowError> {
    let message = root_as_message(message).map_err(|error| ArrowError::IpcError(error.to_string()))?;
    let batch = message.header_as_record_batch().ok_or_else(sealing_error)?;
    let nodes: Vec<FieldNode> = batch.nodes().ok_or_else(sealing_error)?.iter().copied().collect();
    let buffers: Vec<Buffer> = batch.buffers().ok_or_else(sealing_error)?.iter().copied().collect();

    let mut builder = FlatBufferBuilder::new();
    let nodes = builder.create_vector(&nodes);
    let buffers = builder.create_vector(&buffers);
    let compression = batch.compression().map(|known| {
        let known = BodyCompressionArgs { codec: known.codec(), method: known.method() };
        BodyCompression::create(&mut builder, &known)
    });
    let header = arrow_ipc::RecordBatch::create(
        &mut builder,
        &RecordBatchArgs {
            length: batch.length(),
            nodes: Some(nodes),
            buffers: Some(buffers),
            compression,
            variadicBufferCounts: None,
        },
    );
    let mut pair = |(key, value): (&str, &str)| {
        let (key, value) = (builder.create_string(key), builder.create_string(value));
        KeyValue::create(&mut builder, &KeyValueArgs { key: Some(key), value: Some(value) })
    };
    let note = note.map(|note| (super::KEY, note));
    let pairs: Vec<_> = note.into_iter().chain([(checksum::KEY, checksum::BLANK)]).map(&mut pair).collect();
    let pairs = builder.create_vector(&pairs);
    let root = Message::create(
        &mut builder,
        &MessageArgs {
            version: message.version(),
            header_type: MessageHeader::RecordBatch,
            header: Some(header.as_union_value()),
            bodyLength: message.bodyLength(),
            custom_metadata: Some(pairs),
        },
    );
    builder.finish(root, None);
    Ok(builder.finished_data().to_vec())
}

/// Returns the note of a message, if it has one.
pub(super) fn note<'a>(message: &Message<'a>) -> Option<&'a str> {
    message.custom_metadata()?.iter().find(|pair| pair.key() == Some(super::KEY))?.value()
}
