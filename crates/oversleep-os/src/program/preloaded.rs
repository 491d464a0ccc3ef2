//! Waits of a program that was started with the library `oversleep-preload`, which writes them into a shared file.

use super::wait_file::{
    BY_EVENT, BY_SIGNAL, CALLS, DEADLINE, DETAILS, END, HEADER, IDS, MAGIC, NAME, NEXT, NUMBER, PROGRAMS, RECORDS,
    REQUESTED, SIZE, START, UNTIMED, VARIABLE, WORDS,
};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A wait that the library noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreloadedWait {
    /// Process that waited.
    pub pid: i32,
    /// Its thread.
    pub tid: i32,
    /// Name of the thread.
    pub name: String,
    /// Name of the C library's function.
    pub call: &'static str,
    /// Before the call.
    pub start: Nanos,
    /// After it.
    pub end: Nanos,
    /// Requested duration; of a deadline the time from the start until then.
    pub requested: Nanos,
    /// When the time was over.
    pub deadline: Nanos,
    /// What ended the wait.
    pub ended: PreloadedEnd,
    /// Processor before the call.
    pub cpu_start: u16,
    /// Processor after it.
    pub cpu_end: u16,
}

/// What ended a wait, as the function's result says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreloadedEnd {
    /// Its time was over.
    Time,
    /// Something it waited for happened.
    Event,
    /// A signal.
    Signal,
}

/// The file of a program's waits; dropping it removes it.
#[derive(Debug)]
pub struct Waits {
    path: PathBuf,
    file: File,
    /// Number of the next record.
    next: u64,
    lost: u64,
}

/// Name of the library's file.
const LIBRARY: &str = "liboversleep_preload.so";
/// Environment variable with its path, if it lies elsewhere.
const PLACE: &str = "OVERSLEEP_PRELOAD";

impl Waits {
    /// Creates the file for a command, and sets its environment so that the library is loaded into it and all that it starts.
    ///
    /// # Errors
    /// If the library is not there, or the file cannot be made.
    pub fn create(command: &mut Command) -> Result<Self, Refusal> {
        if !cfg!(target_os = "linux") {
            return Err(Refusal::Unavailable("the library is there for Linux alone".to_owned()));
        }
        Self::create_with(library()?, command)
    }

    /// Does the same with the library of this path.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create_with(library: PathBuf, command: &mut Command) -> Result<Self, Refusal> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("oversleep-waits-{}-{number}", std::process::id()));
        let refused = |error: &io::Error| Refusal::from_os(&path.to_string_lossy(), error);
        // What a killed process of the same number left.
        let _ = fs::remove_file(&path);
        let file = private(&path).map_err(|error| refused(&error))?;
        let mut waits = Self { path: path.clone(), file, next: 0, lost: 0 };
        waits.begin().map_err(|error| refused(&error))?;
        let mut preload = library.into_os_string();
        if let Some(others) = env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
            preload.push(":");
            preload.push(others);
        }
        command.env("LD_PRELOAD", preload).env(VARIABLE, path);
        Ok(waits)
    }

    fn begin(&mut self) -> io::Result<()> {
        self.file.set_len(SIZE as u64)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&MAGIC.to_ne_bytes())
    }

    /// Returns the waits that ended since the last call, in order of their ends.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&mut self) -> io::Result<Vec<PreloadedWait>> {
        let (mut found, capacity) = (Vec::new(), RECORDS as u64);
        let until = self.header(NEXT)?;
        if until - self.next > capacity {
            self.lost += until - self.next - capacity;
            self.next = until - capacity;
        }
        while self.next < until {
            let slot = usize::try_from(self.next % capacity).unwrap_or(0);
            let count = (RECORDS - slot).min(usize::try_from(until - self.next).unwrap_or(RECORDS));
            let words = self.words(HEADER + slot * WORDS, count * WORDS)?;
            // Those that were overwritten while they were read.
            let first = self.header(NEXT)?.saturating_sub(capacity);
            for record in words.chunks_exact(WORDS) {
                match parsed(record, self.next) {
                    Some(wait) if self.next >= first => found.push(wait),
                    // Its thread is still writing it, or was killed meanwhile.
                    None if self.next >= first && until - self.next < RETRIED => return Ok(in_order(found)),
                    _ => self.lost += 1,
                }
                self.next += 1;
            }
        }
        Ok(in_order(found))
    }

    /// Returns the number of waits that were overwritten before they were read, or never written to their end.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns the number of calls so far that waited without a time limit; 0 if the file cannot be read.
    pub fn untimed(&mut self) -> u64 {
        self.header(UNTIMED).unwrap_or(0)
    }

    /// Returns the number of programs so far that loaded the library; 0 if the file cannot be read.
    pub fn programs(&mut self) -> u64 {
        self.header(PROGRAMS).unwrap_or(0)
    }

    fn header(&mut self, word: usize) -> io::Result<u64> {
        Ok(self.words(word, 1)?[0])
    }

    fn words(&mut self, at: usize, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; count * 8];
        self.file.seek(SeekFrom::Start(at as u64 * 8))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default())).collect())
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Number of the last records among which an unfinished one is read again: no more threads write at once.
const RETRIED: u64 = 1_000;

/// Returns the library: where the environment says, beside the program, or where packages put it.
fn library() -> Result<PathBuf, Refusal> {
    if let Some(place) = env::var_os(PLACE).filter(|place| !place.is_empty()) {
        let path = PathBuf::from(place);
        let missing = |_| Refusal::Unavailable(format!("{PLACE} names {}, which is not there", path.display()));
        return path.canonicalize().map_err(missing);
    }
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new(""));
    let places = [folder.join(LIBRARY), folder.join("../lib/oversleep").join(LIBRARY)];
    places.iter().find_map(|path| path.canonicalize().ok()).ok_or_else(|| {
        let why = format!(
            "{LIBRARY} is needed and not beside {}: `cargo build --release` makes it in target/release; copy it there, or set {PLACE} to its \
             path",
            program.display()
        );
        Refusal::Unavailable(why)
    })
}

/// Creates a file that nobody else may open.
fn private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn in_order(mut waits: Vec<PreloadedWait>) -> Vec<PreloadedWait> {
    waits.sort_by_key(|wait| wait.end);
    waits
}

/// Parses the record of this number; `None` if it is not written to its end.
fn parsed(record: &[u64], number: u64) -> Option<PreloadedWait> {
    if record[NUMBER] != number + 1 {
        return None;
    }
    let time = |field: usize| Nanos::new(record[field].cast_signed());
    #[allow(clippy::cast_possible_truncation)] // halves and quarters of a word
    let (id, part) = (
        |shift: u32| ((record[IDS] >> shift) as u32).cast_signed(),
        |index: u32| (record[DETAILS] >> (16 * index)) as u16,
    );
    let name: Vec<u8> = record[NAME..NAME + 2].iter().flat_map(|word| word.to_ne_bytes()).collect();
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    Some(PreloadedWait {
        pid: id(0),
        tid: id(32),
        name: String::from_utf8_lossy(&name[..end]).into_owned(),
        call: CALLS.get(usize::from(part(0)))?,
        start: time(START),
        end: time(END),
        requested: time(REQUESTED),
        deadline: time(DEADLINE),
        ended: match u64::from(part(1)) {
            BY_EVENT => PreloadedEnd::Event,
            BY_SIGNAL => PreloadedEnd::Signal,
            _ => PreloadedEnd::Time,
        },
        cpu_start: part(2),
        cpu_end: part(3),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Waits {
        let path =
            env::temp_dir().join(format!("wait-file-test-{}-{:?}", std::process::id(), std::thread::current().id()));
        let mut waits = Waits { file: private(&path).unwrap(), path, next: 0, lost: 0 };
        waits.begin().unwrap();
        waits
    }

    /// Writes the record of a number as the library does, or all but its end.
    fn write(waits: &mut Waits, number: u64, finished: bool) {
        let slot = usize::try_from(number).unwrap() % RECORDS;
        let mut record = [0_u64; WORDS];
        record[NUMBER] = if finished { number + 1 } else { 0 };
        record[START] = number * 10;
        (record[END], record[REQUESTED], record[DEADLINE]) = (number * 10 + 9, 5, number * 10 + 5);
        (record[IDS], record[DETAILS]) = (7 | 8 << 32, 6 | BY_EVENT << 16 | 1 << 32 | 3 << 48);
        record[NAME] = u64::from_ne_bytes(*b"worker\0\0");
        let bytes: Vec<u8> = record.iter().flat_map(|word| word.to_ne_bytes()).collect();
        waits.file.seek(SeekFrom::Start(((HEADER + slot * WORDS) * 8) as u64)).unwrap();
        waits.file.write_all(&bytes).unwrap();
        waits.file.seek(SeekFrom::Start((NEXT * 8) as u64)).unwrap();
        waits.file.write_all(&(number + 1).to_ne_bytes()).unwrap();
    }

    #[test]
    fn records_are_read_once_and_an_unfinished_one_when_it_is_finished() {
        let mut waits = file();
        write(&mut waits, 0, true);
        write(&mut waits, 1, false);
        write(&mut waits, 2, true);
        let first = waits.read().unwrap();
        let wait = PreloadedWait {
            pid: 7,
            tid: 8,
            name: "worker".to_owned(),
            call: "select",
            start: Nanos::ZERO,
            end: Nanos::new(9),
            requested: Nanos::new(5),
            deadline: Nanos::new(5),
            ended: PreloadedEnd::Event,
            cpu_start: 1,
            cpu_end: 3,
        };
        assert_eq!(first, [wait]);
        write(&mut waits, 1, true);
        write(&mut waits, 2, true);
        assert_eq!(waits.read().unwrap().iter().map(|wait| wait.start.get()).collect::<Vec<_>>(), [10, 20]);
        assert_eq!((waits.read().unwrap().len(), waits.lost()), (0, 0));
    }

    #[test]
    fn what_was_overwritten_is_counted_as_lost() {
        let mut waits = file();
        let count = RECORDS as u64 + 2_000;
        (count - 1_000..count).for_each(|number| write(&mut waits, number, true));
        assert_eq!(waits.read().unwrap().len(), 1_000);
        assert_eq!(waits.lost(), count - 1_000, "the others were overwritten, or never finished");
    }
}
