//! Writes a recording for the ring.

use super::super::WriteError;
use super::super::writer::{not_begun, open_new};
use super::frame::{self, FrameKind};
use super::rounding::Level;
use super::samples::Model;
use super::{MARK, MOST_SAMPLES, VERSION};
use crate::{Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How often readings of clocks are kept: each is a note of some two hundred bytes.
const READINGS: Nanos = Nanos::from_secs(30);

/// Writes samples and notes to a file, one frame of each per flush, in one write: what was flushed survives the end of
/// the process at any moment.
///
/// After a failed write (a full disk) the file is truncated to its last whole frame, and later samples are not written.
/// The file is locked while it is written, where the system has locks.
pub struct RingFileWriter {
    path: PathBuf,
    file: File,
    model: Model,
    level: Level,
    /// Checksum of the last frame.
    chain: u32,
    pending: Vec<Sample>,
    note: Note,
    /// When clocks were last read, of what was kept.
    read: Option<Nanos>,
    length: u64,
    written: u64,
    failure: Option<io::Error>,
}

impl RingFileWriter {
    /// Creates the file, which must not exist, and writes its head.
    pub fn create(path: &Path, meta: &Meta) -> Result<Self, WriteError> {
        let (mut file, _) = open_new(path, false)?;
        let mut chain = 0;
        let mut head = |file: &mut File| -> io::Result<u64> {
            let meta = Meta { format: Meta::FORMAT, ..meta.clone() };
            let mut bytes = [MARK, VERSION].concat();
            frame::append(&mut bytes, FrameKind::Head, &frame::document(&meta)?, &mut chain)?;
            file.write_all(&bytes)?;
            Ok(bytes.len() as u64)
        };
        let length = head(&mut file).map_err(|source| not_begun(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            model: Model::new(&meta.plan),
            level: Level::EXACT,
            chain,
            pending: Vec::new(),
            note: Note::default(),
            read: None,
            length,
            written: 0,
            failure: None,
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether writing has failed; [`RingFileWriter::finish`] gives the reason.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Writes the rest and the frame that says that the recording is complete. Returns the number of samples in the file.
    ///
    /// # Errors
    /// [`WriteError::Write`] with the first failure of this recording, if there was one.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        self.flush();
        if self.failure.is_none() {
            let mut bytes = Vec::new();
            let ended = frame::append(&mut bytes, FrameKind::End, &[], &mut self.chain);
            self.failure = ended.and_then(|()| self.file.write_all(&bytes)).err();
        }
        match self.failure.take() {
            None => Ok(self.written),
            Some(source) => {
                Err(WriteError::Write { path: self.path.display().to_string(), written: self.written, source })
            }
        }
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        let samples = std::mem::take(&mut self.pending);
        if !samples.is_empty() {
            let content = self.model.encode(&samples, &mut self.level)?;
            frame::append(&mut bytes, FrameKind::Samples(self.level), &content, &mut self.chain)?;
        }
        let note = std::mem::take(&mut self.note);
        if !note.is_empty() {
            frame::append(&mut bytes, FrameKind::Note, &frame::document(&note)?, &mut self.chain)?;
        }
        self.file.write_all(&bytes)?;
        self.length += bytes.len() as u64;
        self.written += samples.len() as u64;
        Ok(())
    }
}

impl Sink for RingFileWriter {
    fn samples(&mut self, batch: &[Sample]) {
        let mut rest = batch;
        while !rest.is_empty() && self.failure.is_none() {
            let (now, later) = rest.split_at(rest.len().min(MOST_SAMPLES - self.pending.len()));
            self.pending.extend_from_slice(now);
            if self.pending.len() == MOST_SAMPLES {
                self.flush();
            }
            rest = later;
        }
    }

    fn note(&mut self, note: &Note) {
        let mut note = note.clone();
        if let Some(now) = note.brackets.last().map(|bracket| bracket.monotonic) {
            if note.end.is_none() && self.read.is_some_and(|before| now.saturating_sub(before) < READINGS) {
                note.brackets.clear();
            } else {
                self.read = Some(now);
            }
        }
        self.note.absorb(note);
    }

    /// Writes everything taken so far: if the run is killed, what comes later is lost.
    fn flush(&mut self) {
        if self.failure.is_some() || (self.pending.is_empty() && self.note.is_empty()) {
            return;
        }
        if let Err(error) = self.write_pending() {
            // The file must stay readable. If even that fails, a reader reports the truncated frame.
            let _ = self.file.set_len(self.length);
            self.failure = Some(error);
        }
    }
}
