//! A recording in at most three bytes a sample, for the ring of the last minutes that `oversleep serve` keeps.
//!
//! A file begins with the line `oversleep ring 1`; frames follow, in little-endian order: three bytes with the length of
//! the content, one with its kind (lower three bits) and the rounding of its times (upper five), four with a CRC-32 of
//! these and the content, which goes on from the checksum of the frame before. So a changed byte, and a frame that is
//! missing or stands elsewhere, are errors that name their offset. Frames only follow one another: at any moment a killed
//! run loses what it had not yet written, and a truncated frame at the end is left out and reported.
//!
//! | kind | content |
//! | --- | --- |
//! | 0 | the [`Meta`](crate::Meta) document, JSON, deflated; the first frame |
//! | 1 | a [`Note`](crate::Note), JSON, deflated |
//! | 2 | samples: their number, then each as bits (`samples.rs`) |
//! | 3 | nothing: the recording is complete |
//!
//! Every sample is kept with its own times. They are exact to the nanosecond where that takes at most 21 bits a
//! sample. Where their noise takes more, the starts of a frame's samples are rounded first, then also the lateness
//! (`rounding.rs`): a clock reading costs as much time as the coarsest rounding of a lateness moves it. The reader notes
//! how much was rounded.
//!
//! Readings of clocks are kept at the beginning, every 30 seconds, and at the end.

mod bits;
mod frame;
mod predict;
mod reader;
mod rounding;
mod samples;
mod writer;

pub use reader::RingFileReader;
pub use writer::RingFileWriter;

/// First line of every file, up to the version.
pub const MARK: &[u8] = b"oversleep ring ";
/// The rest of that line.
const VERSION: &[u8] = b"1\n";

/// Bits a sample above which times are rounded. The rest of three bytes is for the frames' heads, notes and the file's
/// head.
const BUDGET: u64 = 21;
/// Largest number of samples in a frame, so that a reader's memory stays bounded: 4 MiB of samples.
const MOST_SAMPLES: usize = 1 << 16;

#[cfg(test)]
mod tests;
