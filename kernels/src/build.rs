//! Where the programs for emulated machines are built.

use std::path::{Path, PathBuf};

/// Returns the one target folder of all of them: each target has its own place in it, and the build scripts and macros that
/// run on this machine are shared.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target").join("kernels").join("build")
}
