//! Explanation of figures that somebody states, without a recording.

use super::results::pretty;
use oversleep_import::asked::{AskedTableError, LARGEST, is_asked, read};
use oversleep_import::csv::Mapping;
use oversleep_recording::asked::{AskedError, AskedPair, Question, Repeated};
use oversleep_recording::document::AskedAnswer;
use oversleep_report::{self as report, Screen};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Number of bytes in which a table's header must end.
const HEADER: u64 = 1 << 16;

/// The text of a table of sleeps without their starts.
pub struct AskedTable(String);

impl AskedTable {
    /// Returns the table in a file; `None` if the file holds something else.
    ///
    /// # Errors
    /// The system refuses to read the file.
    pub fn open(path: &Path, columns: &Mapping) -> io::Result<Option<Self>> {
        if !path.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let mut text = Vec::new();
        (&mut file).take(HEADER).read_to_end(&mut text)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
        if !std::str::from_utf8(&text[..whole]).is_ok_and(|text| is_asked(text, columns)) {
            return Ok(None);
        }
        file.take(LARGEST as u64).read_to_end(&mut text)?;
        Ok(Some(Self(String::from_utf8_lossy(&text).into_owned())))
    }

    /// Reads standard input or the like as such a table, whatever its header says.
    ///
    /// # Errors
    /// The system refuses to read.
    pub fn read(input: impl Read) -> io::Result<Self> {
        let mut text = Vec::new();
        input.take(LARGEST as u64 + 1).read_to_end(&mut text)?;
        Ok(Self(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Returns the table's requests with their figures. `asked` is the request of every row where no column holds it.
    ///
    /// # Errors
    /// A table that lacks a request, a unit or a number where one belongs.
    pub fn pairs(&self, columns: &Mapping, asked: Option<Repeated>) -> Result<Vec<AskedPair>, AskedTableError> {
        read(&self.0, columns, asked)
    }
}

/// What would explain the figures of a question.
pub struct AskedExplanation(AskedAnswer);

impl AskedExplanation {
    /// Answers a question.
    ///
    /// # Errors
    /// What the question states cannot all be true.
    pub fn new(question: &Question) -> Result<Self, AskedError> {
        question.check()?;
        oversleep_model::asked::answer(question).map(Self)
    }

    /// Answers which cause explains two sets of figures, before and after a change.
    ///
    /// # Errors
    /// What either states cannot all be true.
    pub fn of_change(before: &Question, after: &Question) -> Result<Self, AskedError> {
        before.check()?;
        after.check()?;
        oversleep_model::asked::answer_change(before, after).map(Self)
    }

    /// Returns the document.
    pub fn document(&self) -> &AskedAnswer {
        &self.0
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        pretty(&self.0)
    }

    /// Returns the answer as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        report::asked::text(&self.0, screen)
    }
}
