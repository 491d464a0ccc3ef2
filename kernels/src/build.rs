//! Where and how the programs for emulated machines are built.

use std::path::{Path, PathBuf};

/// Returns the target folder that they share: each target has a folder of its own in it, and build scripts and macros,
/// which run on this machine, are built once.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target").join("kernels").join("build")
}

/// Options of cargo that turn off the optimisation of crates whose tests compute much: here each program is compiled
/// for one short run.
pub(crate) const UNOPTIMISED: [&str; 4] = [
    "--config",
    "profile.dev.package.oversleep-lab.opt-level=0",
    "--config",
    "profile.dev.package.oversleep-sim.opt-level=0",
];
