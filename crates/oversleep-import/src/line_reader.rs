//! Files that are read line by line: only what the lines say is kept.

use super::ImportError;
use super::whole_file::{Contents, LARGEST, TOO_LONG};
use oversleep_recording::text::escaped;
use std::io::{self, BufRead, Read};

/// Length of a line, in bytes, above which a file is refused: a line of an `.hlog` has up to 6 MiB.
const LONGEST: u64 = 8 << 20;

/// What is wrong with a line.
pub(super) enum LineFault {
    /// The line does not hold what is expected.
    Expected(&'static str),
    /// There is too much of something.
    TooMuch(&'static str),
}

impl From<&'static str> for LineFault {
    fn from(expected: &'static str) -> Self {
        Self::Expected(expected)
    }
}

/// Error of a second table, which would be added to the first or be left out.
pub(super) const SECOND_TABLE: LineFault =
    LineFault::TooMuch("a second table begins; a file is read as one table, so give each a file of its own");

/// Error of a second run, which would be counted together with the first.
pub(super) const SECOND_RUN: LineFault = LineFault::TooMuch(SECOND_RUN_TEXT);

/// The text of [`SECOND_RUN`], for files without lines.
pub(super) const SECOND_RUN_TEXT: &str =
    "a second run begins, or the first is there twice; give each run a file of its own";

/// What a line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// A value.
    Value,
    /// Nothing that counts.
    Other,
    /// Something that the format does not have. A remark says so.
    Foreign,
}

/// Lines that are left out because the format does not have them.
#[derive(Debug, Default)]
struct ForeignLines {
    /// Number and text of the first.
    first: Option<(u64, String)>,
    /// Number of all of them.
    count: u64,
}

impl ForeignLines {
    fn add(&mut self, number: u64, line: &str) {
        self.first.get_or_insert_with(|| (number, escaped(line.trim(), 40)));
        self.count += 1;
    }

    /// Returns the remark on them; `None` if there are none.
    fn remark(&self) -> Option<String> {
        let (number, text) = self.first.as_ref()?;
        let others = match self.count - 1 {
            0 => String::new(),
            1 => " and 1 other line".to_owned(),
            others => format!(" and {others} other lines"),
        };
        Some(format!("left out is what the format does not have: line {number}, `{text}`{others}"))
    }
}

/// How much of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Most {
    /// [`LARGEST`] bytes: what its lines say is kept.
    All,
    /// Everything, if it does not have [`LARGEST`] bytes without a value. Values are counted or passed on.
    WithoutValue,
}

/// Why no next line could be read.
pub(super) enum Stop {
    /// The system refused to read.
    Read(io::Error),
    /// The file has an error.
    Wrong(String),
}

/// A reader of a file's lines.
pub(super) struct LineReader<R> {
    input: R,
    most: Most,
    line: Vec<u8>,
    number: u64,
    /// Number of bytes since the beginning, or since the last value.
    bytes: u64,
    foreign: ForeignLines,
}

impl<R: BufRead> LineReader<R> {
    /// Begins to read a list of values of any length.
    pub(super) fn of_list(input: R) -> Self {
        let foreign = ForeignLines::default();
        Self { input, most: Most::WithoutValue, line: Vec::new(), number: 0, bytes: 0, foreign }
    }

    /// Returns a remark on the lines left out so far; `None` if there are none.
    pub(super) fn remark(&self) -> Option<String> {
        self.foreign.remark()
    }

    /// Passes the next line to `take`; `false` at the end of the file. A last line without a line end is an error,
    /// because digits may be missing.
    pub(super) fn next(&mut self, take: impl FnOnce(&str) -> Result<Line, LineFault>) -> Result<bool, Stop> {
        self.line.clear();
        let left = match self.most {
            Most::All => LARGEST - self.bytes,
            Most::WithoutValue => LONGEST,
        };
        let count =
            (&mut self.input).take(left.min(LONGEST) + 1).read_until(b'\n', &mut self.line).map_err(Stop::Read)?;
        let count = count as u64;
        if count == 0 {
            return Ok(false);
        }
        self.number += 1;
        self.bytes += count;
        let number = self.number;
        let wrong = |why: &str| Stop::Wrong(format!("line {number}: {why}"));
        if count > LONGEST {
            return Err(wrong("longer than 8 MiB, so this is not a line of this format"));
        }
        if count > left {
            return Err(Stop::Wrong(TOO_LONG.to_owned()));
        }
        let line = str::from_utf8(&self.line).map_err(|_| wrong("this is not text in UTF-8"))?;
        if !line.ends_with('\n') && !line.trim().is_empty() {
            return Err(wrong("it has no end; if the file is whole, add a line end"));
        }
        let taken = take(line.trim_end_matches(['\r', '\n'])).map_err(|fault| match fault {
            LineFault::Expected(expected) => {
                wrong(&format!("`{}` where {expected} is expected", escaped(line.trim(), 40)))
            }
            LineFault::TooMuch(what) => wrong(what),
        })?;
        if taken == Line::Foreign {
            self.foreign.add(number, line);
        }
        match (self.most, taken) {
            (Most::WithoutValue, Line::Value) => self.bytes = 0,
            (Most::WithoutValue, Line::Other | Line::Foreign) if self.bytes > LARGEST => {
                return Err(wrong("no value in the last 64 MiB; remove lines that are of something else"));
            }
            _ => {}
        }
        Ok(true)
    }
}

/// Passes the lines of a table to `take` until it refuses one, which becomes the file's error. So does the length of a
/// table that has more than 64 MiB.
pub(super) fn by_line(
    name: &str,
    format: &'static str,
    input: impl BufRead,
    take: impl FnMut(&str) -> Result<Line, LineFault>,
) -> Result<Contents, ImportError> {
    let lines = LineReader { most: Most::All, ..LineReader::of_list(input) };
    all(name, format, lines, take)
}

/// Does the same with a list of any length. `take` says which lines have a value, of which it keeps no more than counts.
pub(super) fn by_value(
    name: &str,
    format: &'static str,
    input: impl BufRead,
    take: impl FnMut(&str) -> Result<Line, LineFault>,
) -> Result<Contents, ImportError> {
    all(name, format, LineReader::of_list(input), take)
}

fn all<R: BufRead>(
    name: &str,
    format: &'static str,
    mut lines: LineReader<R>,
    mut take: impl FnMut(&str) -> Result<Line, LineFault>,
) -> Result<Contents, ImportError> {
    let mut contents = Contents::whole(name, format);
    loop {
        match lines.next(&mut take) {
            Ok(true) => {}
            Ok(false) => {
                contents.remarks(lines.remark());
                return Ok(contents);
            }
            Err(Stop::Read(source)) => return Err(ImportError::Read { name: name.to_owned(), source }),
            Err(Stop::Wrong(why)) => {
                contents.remarks(lines.remark());
                contents.fails(why);
                return Ok(contents);
            }
        }
    }
}
