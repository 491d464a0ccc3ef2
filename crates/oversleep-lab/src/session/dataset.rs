//! Recordings and their findings as a dataset of Parquet files in folders.

use super::Explainer;
use crate::export::Delayed;
use crate::export::parquet::{Facts, FindingsTable, Partition, SleepWriter, SleepsTable};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A folder with the tables `sleeps` and `findings`, each split into folders with one file per recording.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Path of the folder.
    pub folder: PathBuf,
    /// Columns by which the tables are split into folders.
    pub partitions: Vec<Partition>,
    /// Name of the machine on which the recordings were made, which the recordings do not hold.
    pub host: Option<String>,
}

/// A sink that adds one recording. Its files appear when they are complete, and the same recording written again
/// replaces itself.
pub struct DatasetRecording {
    sleeps: Delayed<SleepWriter<BufWriter<Draft>>>,
    explainer: Explainer,
    facts: Facts,
    meta: Meta,
    dataset: Dataset,
}

impl Dataset {
    /// Begins to add a recording with this head.
    pub fn recording(&self, meta: &Meta) -> DatasetRecording {
        let facts = Facts::of(meta, self.host.as_deref());
        let draft = Draft::new(&self.path("sleeps", &facts));
        DatasetRecording {
            sleeps: SleepsTable::new(&self.partitions, BufWriter::new(draft)).recording(meta, &facts),
            explainer: Explainer::new(meta),
            facts,
            meta: meta.clone(),
            dataset: self.clone(),
        }
    }

    fn path(&self, table: &str, facts: &Facts) -> PathBuf {
        let folder = self.folder.join(table).join(facts.folder(&self.partitions));
        folder.join(format!("{}.parquet", facts.recording()))
    }
}

impl DatasetRecording {
    /// Writes what is left and returns the number of sleeps. A recording without sleeps leaves no file.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    pub fn finish(self) -> io::Result<u64> {
        let Self { sleeps, explainer, facts, meta, dataset } = self;
        let (table, count) = sleeps.into_writer()?.end();
        if count == 0 {
            return Ok(0);
        }
        table.finish()?;
        Draft::new(&dataset.path("sleeps", &facts)).keep()?;
        // An empty table of findings says that the recording was diagnosed.
        let draft = Draft::new(&dataset.path("findings", &facts));
        let mut findings = FindingsTable::new(&dataset.partitions, BufWriter::new(draft))?;
        if let Some(diagnosis) = explainer.finish().as_ref().and_then(|explanation| explanation.diagnosis()) {
            findings.add(&meta, &facts, diagnosis);
        }
        findings.finish()?;
        Draft::new(&dataset.path("findings", &facts)).keep()?;
        Ok(count)
    }
}

impl Sink for DatasetRecording {
    fn samples(&mut self, batch: &[Sample]) {
        self.sleeps.samples(batch);
        self.explainer.samples(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.sleeps.cell(cell);
        self.explainer.cell(cell);
        self.meta.plan.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        self.sleeps.note(note);
        self.explainer.note(note);
    }
}

/// A file that has a hidden name, which engines ignore, until it is complete.
struct Draft {
    hidden: PathBuf,
    path: PathBuf,
    file: Option<File>,
}

impl Draft {
    fn new(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self { hidden: path.with_file_name(format!(".{name}.part")), path: path.to_path_buf(), file: None }
    }

    /// Renames the file to its final name.
    fn keep(&self) -> io::Result<()> {
        fs::rename(&self.hidden, &self.path)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                fs::create_dir_all(self.hidden.parent().unwrap_or(Path::new(".")))?;
                none.insert(File::create(&self.hidden)?)
            }
        };
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}
