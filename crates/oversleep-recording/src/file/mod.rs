//! A recording as an Arrow IPC stream.
//!
//! The stream's schema carries the [`Meta`](super::Meta) document under the key `oversleep`; each record batch
//! carries a [`Note`](super::Note) under the same key in its message's own metadata, where Arrow's format
//! provides for it. Readers that know nothing of us see one plain table without nulls but for `deadline_ns`.
//! A run that is killed loses what it had not yet written; a batch that was cut in two is left out and said so.
//!
//! Schema, names and each batch have a checksum under `oversleep-crc32`: a byte that has changed is an error that names
//! the place. Format 1 had none, nor the columns `oversleep_ns`, `method` and `condition`; it is read as before.

mod checksum;
pub mod columns;
mod error;
mod frame;
mod pending;
mod reader;
mod sanity;
mod writer;

pub use error::{ReadError, WriteError};
pub use reader::{Piece, Reader, Tail};
pub use writer::{Writer, is_being_written};

/// The key under which our documents stand in the stream's metadata.
pub const KEY: &str = "oversleep";

#[cfg(test)]
mod tests;
