//! What every target does with a file.

use oversleep_lab::import::{self, Ending, ImportOptions};
use oversleep_lab::session::FiguresOnly;

const NAME: &str = "fuzzed.bin";

/// Reads a file as `oversleep report` does, up to its document. An error must be one line that names the file.
pub fn report(bytes: &[u8], options: &ImportOptions) {
    let mut source = match import::open_with(NAME, bytes, options) {
        Ok(source) => source,
        Err(error) => return check(&error.to_string()),
    };
    let mut figures = FiguresOnly::new(source.meta());
    if let Ending::Broken(error) = source.read_into(&mut figures) {
        check(&error.to_string());
    }
    let results = figures.finish();
    assert!(!results.json().is_empty());
}

fn check(error: &str) {
    assert!(error.contains(NAME), "an error without the file's name: {error}");
    assert!(error.lines().count() == 1 && error.len() < 2_000, "an error that is not one line: {error}");
}
