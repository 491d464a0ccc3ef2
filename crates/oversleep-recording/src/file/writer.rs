//! Writes a recording while it is made.

use super::columns::CellNames;
use super::frame::Encoder;
use super::pending::Pending;
use super::{WriteError, columns, frame};
use crate::plan::Cell;
use crate::{Meta, Note, Sample, Sink, Wakes};
use arrow_ipc::CompressionType;
use arrow_schema::Schema;
use fs4::{FileExt, TryLockError};
use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows above which a flush is split, so that a reader's memory stays bounded: 4 MiB of columns.
const BATCH_ROWS: usize = 1 << 16;

/// Writes samples and notes to a file, one self-contained batch per flush.
///
/// After a failed write (a full disk) the file is truncated to its last whole batch, [`Writer::finish`] returns the
/// failure, and later samples are not written; [`Writer::failed`] reports it at once.
///
/// The file is locked while it is written, where the system has locks: a second writer of the same file gets an error.
pub struct Writer {
    path: PathBuf,
    file: File,
    schema: Arc<Schema>,
    names: CellNames,
    encoder: Encoder,
    pending: Pending,
    note: Note,
    /// The file's head, if it is not written yet: an existing file stays as it is until then.
    head: Option<Vec<u8>>,
    length: u64,
    written: u64,
    failure: Option<io::Error>,
}

impl Writer {
    /// Creates the file and writes its head. An existing file is replaced only if `replace` is set, and stays as it is
    /// until something is written: until the first flush after a sample or a note, or [`Writer::finish`].
    pub fn create(path: &Path, meta: &Meta, replace: bool) -> Result<Self, WriteError> {
        Self::begin(path, meta, replace, None)
    }

    /// Creates a file whose columns are compressed, and which must not exist: with a hundred samples a batch, as `serve`
    /// makes them, that halves its size.
    pub(super) fn create_compressed(path: &Path, meta: &Meta) -> Result<Self, WriteError> {
        Self::begin(path, meta, false, Some(CompressionType::LZ4_FRAME))
    }

    fn begin(
        path: &Path,
        meta: &Meta,
        replace: bool,
        compression: Option<CompressionType>,
    ) -> Result<Self, WriteError> {
        let (file, is_old) = open_new(path, replace)?;
        let refused = |source| WriteError::Create { path: path.display().to_string(), source };
        let begin = || -> io::Result<(Arc<Schema>, CellNames, Encoder, Vec<u8>)> {
            let meta = Meta { format: Meta::FORMAT, ..meta.clone() };
            let schema = Arc::new(columns::schema(serde_json::to_string(&meta)?));
            let names = CellNames::from_plan(&meta.plan);
            let empty = columns::batch(&schema, &names, &[]).map_err(io::Error::other)?;
            let (encoder, bytes) = Encoder::begin(&empty, compression).map_err(io::Error::other)?;
            Ok((schema, names, encoder, bytes))
        };
        let (schema, names, encoder, head) = begin().map_err(refused)?;
        let mut writer = Self {
            path: path.to_owned(),
            file,
            schema,
            names,
            encoder,
            pending: Pending::with_capacity(0),
            note: Note::default(),
            head: Some(head),
            length: 0,
            written: 0,
            failure: None,
        };
        if !is_old {
            writer.write_head().map_err(|source| if replace { refused(source) } else { not_begun(path, source) })?;
        }
        Ok(writer)
    }

    /// Writes the file's header, in place of its contents, unless it is written already.
    fn write_head(&mut self) -> io::Result<()> {
        let Some(head) = self.head.take() else { return Ok(()) };
        // What is not a regular file, such as a pipe, has no length.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.file.write_all(&head)?;
        self.length = head.len() as u64;
        Ok(())
    }

    /// Returns whether the file still has its earlier contents.
    pub fn is_untouched(&self) -> bool {
        self.head.is_some()
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let note = (!self.note.is_empty()).then(|| serde_json::to_string(&self.note)).transpose()?;
        let rows = self.pending.len();
        let pending = std::mem::replace(&mut self.pending, Pending::with_capacity(rows));
        let batch = pending.batch(&self.schema, &self.names).map_err(io::Error::other)?;
        let message = self.encoder.batch(&batch, note.as_deref()).map_err(io::Error::other)?;
        self.write_head()?;
        write_both(&mut self.file, &message.head, &message.body)?;
        self.length += (message.head.len() + message.body.len()) as u64;
        self.written += rows as u64;
        Ok(())
    }

    /// Returns the number of rows that still fit into the pending batch; never 0.
    fn room(&self) -> usize {
        BATCH_ROWS - self.pending.len()
    }

    fn flush_if_full(&mut self) {
        if self.room() == 0 {
            self.flush();
        }
    }

    /// Writes the rest and closes the stream. Returns the number of samples in the file.
    ///
    /// # Errors
    /// [`WriteError::Write`] with the first failure of this recording, if there was one.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        self.flush();
        if self.failure.is_none() {
            let end = self.write_head().and_then(|()| self.file.write_all(&frame::END));
            self.failure = end.err();
        }
        match self.failure.take() {
            None => Ok(self.written),
            Some(source) => {
                Err(WriteError::Write { path: self.path.display().to_string(), written: self.written, source })
            }
        }
    }

    /// Returns whether writing has failed; [`Writer::finish`] gives the reason.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a file and locks it; returns it and whether something is in it. An existing file is accepted only if `replace` is
/// set.
fn open_new(path: &Path, replace: bool) -> Result<(File, bool), WriteError> {
    let shown = || path.display().to_string();
    let mut options = OpenOptions::new();
    options.write(true);
    // The file is truncated only once there is something to write, and no other run is writing it.
    if replace {
        options.create(true).truncate(false)
    } else {
        options.create_new(true)
    };
    let file = options.open(path).map_err(|source| match source.kind() {
        // What is a folder or a device cannot be replaced.
        io::ErrorKind::AlreadyExists if path.is_file() => WriteError::Exists { path: shown() },
        _ => WriteError::Create { path: shown(), source },
    })?;
    let refused = |source| WriteError::Create { path: shown(), source };
    if !lock(&file).map_err(refused)? {
        return Err(WriteError::Busy { path: shown() });
    }
    let is_old = file.metadata().map_err(refused)?;
    Ok((file, is_old.is_file() && is_old.len() > 0))
}

/// Returns the error after removing the created file: without its head it is not a recording.
fn not_begun(path: &Path, source: io::Error) -> WriteError {
    // If it cannot be removed either, the error that came first says more.
    let _ = fs::remove_file(path);
    WriteError::Create { path: path.display().to_string(), source }
}

/// Returns whether a run is writing the file, where the system has locks.
pub fn is_being_written(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| {
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        is_file && matches!(FileExt::try_lock(&file), Err(TryLockError::WouldBlock))
    })
}

/// Locks a file. Returns `false` if another process has locked it. What is not a regular file (`/dev/null`), or lies where
/// there are no locks, is written without a lock.
fn lock(file: &File) -> io::Result<bool> {
    if !file.metadata()?.is_file() {
        return Ok(true);
    }
    match FileExt::try_lock(file) {
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(true),
    }
}

/// Writes both parts in one call wherever the system supports it: a kill between two calls would truncate the batch.
fn write_both(file: &mut File, head: &[u8], body: &[u8]) -> io::Result<()> {
    let written = loop {
        match file.write_vectored(&[IoSlice::new(head), IoSlice::new(body)]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    match head.get(written..) {
        Some(rest) => {
            file.write_all(rest)?;
            file.write_all(body)
        }
        None => file.write_all(&body[written - head.len()..]),
    }
}

impl Sink for Writer {
    fn samples(&mut self, batch: &[Sample]) {
        let mut rest = batch;
        while !rest.is_empty() && self.failure.is_none() {
            let (now, later) = rest.split_at(rest.len().min(self.room()));
            self.pending.samples(now);
            self.flush_if_full();
            rest = later;
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        let mut rest = *wakes;
        while !rest.wakes.is_empty() && self.failure.is_none() {
            let (now, later) = rest.split_at(rest.wakes.len().min(self.room()));
            self.pending.wakes(&now);
            self.flush_if_full();
            rest = later;
        }
    }

    /// Takes a cell that was not known at the beginning: the next batch's note has it. Its name is in no dictionary, because
    /// those come first; the columns `method` and `condition` are null in its rows.
    fn cell(&mut self, cell: &Cell) {
        self.note.cells.push(cell.clone());
    }

    /// Writes everything taken so far: if the run is killed, what comes later is lost.
    fn flush(&mut self) {
        if self.failure.is_some() || (self.pending.len() == 0 && self.note.is_empty()) {
            return;
        }
        if let Err(error) = self.write_pending() {
            // The file must stay readable: truncate it to the last whole batch. If even that fails nothing better can
            // be done, and a reader reports the truncated batch. A file that is untouched stays so.
            if self.head.is_none() {
                let _ = self.file.set_len(self.length);
            }
            self.failure = Some(error);
        }
        self.note = Note::default();
    }

    fn note(&mut self, note: &Note) {
        self.note.absorb(note.clone());
    }
}
