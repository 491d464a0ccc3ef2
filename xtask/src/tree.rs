//! The source files that rules read.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders with sources, and the workspace's manifest.
const PLACES: [&str; 6] = ["crates", "fuzz", "interleavings", "xtask", "benches/tool", "Cargo.toml"];
/// Folders inside them without sources of the project.
const FOREIGN: [&str; 3] = ["target", "data", "build"];

/// A source file of the project.
#[derive(Debug)]
pub struct Source {
    /// Path from the workspace root, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Returns whether the file is Rust; the others are manifests.
    pub fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|ending| ending == "rs")
    }
}

/// Returns the workspace's root folder: the parent of this crate's.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// Returns every source file whose path ends in one of `endings`, sorted by path. An error names the file that cannot
/// be read.
pub fn sources(root: &Path, endings: &[&str]) -> Result<Vec<Source>, String> {
    let mut paths: Vec<PathBuf> = PLACES.iter().map(|place| root.join(place)).collect();
    let mut found = Vec::new();
    while let Some(path) = paths.pop() {
        let failure = |error| format!("{}: {error}", path.display());
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !FOREIGN.contains(&name.as_ref()) && !name.starts_with('.') {
                paths.extend(fs::read_dir(&path).map_err(failure)?.flatten().map(|entry| entry.path()));
            }
        } else if endings.iter().any(|ending| path.to_string_lossy().replace('\\', "/").ends_with(ending)) {
            let text = fs::read_to_string(&path).map_err(failure)?;
            let parts = path.strip_prefix(root).unwrap_or(&path).components();
            let path = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/");
            found.push(Source { path, text });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}
