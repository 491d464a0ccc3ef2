//! Lists of exceptions to a rule: names and the places where they are allowed, each with its reason.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The exceptions of one file, and which of them were needed.
pub(super) struct Exceptions {
    file: &'static str,
    /// Path (a file, or a folder if it ends in `/`), name, and whether it was needed.
    entries: Vec<(String, String, bool)>,
}

impl Exceptions {
    /// Reads a list; an entry without a path, a name or a reason is an error.
    pub(super) fn read(root: &Path, file: &'static str) -> Result<Self, String> {
        let text = fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
        let table: Table = text.parse().map_err(|error| format!("{file}: {error}"))?;
        let entry = |value: &Value| {
            let field = |key: &str| match value.get(key).and_then(Value::as_str) {
                Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
                _ => Err(format!("{file}: an exception has no {key}")),
            };
            field("reason").and_then(|_| Ok((field("path")?, field("name")?, false)))
        };
        let entries = table.get("exception").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Ok(Self { file, entries: entries.iter().map(entry).collect::<Result<_, _>>()? })
    }

    /// Returns whether a name is allowed in a file.
    pub(super) fn allow(&mut self, path: &str, name: &str) -> bool {
        let covers = |(place, allowed, _): &&mut (String, String, bool)| {
            allowed == name && (path == place || place.ends_with('/') && path.starts_with(place.as_str()))
        };
        self.entries.iter_mut().find(covers).map(|entry| entry.2 = true).is_some()
    }

    /// Returns an error for each exception that nothing needed.
    pub(super) fn stale(&self) -> impl Iterator<Item = String> + '_ {
        let stale = self.entries.iter().filter(|(_, _, needed)| !needed);
        stale.map(|(path, name, _)| format!("{}: {name} in {path} is no longer there", self.file))
    }
}
