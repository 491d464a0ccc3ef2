//! Lists of exceptions to a check: names and the places where they are allowed, each with its reason.

use toml::{Table, Value};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exception {
    /// A file, or a folder if it ends in `/`.
    pub(super) path: String,
    /// The name as the check reports it.
    pub(super) name: String,
}

impl Exception {
    pub(super) fn covers(&self, path: &str, name: &str) -> bool {
        let there = if self.path.ends_with('/') { path.starts_with(&self.path) } else { path == self.path };
        there && self.name == name
    }
}

/// Parses the list in `file`; an entry without a path, a name or a reason is an error.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Exception>, String> {
    let table: Table = text.parse().map_err(|error| format!("{file}: {error}"))?;
    let entries = match table.get("exception") {
        None => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err(format!("{file}: `exception` is not a list; write [[exception]]")),
    };
    entries.iter().map(|value| entry(file, value)).collect()
}

fn entry(file: &str, value: &Value) -> Result<Exception, String> {
    let field = |key: &str| match value.get(key).and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(format!("{file}: an exception has no {key}")),
    };
    field("reason")?;
    Ok(Exception { path: field("path")?, name: field("name")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_needs_a_reason() {
        let text = "[[exception]]\npath = \"a.rs\"\nname = \"libc\"\n";
        assert!(parse("x.toml", text).is_err());
        let expected = Exception { path: "a.rs".to_owned(), name: "libc".to_owned() };
        assert_eq!(parse("x.toml", &format!("{text}reason = \"why\"\n")), Ok(vec![expected]));
        assert_eq!(parse("x.toml", "# nothing\n"), Ok(Vec::new()));
    }

    #[test]
    fn a_folder_covers_its_files_and_a_file_only_itself() {
        let exception = |path: &str| Exception { path: path.to_owned(), name: "libc".to_owned() };
        assert!(exception("crates/a/").covers("crates/a/src/b.rs", "libc"));
        assert!(!exception("crates/a/").covers("crates/a/src/b.rs", "target_os"));
        assert!(!exception("crates/a").covers("crates/a/src/b.rs", "libc"));
    }
}
