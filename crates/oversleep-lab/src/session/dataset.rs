//! Recordings and their findings as a dataset of Parquet files in folders.

use super::{AtomicFile, Explainer};
use crate::export::OneBatchBehind;
use crate::export::parquet::{Facts, FindingsTable, Partition, SleepWriter, SleepsTable};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink};
use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
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
    sleeps: OneBatchBehind<SleepWriter<BufWriter<Draft>>>,
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
        keep(table.finish()?)?;
        // An empty table of findings says that the recording was diagnosed.
        let draft = Draft::new(&dataset.path("findings", &facts));
        let mut findings = FindingsTable::new(&dataset.partitions, BufWriter::new(draft))?;
        if let Some(diagnosis) = explainer.finish().as_ref().and_then(|explanation| explanation.diagnosis()) {
            findings.add(&meta, &facts, diagnosis);
        }
        keep(findings.finish()?)?;
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

/// Renames a complete file to its final name.
fn keep(complete: BufWriter<Draft>) -> io::Result<()> {
    let draft = complete.into_inner().map_err(IntoInnerError::into_error)?;
    let Some((made, file)) = draft.file else { return Ok(()) };
    drop(file);
    made.keep()
}

/// A file that is created when something is written, with its folder, and that has a hidden name until it is complete.
struct Draft {
    path: PathBuf,
    file: Option<(AtomicFile, File)>,
}

impl Draft {
    fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), file: None }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (_, file) = match &mut self.file {
            Some(made) => made,
            none => {
                fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
                none.insert(AtomicFile::create(&self.path)?)
            }
        };
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |(_, file)| file.flush())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Origin;
    use oversleep_recording::plan::{ClockName, Conditions, Pattern, build};
    use oversleep_sys::units::Nanos;

    /// What lies under a name that could be foreseen is neither written nor replaced, and nothing else is left.
    #[test]
    fn files_are_made_under_names_that_nobody_knows() {
        let folder = tempfile::tempdir().unwrap();
        let meta = Meta::new("oversleep test", Origin::Live, build::checkup(std::iter::empty(), 1));
        let dataset = Dataset { folder: folder.path().to_owned(), partitions: Vec::new(), host: None };
        let path = dataset.path("sleeps", &Facts::of(&meta, None));
        let foreseen = path.with_file_name(format!(".{}.part", path.file_name().unwrap().display()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(folder.path().join("victim"), "kept").unwrap();
        fs::hard_link(folder.path().join("victim"), &foreseen).unwrap();
        let mut recording = dataset.recording(&meta);
        recording.cell(&Cell {
            id: 0,
            method: "nap".to_owned(),
            pattern: Pattern::Fixed { requested: Nanos::MILLISECOND },
            clock: ClockName::Monotonic,
            conditions: Conditions::default(),
        });
        recording.samples(&[Sample::BLANK]);
        assert_eq!(recording.finish().unwrap(), 1);
        assert_eq!(fs::read_to_string(&foreseen).unwrap(), "kept");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2, "the file, and the other one");
    }
}
