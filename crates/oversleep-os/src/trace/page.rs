//! Pages of the kernel's ring buffer, as `per_cpu/cpu*/trace_pipe_raw` returns them.
//!
//! A page begins with the absolute time of its first record and the length of its data; each record begins with
//! one 32-bit word, `type_len:5, time_delta:27`, whose meaning is given by `events/header_event` and the kernel's
//! `include/linux/ring_buffer.h` (unchanged since 2.6.30, absolute stamps since 4.17):
//!
//! | `type_len` | record |
//! | --- | --- |
//! | 0 | the next word holds the length, itself included |
//! | 1–28 | that many words of data |
//! | 29 | padding: to the page's end if `time_delta` is 0, else a discarded record |
//! | 30 | time extend: the next word holds the delta's upper bits |
//! | 31 | time stamp: absolute, 59 bits |

use super::format::PageLayout;

/// Mask of the length itself; above it are flags, and above those copies of the topmost flag, because
/// the kernel adds its flags as signed 32-bit numbers (seen on 6.18).
const LENGTH: u64 = (1 << 27) - 1;
/// Flag: records were lost before this page (kernel's `RB_MISSED_EVENTS`).
const MISSED: u64 = 1 << 31;
/// Flag: their number follows the data (`RB_MISSED_STORED`).
const STORED: u64 = 1 << 30;
/// Bits of an absolute stamp; the higher bits come from the previous time.
const STAMP_BITS: u32 = 59;

/// One page, of which the head has been checked.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Absolute time of the first record, in ns of the instance's clock.
    pub start: u64,
    data: &'a [u8],
    missed: Option<u64>,
}

/// One record: its time and its bytes, which begin with the event's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Time in ns of the instance's clock.
    pub at: u64,
    /// Bytes without the word that the ring buffer puts before them.
    pub bytes: &'a [u8],
}

impl<'a> Page<'a> {
    /// Parses a page's head. The error says what is inconsistent; nothing in such a page can be trusted.
    pub fn parse(bytes: &'a [u8], layout: &PageLayout) -> Result<Self, String> {
        let start = word64(bytes, 0).ok_or("a page without a time")?;
        let commit = match layout.commit_size {
            8 => word64(bytes, layout.commit),
            _ => word32(bytes, layout.commit).map(u64::from),
        };
        let commit = commit.ok_or("a page without a length")?;
        let length = usize::try_from(commit & LENGTH).map_err(|_| "a page longer than memory")?;
        let end = layout.data.checked_add(length).ok_or("a page longer than memory")?;
        let data = bytes.get(layout.data..end).ok_or_else(|| format!("a page claims {length} bytes of data"))?;
        let missed = (commit & MISSED != 0).then(|| {
            let stored = match layout.commit_size {
                8 => word64(bytes, end),
                _ => word32(bytes, end).map(u64::from),
            };
            stored.filter(|_| commit & STORED != 0).unwrap_or(0)
        });
        Ok(Self { start, data, missed })
    }

    /// Returns `Some` if records were lost between the previous page and this one: their number, or 0 if the kernel
    /// does not tell.
    pub fn missed(&self) -> Option<u64> {
        self.missed
    }

    /// Returns the records in order. An error ends the page, because further records cannot be found.
    pub fn records(&self) -> Records<'a> {
        Records { rest: self.data, time: self.start }
    }
}

/// The records of a page.
#[derive(Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    time: u64,
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            match self.step() {
                Ok(Some(record)) => return Some(Ok(record)),
                Ok(None) => {}
                Err(why) => {
                    self.rest = &[];
                    return Some(Err(why));
                }
            }
        }
    }
}

impl<'a> Records<'a> {
    /// Reads one word and the data that belongs to it; returns `None` for what is not a record.
    fn step(&mut self) -> Result<Option<Record<'a>>, String> {
        let (kind, delta) = split(self.word()?);
        match kind {
            0 => {
                let length = self.word()? as usize;
                let length = length.checked_sub(4).ok_or("a record shorter than its length")?;
                self.record(delta, length)
            }
            1..=28 => self.record(delta, 4 * kind as usize),
            29 if delta == 0 => {
                self.rest = &[];
                Ok(None)
            }
            29 => {
                // The record's time was counted before it was discarded, so the next one counts from there.
                let length = self.word()? as usize;
                let length = length.checked_sub(4).ok_or("padding shorter than its length")?;
                self.record(delta, length).map(|_| None)
            }
            30 => {
                let high = u64::from(self.word()?);
                self.time = self.time.wrapping_add(delta + (high << 27));
                Ok(None)
            }
            _ => {
                let high = u64::from(self.word()?);
                let low = (delta + (high << 27)) & ((1 << STAMP_BITS) - 1);
                self.time = low | (self.time >> STAMP_BITS << STAMP_BITS);
                Ok(None)
            }
        }
    }

    fn record(&mut self, delta: u64, length: usize) -> Result<Option<Record<'a>>, String> {
        self.time = self.time.wrapping_add(delta);
        // Records are stored at multiples of four bytes.
        let whole = length.checked_next_multiple_of(4).filter(|whole| *whole <= self.rest.len());
        let whole = whole.ok_or_else(|| format!("a record of {length} bytes where {} are left", self.rest.len()))?;
        let (bytes, rest) = self.rest.split_at(whole);
        self.rest = rest;
        Ok(Some(Record { at: self.time, bytes: &bytes[..length] }))
    }

    fn word(&mut self) -> Result<u32, String> {
        let word = word32(self.rest, 0).ok_or("a page ends within a record")?;
        self.rest = &self.rest[4..];
        Ok(word)
    }
}

/// Returns `type_len` and `time_delta`, a bit field whose order depends on the processor.
fn split(word: u32) -> (u32, u64) {
    if cfg!(target_endian = "little") {
        (word & 31, u64::from(word >> 5))
    } else {
        (word >> 27, u64::from(word & ((1 << 27) - 1)))
    }
}

fn word32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn word64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
