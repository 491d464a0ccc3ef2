//! Recordings, and what is found in them, as a dataset of Parquet files in folders.

use super::Explainer;
use crate::export::Delayed;
use crate::export::parquet::{Facts, FindingsTable, Partition, SleepWriter, SleepsTable};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A folder with the tables `sleeps` and `findings`, each split into folders, a file per recording.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The folder.
    pub folder: PathBuf,
    /// By what it is split.
    pub partitions: Vec<Partition>,
    /// The machine on which recordings were made, which they do not say themselves.
    pub host: Option<String>,
}

/// Takes one recording. Its files are there when they are whole, and the same recording written again takes its own place.
pub struct DatasetRecording {
    sleeps: Delayed<SleepWriter<BufWriter<Draft>>>,
    explainer: Explainer,
    facts: Facts,
    meta: Meta,
    dataset: Dataset,
}

impl Dataset {
    /// Begins a recording that begins like this.
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
    /// Writes what is left and returns the number of sleeps. A recording without any leaves no file.
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
        // An empty table of findings says that somebody looked.
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

/// A file that is written under a hidden name, which engines pass over, until it is whole.
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

    /// Gives the file its name.
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
