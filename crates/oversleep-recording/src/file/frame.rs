//! The messages of an Arrow IPC stream, with a note in a batch's own metadata.
//!
//! Arrow's format gives every message a `custom_metadata` field (`Message.fbs`). The `arrow-ipc` crate neither
//! writes nor reads it for record batches (60.1), so the message is made once by that crate and its few parts
//! are copied into a message that has it; likewise on the way back.

use arrow_array::RecordBatch;
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{
    Buffer, FieldNode, KeyValue, KeyValueArgs, Message, MessageArgs, MessageHeader, RecordBatchArgs, root_as_message,
};
use arrow_schema::{ArrowError, Schema};
use flatbuffers::FlatBufferBuilder;

/// What follows the last batch of a finished stream.
pub(super) const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// The schema as the stream's first message, framed.
pub(super) fn schema(schema: &Schema) -> Result<Vec<u8>, ArrowError> {
    let options = IpcWriteOptions::default();
    let mut tracker = DictionaryTracker::new(false);
    let encoded = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(schema, &mut tracker, &options);
    framed(encoded, &options)
}

/// A message in two parts, to be written one after the other.
pub(super) struct Framed {
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
}

/// A batch and its note as one message, framed.
pub(super) fn batch(batch: &RecordBatch, note: Option<&str>) -> Result<Framed, ArrowError> {
    let options = IpcWriteOptions::default();
    let mut tracker = DictionaryTracker::new(false);
    let mut context = IpcWriteContext::default();
    let (_, mut encoded) = IpcDataGenerator::default().encode(batch, &mut tracker, &options, &mut context)?;
    if let Some(note) = note {
        encoded.ipc_message = with_note(&encoded.ipc_message, note)?;
    }
    // The body is padded already, and its length stands in the message.
    let body = std::mem::take(&mut encoded.arrow_data);
    Ok(Framed { head: framed(encoded, &options)?, body })
}

fn framed(encoded: EncodedData, options: &IpcWriteOptions) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::with_capacity(encoded.ipc_message.len() + encoded.arrow_data.len() + 64);
    write_message(&mut bytes, encoded, options)?;
    Ok(bytes)
}

fn with_note(message: &[u8], note: &str) -> Result<Vec<u8>, ArrowError> {
    let broken = || ArrowError::IpcError("the encoder made no record batch".to_owned());
    let message = root_as_message(message).map_err(|error| ArrowError::IpcError(error.to_string()))?;
    let batch = message.header_as_record_batch().ok_or_else(broken)?;
    let nodes: Vec<FieldNode> = batch.nodes().ok_or_else(broken)?.iter().copied().collect();
    let buffers: Vec<Buffer> = batch.buffers().ok_or_else(broken)?.iter().copied().collect();

    let mut builder = FlatBufferBuilder::new();
    let nodes = builder.create_vector(&nodes);
    let buffers = builder.create_vector(&buffers);
    let header = arrow_ipc::RecordBatch::create(
        &mut builder,
        &RecordBatchArgs {
            length: batch.length(),
            nodes: Some(nodes),
            buffers: Some(buffers),
            compression: None,
            variadicBufferCounts: None,
        },
    );
    let key = builder.create_string(super::KEY);
    let value = builder.create_string(note);
    let pair = KeyValue::create(&mut builder, &KeyValueArgs { key: Some(key), value: Some(value) });
    let pairs = builder.create_vector(&[pair]);
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

/// The note of a message, if it has one.
pub(super) fn note<'a>(message: &Message<'a>) -> Option<&'a str> {
    message.custom_metadata()?.iter().find(|pair| pair.key() == Some(super::KEY))?.value()
}
