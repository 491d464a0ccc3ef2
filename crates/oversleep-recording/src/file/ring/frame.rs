//! Frames: length, kind, checksum and content.

use super::rounding::Level;
use crc32fast::Hasher;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::Serialize;
use std::io;

/// Length of what comes before the content: length, kind and rounding, checksum.
pub(super) const PREFIX: usize = 8;
/// Largest content: its length has three bytes.
const LARGEST: usize = (1 << 24) - 1;
/// Largest document in memory.
const LARGEST_DOCUMENT: usize = 1 << 24;
/// Level of compression of documents: higher ones take longer and save a few percent.
const DEFLATE: u8 = 6;

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Head,
    Note,
    Samples(Level),
    End,
}

impl FrameKind {
    fn byte(self) -> u8 {
        match self {
            Self::Head => 0,
            Self::Note => 1,
            Self::Samples(level) => 2 | level.number() << 3,
            Self::End => 3,
        }
    }

    fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Head),
            1 => Some(Self::Note),
            3 => Some(Self::End),
            _ if byte & 7 == 2 => Level::of_number(byte >> 3).map(Self::Samples),
            _ => None,
        }
    }
}

/// Appends a frame to `out`; `chain` is the checksum of the frame before, and becomes that of this one.
pub(super) fn append(out: &mut Vec<u8>, kind: FrameKind, content: &[u8], chain: &mut u32) -> io::Result<()> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    if content.len() > LARGEST {
        return Err(io::Error::other(format!("{length} bytes are more than a frame holds")));
    }
    let [a, b, c, _] = length.to_le_bytes();
    let prefix = [a, b, c, kind.byte()];
    *chain = checksum(prefix, content, *chain);
    out.extend(prefix);
    out.extend(chain.to_le_bytes());
    out.extend(content);
    Ok(())
}

/// The part of a frame before its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix {
    prefix: [u8; 4],
    checksum: u32,
}

impl Prefix {
    pub(super) fn new([a, b, c, kind, sum @ ..]: [u8; PREFIX]) -> Self {
        Self { prefix: [a, b, c, kind], checksum: u32::from_le_bytes(sum) }
    }

    /// Returns the length of the content.
    pub(super) fn length(self) -> u64 {
        let [a, b, c, _] = self.prefix;
        u64::from(u32::from_le_bytes([a, b, c, 0]))
    }

    /// Returns what the frame holds, if it is unchanged and follows the frame whose checksum is `chain`, which becomes
    /// that of this one.
    pub(super) fn verify(self, content: &[u8], chain: &mut u32) -> Option<FrameKind> {
        let sum = checksum(self.prefix, content, *chain);
        (sum == self.checksum || cfg!(fuzzing)).then_some(())?;
        *chain = sum;
        FrameKind::of_byte(self.prefix[3])
    }
}

fn checksum(prefix: [u8; 4], content: &[u8], chain: u32) -> u32 {
    let mut hasher = Hasher::new_with_initial(chain);
    hasher.update(&prefix);
    hasher.update(content);
    hasher.finalize()
}

/// Returns a document as a frame's content.
pub(super) fn document(document: &impl Serialize) -> io::Result<Vec<u8>> {
    Ok(compress_to_vec(&serde_json::to_vec(document)?, DEFLATE))
}

/// Returns the text of a document.
pub(super) fn text(content: &[u8]) -> Result<String, String> {
    let bytes = decompress_to_vec_with_limit(content, LARGEST_DOCUMENT);
    let bytes = bytes.map_err(|_| "a document that cannot be inflated")?;
    String::from_utf8(bytes).map_err(|_| "a document that is not text in UTF-8".to_owned())
}
