//! A recording as an Arrow IPC stream.
//!
//! The stream's schema carries the [`Meta`](super::Meta) document under the key `oversleep`; each record batch
//! carries a [`Note`](super::Note) under the same key in its message's own metadata, where Arrow's format
//! provides for it. Readers that do not know this program see one plain table without nulls except in `deadline_ns`.
//! A run that is killed loses what it had not yet written; a truncated batch is left out and reported.
//!
//! The schema, the dictionaries and each batch have a checksum under `oversleep-crc32`: a changed byte is an error that
//! names its offset.

mod checksum;
pub mod columns;
mod decode_ahead;
mod decoder;
mod error;
mod frame;
mod json;
mod pending;
mod reader;
mod sample_check;
mod segments;
mod writer;

pub use error::{ReadError, WriteError, not_created};
pub use reader::{Piece, Reader, Tail};
pub use segments::{Segment, Segments};
pub use writer::{Writer, is_being_written};

/// The metadata key of our documents in the stream.
pub const KEY: &str = "oversleep";

#[cfg(test)]
mod tests;
