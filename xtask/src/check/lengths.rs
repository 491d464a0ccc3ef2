//! Checks that no source file has more than 400 lines: a longer one holds more than one idea.

use std::path::Path;

use crate::outcome::{self, Outcome};
use crate::tree::{self, Source};

const MOST_LINES: usize = 400;
/// First words of a file that `npm run types` writes.
const GENERATED: &str = "// Made from ";

pub(super) fn check(root: &Path) -> Outcome {
    match tree::sources(root, &[".rs", ".ts", ".mjs"]) {
        Ok(sources) => outcome::from_faults(&faults(&sources)),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

fn faults(sources: &[Source]) -> Vec<String> {
    let lines = |source: &Source| source.text.lines().count();
    let written = sources.iter().filter(|source| !source.text.starts_with(GENERATED));
    let long = written.filter(|source| lines(source) > MOST_LINES);
    long.map(|source| format!("{}: {} lines, at most {MOST_LINES}", source.path, lines(source))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hundred_lines_pass_and_one_more_does_not() {
        let source = |lines: usize| Source { path: "a.rs".to_owned(), text: "//\n".repeat(lines) };
        assert_eq!(faults(&[source(400)]), Vec::<String>::new());
        assert_eq!(faults(&[source(401)]), ["a.rs: 401 lines, at most 400"]);
        let generated = Source { path: "a.ts".to_owned(), text: format!("{GENERATED}b\n").repeat(500) };
        assert_eq!(faults(&[generated]), Vec::<String>::new());
    }
}
