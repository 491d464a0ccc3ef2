//! Reads a recording of the ring frame by frame.

use super::super::decoder::{BROKEN, CHANGED, FOLLOWED};
use super::super::error::{AGAIN, CUT, ReadError};
use super::super::json;
use super::super::reader::{Piece, Tail, read_meta};
use super::super::sample_check::SampleCheck;
use super::frame::{self, FrameKind, PREFIX, Prefix};
use super::rounding::Level;
use super::samples::Model;
use super::{MARK, VERSION};
use crate::{Meta, Note, Sink};
use std::io::{self, Read};

/// Number of bytes to which all documents of a file may be inflated, besides 64 times the length of the file.
const MOST_INFLATED: u64 = 64 << 20;

const ANOTHER: &str = "another recording begins here; give each recording a file of its own";

/// An open recording of the ring.
pub struct RingFileReader<R> {
    path: String,
    input: R,
    meta: Meta,
    model: Model,
    sample_check: SampleCheck,
    /// Coarsest rounding of the frames so far.
    coarsest: Level,
    chain: u32,
    offset: u64,
    frames: u64,
    samples: u64,
    /// Number of bytes to which documents have been inflated.
    inflated: u64,
    tail: Option<Tail>,
}

impl<R: Read> RingFileReader<R> {
    /// Reads the head of a file; `path` is used in error messages only.
    pub fn new(path: String, mut input: R) -> Result<Self, ReadError> {
        let foreign = |why: &str| ReadError::Foreign { path: path.clone(), why: why.to_owned() };
        let unreadable = |source| ReadError::Open { path: path.clone(), source };
        let (mut offset, mut chain) = (0, 0);
        let line = take(&mut input, (MARK.len() + VERSION.len()) as u64, &mut offset).map_err(unreadable)?;
        match line.strip_prefix(MARK) {
            Some(version) if version == VERSION => {}
            Some(&[version @ b'2'..=b'9', _]) => {
                let (format, tool) = (u32::from(version - b'0'), "a ring of `oversleep serve`".to_owned());
                return Err(ReadError::TooNew { path, format, known: 1, tool });
            }
            _ => return Err(foreign("its first line is not that of a ring")),
        }
        let (kind, content) = match next(&mut input, &mut offset, &mut chain) {
            Ok(Some(frame)) => frame,
            Ok(None) => return Err(foreign(&format!("{CUT}: {AGAIN}"))),
            Err(why) => return Err(ReadError::DamagedHead { path, why }),
        };
        if kind != FrameKind::Head {
            return Err(foreign("it does not begin with its description"));
        }
        let document = frame::text(&content).map_err(|why| foreign(&why))?;
        let meta = read_meta(&path, &document)?;
        let (model, sample_check) = (Model::new(&meta.plan), SampleCheck::new(&meta.plan));
        Ok(Self {
            path,
            input,
            meta,
            model,
            sample_check,
            coarsest: Level::EXACT,
            chain,
            offset,
            frames: 0,
            samples: 0,
            inflated: document.len() as u64,
            tail: None,
        })
    }

    /// Returns the head of the recording.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the next piece, or `None` at the end, however the recording ended.
    ///
    /// # Errors
    /// [`ReadError::Damaged`] where the bytes are invalid although more follow.
    pub fn next_piece(&mut self) -> Result<Option<Piece>, ReadError> {
        if self.tail.is_some() {
            return Ok(None);
        }
        let begun = self.offset;
        let frame = next(&mut self.input, &mut self.offset, &mut self.chain);
        let piece = match frame.map_err(|why| self.damaged(begun, why))? {
            None => return Ok(self.end(if self.offset == begun { Tail::Open } else { Tail::Torn { offset: begun } })),
            Some((FrameKind::End, _)) => {
                let more = take(&mut self.input, 1, &mut self.offset);
                return match more.map_err(|error| self.damaged(begun, error.to_string()))?[..] {
                    [] => Ok(self.end(Tail::Closed)),
                    _ => Err(self.damaged(self.offset - 1, FOLLOWED.to_owned())),
                };
            }
            Some((FrameKind::Head, _)) => return Err(self.damaged(begun, "a second description".to_owned())),
            Some((FrameKind::Note, content)) => {
                let note = self.note(&content).map_err(|why| self.damaged(begun, why))?;
                Piece { samples: Vec::new(), note: Some(note) }
            }
            Some((FrameKind::Samples(level), content)) => {
                self.coarsest = self.coarsest.max(level);
                let decoded = self.model.decode(&content, level);
                let mut samples = decoded.map_err(|_| self.damaged(begun, BROKEN.to_owned()))?;
                self.samples += samples.len() as u64;
                let unsound = self.sample_check.check(&mut samples, begun);
                let note = (!unsound.is_empty()).then(|| Note { unsound, ..Note::default() });
                Piece { samples, note }
            }
        };
        self.frames += 1;
        Ok(Some(piece))
    }

    fn note(&mut self, content: &[u8]) -> Result<Note, String> {
        let text = frame::text(content)?;
        self.inflated += text.len() as u64;
        if self.inflated > MOST_INFLATED + 64 * self.offset {
            return Err("notes that are inflated to far more than their length".to_owned());
        }
        json::read_note(&text)
    }

    /// Ends the recording, with a note on the rounding of its times, if there was any.
    fn end(&mut self, tail: Tail) -> Option<Piece> {
        self.tail = Some(tail);
        if self.coarsest == Level::EXACT {
            return None;
        }
        let (start, late) = (self.coarsest.of_start(0).most(), self.coarsest.of_lateness(0).most());
        let exactly = if late == 0 { "kept exactly".to_owned() } else { format!("rounded by at most {late} ns") };
        let convention =
            format!("times from the ring: starts are rounded by at most {start} ns, lateness is {exactly}");
        Some(Piece { samples: Vec::new(), note: Some(Note { conventions: vec![convention], ..Note::default() }) })
    }

    fn damaged(&self, offset: u64, why: String) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), offset, batch: self.frames + 1, why, samples: self.samples }
    }

    /// Writes the rest to a sink and returns how the recording ended.
    pub fn read_into(&mut self, sink: &mut dyn Sink) -> Result<Tail, ReadError> {
        while let Some(piece) = self.next_piece()? {
            sink.samples(&piece.samples);
            if let Some(note) = &piece.note {
                sink.note(note);
            }
        }
        Ok(self.tail.unwrap_or(Tail::Open))
    }
}

/// Returns the next frame, or `None` if the input ends before it is whole; `offset` then says whether it had begun.
fn next(input: &mut impl Read, offset: &mut u64, chain: &mut u32) -> Result<Option<(FrameKind, Vec<u8>)>, String> {
    let unreadable = |error: io::Error| error.to_string();
    let prefix = take(input, PREFIX as u64, offset).map_err(unreadable)?;
    let Ok(prefix) = <[u8; PREFIX]>::try_from(prefix) else { return Ok(None) };
    // As a frame it would be longer than the file, as if the recording broke off here.
    if MARK.starts_with(&prefix) {
        return Err(ANOTHER.to_owned());
    }
    let prefix = Prefix::new(prefix);
    let content = take(input, prefix.length(), offset).map_err(unreadable)?;
    if (content.len() as u64) < prefix.length() {
        return Ok(None);
    }
    let kind = prefix.verify(&content, chain).ok_or(CHANGED)?;
    Ok(Some((kind, content)))
}

/// Reads up to `length` bytes, fewer only at the end of the input.
fn take(input: &mut impl Read, length: u64, offset: &mut u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    *offset += input.take(length).read_to_end(&mut bytes)? as u64;
    Ok(bytes)
}
