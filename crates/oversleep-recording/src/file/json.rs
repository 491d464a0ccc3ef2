//! The texts in a recording's JSON, made safe to show.

use crate::Note;
use crate::text::{is_invisible, visible};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// Reads a document of a recording, with spaces for the invisible characters in its texts: a file may come from anyone, a
/// terminal obeys control characters, and a line end would let a text pose as lines of a report.
pub(super) fn read<T: DeserializeOwned>(document: &str) -> serde_json::Result<T> {
    // JSON has most control characters as sequences that begin with a backslash.
    if is_plain(document) || !document.contains(|letter| letter == '\\' || is_invisible(letter)) {
        return serde_json::from_str(document);
    }
    let mut value: Value = serde_json::from_str(document)?;
    clean(&mut value);
    serde_json::from_value(value)
}

/// Reads a note; the error says in words what is wrong.
pub(super) fn read_note(document: &str) -> Result<Note, String> {
    read(document).map_err(|error| format!("a note that is not the JSON that it should be ({error})"))
}

/// Returns whether a document has nothing but visible ASCII letters and no backslash, as nearly all have. In pieces of fixed
/// size this takes a fraction of the time of looking at one letter after another, which was a seventh of a report's.
fn is_plain(document: &str) -> bool {
    let plain = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'\\';
    let (pieces, rest) = document.as_bytes().as_chunks::<64>();
    pieces.iter().all(|piece| piece.iter().fold(true, |all, byte| all & plain(byte))) && rest.iter().all(plain)
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => clean_text(text),
        Value::Array(values) => values.iter_mut().for_each(clean),
        Value::Object(fields) => {
            let cleaned = std::mem::take(fields).into_iter().map(|(mut name, mut value)| {
                clean_text(&mut name);
                clean(&mut value);
                (name, value)
            });
            *fields = cleaned.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn clean_text(text: &mut String) {
    if let Cow::Owned(cleaned) = visible(text) {
        *text = cleaned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_what_a_terminal_would_obey() {
        let texts: Vec<String> =
            read("[\"a\\u001b[8mb\", \"\u{202E}c\u{7f}\", \"two\\nlines\", \"\\\\\\\"\"]").expect("JSON");
        assert_eq!(texts, ["a [8mb", " c ", "two lines", "\\\""]);
        let fields: std::collections::BTreeMap<String, u64> =
            read("{\"a\\u0007\": 18446744073709551615}").expect("JSON");
        assert_eq!(fields.into_iter().collect::<Vec<_>>(), [("a ".to_owned(), u64::MAX)]);
        assert!(read::<Vec<String>>("[\"\\u001b\"").is_err());
    }
}
