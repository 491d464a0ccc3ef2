//! Rows given as JSON objects, one per line, converted to a table.

use super::columns::is_ours;
use super::error::CsvError;
use super::text::LONGEST;
use crate::json;
use oversleep_recording::text::escaped;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read};

/// Number of keys above which the first object is refused: each later line becomes a row with as many fields, however
/// short it is.
const MOST_KEYS: usize = 1 << 10;

/// Converts JSON objects to lines of comma-separated values: the first object's keys as a header, then the values.
pub(crate) struct JsonLines<R> {
    input: R,
    keys: Vec<String>,
    line: u64,
    pending: Vec<u8>,
    given: usize,
}

/// A line that is not a JSON object.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub(super) struct NoObject {
    pub(super) line: u64,
    pub(super) why: String,
}

impl<R: BufRead> JsonLines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, keys: Vec::new(), line: 0, pending: Vec::new(), given: 0 }
    }

    /// Reads the next line into `pending`; `false` at the end of the input.
    fn refill(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        self.line += 1;
        let count = (&mut self.input).take(LONGEST as u64).read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(false);
        }
        let no_object = |why: String| io::Error::other(NoObject { line: self.line, why });
        if count == LONGEST && line.last() != Some(&b'\n') {
            return Err(no_object(format!("it does not end within {} MiB", LONGEST >> 20)));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            // The reader of tables skips the empty line but counts it.
            self.pending = vec![b'\n'];
            self.given = 0;
            return Ok(true);
        }
        let object = match json::parse(&line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Err(no_object("one JSON object is expected on each line".to_owned())),
            Err(error) => {
                let place = error.column;
                let broken = || format!("no JSON object: something is wrong at byte {place} of the line");
                return Err(no_object(error.refused.unwrap_or_else(broken)));
            }
        };
        let mut out = String::new();
        if self.keys.is_empty() {
            if object.len() > MOST_KEYS {
                return Err(no_object(format!("more than {MOST_KEYS} keys")));
            }
            self.keys = object.keys().cloned().collect();
            row(&mut out, self.keys.iter().map(String::as_str));
        }
        let known = self.keys.iter().filter(|key| object.contains_key(*key)).count();
        if known < object.len()
            && let Some(key) = object.keys().find(|key| !self.keys.contains(*key))
        {
            let key = escaped(key, 40);
            return Err(no_object(format!("the key `{key}` is not in the first line, whose keys are the columns")));
        }
        let nested = |value: &Value| value.is_array() || value.is_object();
        if let Some((key, _)) = object.iter().find(|(key, value)| nested(value) && is_ours(key)) {
            return Err(no_object(format!("`{key}` is a list or an object, where a number or text is expected")));
        }
        let values: Vec<String> = self.keys.iter().map(|key| field(object.get(key))).collect();
        row(&mut out, values.iter().map(String::as_str));
        self.pending = out.into_bytes();
        self.given = 0;
        Ok(true)
    }
}

/// Returns a value as a field: empty for null, arrays and objects.
fn field(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Array(_) | Value::Object(_)) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn row<'a>(out: &mut String, fields: impl Iterator<Item = &'a str>) {
    for (place, field) in fields.enumerate() {
        // A line break within a field would add a line to the table.
        let field = field.replace('"', "\"\"").replace(['\n', '\r'], " ");
        // Writing to a String cannot fail.
        let _ = write!(out, "{}\"{field}\"", if place > 0 { "," } else { "" });
    }
    out.push('\n');
}

impl<R: BufRead> Read for JsonLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.pending.len() && !self.refill()? {
            return Ok(0);
        }
        let rest = &self.pending[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

/// Returns the error of a line that is not an object, if this is one.
pub(super) fn no_object(error: &io::Error) -> Option<CsvError> {
    let inner = error.get_ref()?.downcast_ref::<NoObject>()?;
    Some(CsvError::Json { line: inner.line, why: inner.why.clone() })
}
