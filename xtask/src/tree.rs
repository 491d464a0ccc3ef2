//! The source files that checks read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders with sources.
const FOLDERS: [&str; 7] = ["crates", "fuzz", "interleavings", "xtask", "kernels", "benches/tool", "web"];
/// Folders inside them without sources of the project.
const FOREIGN: [&str; 4] = ["target", "data", "node_modules", "build"];

/// A source file of the project.
#[derive(Debug)]
pub struct Source {
    /// Path from the workspace root, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// Returns the workspace's root folder: the parent of this crate's.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// Returns every source file whose name ends in one of `endings`, sorted by path.
pub fn sources(root: &Path, endings: &[&str]) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let folder = root.join(folder);
        if folder.is_dir() {
            walk(&folder, &mut found)?;
        }
    }
    found.sort();
    let wanted = |path: &&PathBuf| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending));
    found.iter().filter(wanted).map(|path| read(root, path)).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !FOREIGN.contains(&name.as_str()) && !name.starts_with('.') {
            walk(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn read(root: &Path, path: &Path) -> io::Result<Source> {
    let text = fs::read_to_string(path)?;
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    let path = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/");
    Ok(Source { path, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_sources_and_leaves_what_is_built_or_fetched() {
        let root = tempfile::tempdir().expect("a temporary folder");
        for path in ["crates/a/src/b.rs", "kernels/target/x.rs", "kernels/src/y.rs", "crates/a/data/z.rs", "docs/w.rs"]
        {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folder");
            fs::write(path, "//").expect("file");
        }
        let found = sources(root.path(), &[".rs"]).expect("a walk");
        let paths: Vec<&str> = found.iter().map(|source| source.path.as_str()).collect();
        assert_eq!(paths, ["crates/a/src/b.rs", "kernels/src/y.rs"]);
    }
}
