//! The checksum of a message, which shows whether any byte has changed since it was written.
//!
//! The checksum is stored in the message's own metadata, so that every reader of Arrow can read the file. It is the
//! CRC-32 of the whole message, length and padding included, and of the body that belongs to it, computed with zeros in
//! place of the checksum itself. Any change of up to 32 neighbouring bits gives another checksum.

use arrow_ipc::{Message, root_as_message};
use crc32fast::Hasher;

/// The metadata key of the checksum.
pub(super) const KEY: &str = "oversleep-crc32";

/// Placeholder of the checksum while it is computed.
pub(super) const BLANK: &str = "00000000";

/// First bytes of every message; its length follows.
const MARKER: [u8; 4] = [0xFF; 4];
const PREFIX: usize = 8;

/// Writes a framed message's checksum over its placeholder; `rest` follows the message and belongs to it.
///
/// Returns `None` if the message has no placeholder.
pub(super) fn seal(framed: &mut [u8], rest: &[u8]) -> Option<()> {
    let head = framed.get(PREFIX..)?;
    let place = place(head)?;
    let sum = sum(head, place, rest);
    framed.get_mut(PREFIX + place..PREFIX + place + BLANK.len())?.copy_from_slice(sum.as_bytes());
    Some(())
}

/// The result of comparing a message with its checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChecksumResult {
    /// The message is unchanged.
    Same,
    /// The message has changed.
    Changed,
    /// The message has no checksum.
    Unsealed,
}

/// Compares a message (without marker and length) and the body that belongs to it with the message's checksum.
pub(super) fn verify(head: &[u8], rest: &[u8]) -> ChecksumResult {
    let Some(place) = place(head) else { return ChecksumResult::Unsealed };
    let same = cfg!(fuzzing) || head[place..place + BLANK.len()] == *sum(head, place, rest).as_bytes();
    if same { ChecksumResult::Same } else { ChecksumResult::Changed }
}

/// Returns the offset of the checksum in a message.
fn place(head: &[u8]) -> Option<usize> {
    let message = root_as_message(head).ok()?;
    let text = stored(&message).filter(|text| text.len() == BLANK.len())?;
    // The text is a slice of the message: the difference of addresses is its offset.
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

/// Returns the checksum as eight hexadecimal digits.
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
