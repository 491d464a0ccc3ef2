//! The checksum of a message: that no byte of it has changed since it was written.
//!
//! It stands in the message's own metadata, so that every reader of Arrow can read the file. It is the CRC-32 of the
//! whole message, length and padding included, and of what belongs to it, taken with zeros in its own place. Any change
//! of up to 32 neighbouring bits gives another one.

use arrow_ipc::{Message, root_as_message};
use crc32fast::Hasher;

/// The key under which it stands.
pub(super) const KEY: &str = "oversleep-crc32";

/// What stands in its place while it is computed.
pub(super) const BLANK: &str = "00000000";

/// What begins every message, and then its length.
const MARKER: [u8; 4] = [0xFF; 4];
const PREFIX: usize = 8;

/// Writes a framed message's checksum into the place kept for it; `rest` follows the message and belongs to it.
///
/// Returns `None` if there is no such place.
pub(super) fn seal(framed: &mut [u8], rest: &[u8]) -> Option<()> {
    let head = framed.get(PREFIX..)?;
    let place = place(head)?;
    let sum = sum(head, place, rest);
    framed.get_mut(PREFIX + place..PREFIX + place + BLANK.len())?.copy_from_slice(sum.as_bytes());
    Some(())
}

/// What a message's checksum says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is as it was written.
    Same,
    /// It has changed.
    Changed,
    /// It has no checksum.
    Unsealed,
}

/// Compares a message (without marker and length) and what belongs to it with its checksum.
pub(super) fn verify(head: &[u8], rest: &[u8]) -> Verdict {
    let Some(place) = place(head) else { return Verdict::Unsealed };
    let same = head[place..place + BLANK.len()] == *sum(head, place, rest).as_bytes();
    if same { Verdict::Same } else { Verdict::Changed }
}

/// Where in a message its checksum stands.
fn place(head: &[u8]) -> Option<usize> {
    let message = root_as_message(head).ok()?;
    let text = stored(&message).filter(|text| text.len() == BLANK.len())?;
    // The text is part of the message: its address tells where.
    let place = text.as_ptr().addr().checked_sub(head.as_ptr().addr())?;
    (place + BLANK.len() <= head.len()).then_some(place)
}

fn stored<'a>(message: &Message<'a>) -> Option<&'a str> {
    let pairs = match message.header_as_schema() {
        Some(schema) => schema.custom_metadata(),
        None => message.custom_metadata(),
    };
    pairs?.iter().find(|pair| pair.key() == Some(KEY))?.value()
}

/// Eight hexadecimal digits.
fn sum(head: &[u8], place: usize, rest: &[u8]) -> String {
    let mut hasher = Hasher::new();
    hasher.update(&MARKER);
    hasher.update(&u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes());
    hasher.update(&head[..place]);
    hasher.update(BLANK.as_bytes());
    hasher.update(&head[place + BLANK.len()..]);
    hasher.update(rest);
    format!("{:08x}", hasher.finalize())
}
