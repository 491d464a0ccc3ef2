//! Writing a recording while it is made.

use super::{WriteError, columns, frame};
use crate::recording::{Meta, Note, Sample, Sink};
use arrow_schema::Schema;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows above which a flush is split, so that a reader's memory stays bounded: 4 MiB of columns.
const BATCH_ROWS: usize = 1 << 16;

/// Writes samples and notes to a file, one self-contained batch per flush.
///
/// A failed write (a full disk) never stops the measurement: the file is cut back to its last whole batch, the
/// failure is kept for [`Writer::finish`], and later samples are not written.
pub struct Writer {
    path: PathBuf,
    file: File,
    schema: Arc<Schema>,
    pending: Vec<Sample>,
    note: Note,
    length: u64,
    written: u64,
    failure: Option<io::Error>,
}

impl Writer {
    /// Creates the file and writes its head. An existing file is replaced only if `replace`.
    pub fn create(path: &Path, meta: &Meta, replace: bool) -> Result<Self, WriteError> {
        let shown = || path.display().to_string();
        let mut options = OpenOptions::new();
        options.write(true);
        if replace {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        let mut file = options.open(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: shown() },
            _ => WriteError::Create { path: shown(), source },
        })?;
        let head = |file: &mut File| -> io::Result<(Arc<Schema>, u64)> {
            let schema = columns::schema(serde_json::to_string(meta)?);
            let bytes = frame::schema(&schema).map_err(io::Error::other)?;
            file.write_all(&bytes)?;
            Ok((Arc::new(schema), bytes.len() as u64))
        };
        let (schema, length) = head(&mut file).map_err(|source| WriteError::Create { path: shown(), source })?;
        Ok(Self {
            path: path.to_owned(),
            file,
            schema,
            pending: Vec::new(),
            note: Note::default(),
            length,
            written: 0,
            failure: None,
        })
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let note = (!self.note.is_empty()).then(|| serde_json::to_string(&self.note)).transpose()?;
        let mut rest = self.pending.as_slice();
        let mut note = note.as_deref();
        while !rest.is_empty() || note.is_some() {
            let (now, later) = rest.split_at(rest.len().min(BATCH_ROWS));
            let batch = columns::batch(&self.schema, now).map_err(io::Error::other)?;
            // One write per batch: a kill between two of them tears nothing.
            let bytes = frame::batch(&batch, note.take()).map_err(io::Error::other)?;
            self.file.write_all(&bytes)?;
            self.length += bytes.len() as u64;
            self.written += now.len() as u64;
            rest = later;
        }
        Ok(())
    }

    /// Writes the rest and closes the stream. Says how many samples the file holds.
    ///
    /// # Errors
    /// [`WriteError::Write`] with the first failure of this recording's life, if there was one.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        self.flush();
        if self.failure.is_none() {
            self.failure = self.file.write_all(&frame::END).err();
        }
        match self.failure.take() {
            None => Ok(self.written),
            Some(source) => {
                Err(WriteError::Write { path: self.path.display().to_string(), written: self.written, source })
            }
        }
    }

    /// Whether writing has failed; the reason comes from [`Writer::finish`].
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Where it writes.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Sink for Writer {
    fn samples(&mut self, batch: &[Sample]) {
        if self.failure.is_none() {
            self.pending.extend_from_slice(batch);
        }
        if self.pending.len() >= BATCH_ROWS {
            self.flush();
        }
    }

    /// Writes everything taken so far: a killed run loses what came after.
    fn flush(&mut self) {
        if self.failure.is_some() || (self.pending.is_empty() && self.note.is_empty()) {
            self.pending.clear();
            return;
        }
        if let Err(error) = self.write_pending() {
            // What remains must be readable: back to the last whole batch. If even that fails there is nothing
            // better to do, and a reader reports the torn batch.
            let _ = self.file.set_len(self.length);
            self.failure = Some(error);
        }
        self.pending.clear();
        self.note = Note::default();
    }

    fn note(&mut self, note: &Note) {
        self.note.absorb(note.clone());
    }
}
