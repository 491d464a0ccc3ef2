//! A recording without end: segments of it in a folder, of which the oldest are dropped.
//!
//! Each segment (`0001.arrows` and so on) is a recording of its own; together they are read as one.

use super::{WriteError, Writer, is_being_written};
use crate::Meta;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Most segments that are kept.
const MOST: usize = 20;
/// Most bytes that they take together; the newest is kept whatever its size.
const MOST_BYTES: u64 = 64 << 20;
/// The same for segments that were saved.
const MOST_SAVED: usize = 100;
const MOST_SAVED_BYTES: u64 = 1 << 30;
/// Folder for these, in that of the segments.
const SAVED: &str = "saved";

/// A folder of segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    folder: PathBuf,
}

/// One segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Number of the segment; a later one has a larger number.
    pub number: u64,
    /// Path of its file.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
}

impl Segments {
    /// Returns the segments in this folder, which need not exist yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Returns the segments that are there, oldest first; none if the folder does not exist. Other files are ignored.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<Segment>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found: Vec<_> = entries.filter_map(|entry| segment(&entry.ok()?)).collect();
        found.sort_by_key(|segment| segment.number);
        Ok(found)
    }

    /// Begins the next segment, and drops the oldest ones beyond 20 segments or 64 MiB.
    ///
    /// # Errors
    /// If the folder or the file cannot be made.
    pub fn create(&self, meta: &Meta) -> Result<Writer, WriteError> {
        // An error of the folder is reported as such: that of the file would only say that it is missing.
        let refused = |source| WriteError::Create { path: self.folder.display().to_string(), source };
        fs::create_dir_all(&self.folder).map_err(refused)?;
        // Saved segments keep their numbers.
        let all = [self.list().map_err(refused)?, self.saved().list().map_err(refused)?].concat();
        let mut number = all.iter().map(|segment| segment.number).max().unwrap_or(0);
        let made = loop {
            number += 1;
            match Writer::create_compressed(&self.folder.join(format!("{number:04}.arrows")), meta) {
                // Another process began that segment in the meantime.
                Err(WriteError::Exists { .. }) => {}
                made => break made?,
            }
        };
        self.drop_oldest(MOST, MOST_BYTES);
        Ok(made)
    }

    /// Saves the newest segments, `count` at most, in the folder `saved`: as further names of the same files, so that what
    /// is still written to the newest one is saved too, whatever happens to this process. Returns the newest one's name there, or the
    /// folder's without any. Of the saved segments the newest hundred are kept, at most 1 GiB.
    ///
    /// # Errors
    /// If the folder cannot be made, or the file system has no second names.
    pub fn save(&self, count: usize) -> io::Result<PathBuf> {
        let saved = self.saved();
        fs::create_dir_all(&saved.folder)?;
        let mut newest = None;
        for segment in self.list()?.iter().rev().take(count) {
            let Some(name) = segment.path.file_name() else { continue };
            newest.get_or_insert_with(|| saved.folder.join(name));
            match fs::hard_link(&segment.path, saved.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        saved.drop_oldest(MOST_SAVED, MOST_SAVED_BYTES);
        Ok(newest.unwrap_or(saved.folder))
    }

    fn saved(&self) -> Self {
        Self { folder: self.folder.join(SAVED) }
    }

    /// Removes the oldest segments until the limits are met. The newest one, and those that are being written, stay.
    fn drop_oldest(&self, most: usize, most_bytes: u64) {
        let Ok(segments) = self.list() else { return };
        let mut bytes = 0;
        for (place, segment) in segments.iter().rev().enumerate() {
            bytes += segment.bytes;
            if place > 0 && (place >= most || bytes > most_bytes) && !is_being_written(&segment.path) {
                // A segment that cannot be removed is not a reason not to measure.
                let _ = fs::remove_file(&segment.path);
            }
        }
    }
}

/// Returns the segment that an entry of a folder is, judged by its name; `None` for others.
fn segment(entry: &fs::DirEntry) -> Option<Segment> {
    let name = entry.file_name().into_string().ok()?;
    let digits = name.strip_suffix(".arrows").filter(|digits| digits.len() >= 4)?;
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    Some(Segment { number, path: entry.path(), bytes: metadata.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::MethodId;
    use crate::file::{ReadError, Reader, Tail};
    use crate::plan::{Conditions, Pattern, build};
    use crate::{Origin, Recording, Sample, Sink};
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_ipc::reader::StreamReader;
    use oversleep_sys::units::Nanos;

    /// Returns the head of a round of `serve`.
    fn meta() -> Meta {
        let pattern = [Pattern::Fixed { requested: Nanos::from_millis(10) }];
        let (rows, none) = ([MethodId::Nanosleep.row()], [Conditions::default()]);
        let plan = build::measure(&build::Grid { rows: &rows, requests: &pattern, conditions: &none }, 12_000, 1);
        Meta::new("oversleep test", Origin::Live, plan)
    }

    fn folder(files: &[&str]) -> (tempfile::TempDir, Segments) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), "samples").unwrap();
        }
        let segments = Segments::in_folder(folder.path());
        (folder, segments)
    }

    fn numbers(segments: &Segments) -> Vec<u64> {
        segments.list().unwrap().iter().map(|segment| segment.number).collect()
    }

    #[test]
    fn the_oldest_come_first_and_other_files_are_ignored() {
        let (folder, segments) = folder(&[
            "10000.arrows",
            "0002.arrows",
            "9999.arrows",
            "2.arrows",
            "run.arrows",
            "0003.txt",
            "+004.arrows",
        ]);
        fs::create_dir(folder.path().join("0005.arrows")).unwrap();
        assert_eq!(numbers(&segments), [2, 9_999, 10_000]);
        assert!(Segments::in_folder(Path::new("/no/such/folder")).list().unwrap().is_empty());
    }

    #[test]
    fn the_oldest_are_dropped_and_what_is_saved_stays() {
        let files: Vec<String> = (1..=25).map(|number| format!("{number:04}.arrows")).collect();
        let (folder, segments) = folder(&files.iter().map(String::as_str).collect::<Vec<_>>());
        let newest = segments.save(2).unwrap();
        assert!(newest.ends_with("saved/0025.arrows"), "{}", newest.display());
        let saved = newest.parent().unwrap();
        let writer = segments.create(&meta()).unwrap();
        assert_eq!(writer.path(), folder.path().join("0026.arrows"));
        assert_eq!(numbers(&segments), (7..=26).collect::<Vec<_>>(), "twenty");
        // Each of the others has seven bytes.
        let newest = writer.path().metadata().unwrap().len();
        segments.drop_oldest(MOST, newest + 15);
        assert_eq!(numbers(&segments), [24, 25, 26]);
        segments.drop_oldest(MOST, 1);
        assert_eq!(numbers(&segments), [26], "the newest stays whatever its size");
        assert_eq!(numbers(&Segments::in_folder(saved)), [24, 25]);
        // What is written to the newest one from now on is saved too.
        segments.save(1).unwrap();
        drop(writer);
        fs::write(folder.path().join("0026.arrows"), "more samples").unwrap();
        assert_eq!(fs::read_to_string(saved.join("0026.arrows")).unwrap(), "more samples");
    }

    #[test]
    fn a_segment_that_is_written_is_not_dropped_and_no_number_comes_twice() {
        let (_folder, segments) = folder(&[]);
        let first = segments.create(&meta()).unwrap();
        let second = segments.create(&meta()).unwrap();
        segments.drop_oldest(1, u64::MAX);
        assert_eq!(numbers(&segments), [1, 2]);
        let saved = segments.save(1).unwrap();
        drop((first, second));
        for segment in segments.list().unwrap() {
            fs::remove_file(segment.path).unwrap();
        }
        let third = segments.create(&meta()).unwrap();
        let saved = Segments::in_folder(saved.parent().unwrap());
        assert_eq!((numbers(&segments), numbers(&saved)), (vec![3], vec![2]));
        drop(third);
    }

    /// Returns sleeps of 10 ms whose lateness and gaps vary by 60 µs and 2 µs.
    fn sleeps(count: u64) -> Vec<Sample> {
        let noise = |number: u64, below: u64| (number.wrapping_mul(0xD134_2543_DE82_EF95) >> 32) % below;
        let requested = Nanos::from_millis(10);
        let mut end = Nanos::new(371_000_123_456_789);
        let sample = |sequence: u64| {
            let start = end + Nanos::new(noise(2 * sequence, 2_000).cast_signed());
            end = start + requested + Nanos::new(50_000 + noise(2 * sequence + 1, 60_000).cast_signed());
            let cpu = u16::try_from(noise(sequence, 2)).unwrap();
            Sample { sequence, requested, start, end, cpu_start: cpu, cpu_end: cpu, ..Sample::BLANK }
        };
        (0..count).map(sample).collect()
    }

    /// Writes these sleeps as a segment, a hundred a second.
    fn written(folder: &Path, samples: &[Sample]) -> Vec<u8> {
        let mut writer = Segments::in_folder(folder).create(&meta()).unwrap();
        for second in samples.chunks(100) {
            writer.samples(second);
            writer.flush();
        }
        let path = writer.path().to_owned();
        writer.finish().unwrap();
        fs::read(path).unwrap()
    }

    fn read(bytes: &[u8]) -> Result<(Vec<Sample>, Tail), ReadError> {
        let mut reader = Reader::new("x".to_owned(), bytes)?;
        let mut recording = Recording::new(reader.meta().clone());
        let tail = reader.read_into(&mut recording)?;
        Ok((recording.samples, tail))
    }

    #[test]
    fn a_day_takes_less_than_600_megabytes() {
        let folder = tempfile::tempdir().unwrap();
        let samples = sleeps(12_000);
        let bytes = written(folder.path(), &samples);
        let a_day = bytes.len() as u64 * (86_400 / 120);
        println!("{} bytes a sample, {} MB a day", bytes.len() / samples.len(), a_day / 1_000_000);
        assert!(a_day < 600_000_000, "{a_day}");
        assert_eq!(read(&bytes).unwrap(), (samples, Tail::Closed));
    }

    #[test]
    fn wherever_it_is_cut_it_gives_back_every_whole_second() {
        let folder = tempfile::tempdir().unwrap();
        let samples = sleeps(300);
        let bytes = written(folder.path(), &samples);
        let mut seen = Vec::new();
        for length in (0..bytes.len()).step_by(11) {
            match read(&bytes[..length]) {
                Err(error) => {
                    assert!(matches!(error, ReadError::Foreign { .. }) && seen.is_empty(), "{length}: {error}");
                }
                Ok((read, tail)) => {
                    assert!(read == samples[..read.len()] && tail != Tail::Closed, "{length}");
                    seen.push(read.len());
                }
            }
        }
        seen.dedup();
        assert_eq!(seen, [0, 100, 200, 300]);
    }

    /// Other readers of Arrow undo the compression.
    #[test]
    fn segments_are_plain_tables_of_arrow() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = written(folder.path(), &sleeps(300));
        let batches: Vec<_> = StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [100, 100, 100]);
        let late = batches[0].column_by_name("oversleep_ns").unwrap().as_primitive::<Int64Type>();
        assert!(late.values().iter().all(|late| (50_000..110_000).contains(late)));
    }
}
