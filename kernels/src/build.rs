//! Where the programs for emulated machines are built.

use std::path::{Path, PathBuf};

/// Returns the one target folder of all of them: each target has its own place in it, and the build scripts and macros that
/// run on this machine are shared.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target").join("kernels").join("build")
}

/// Leaves unoptimised what the workspace optimises for tests that compute much: here each is compiled for one short run.
pub(crate) const UNOPTIMISED: [&str; 4] = [
    "--config",
    "profile.dev.package.oversleep-lab.opt-level=0",
    "--config",
    "profile.dev.package.oversleep-sim.opt-level=0",
];
