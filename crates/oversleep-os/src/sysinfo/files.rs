//! Sources of texts about the machine: its files, or samples in a test.

use std::fs::File;
use std::io::Read;

/// Returns the text at a path, trimmed; `None` if it does not exist or this user may not read it.
pub(super) type Files<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Maximum bytes read from any file: `/proc/cpuinfo` queries every processor in turn for its frequency, and
/// the interrupt line of `/proc/stat` is long; the needed parts come before.
const MOST: u64 = 256 * 1024;

/// Reads the machine's own files.
pub(super) fn real(path: &str) -> Option<String> {
    up_to(path, MOST)
}

/// Returns the beginning of a file.
pub(super) fn up_to(path: &str, bytes: u64) -> Option<String> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(bytes).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).trim_matches(['\n', ' ', '\0']).to_owned())
}

/// Returns the number in a file that contains only a number.
pub(super) fn number<T: std::str::FromStr>(files: Files, path: &str) -> Option<T> {
    files(path)?.trim().parse().ok()
}

/// Returns a reader of samples for tests: pairs of path and text.
#[cfg(test)]
pub(super) fn sample<'a>(texts: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
    |path| texts.iter().find(|(name, _)| *name == path).map(|(_, text)| text.trim().to_owned())
}
