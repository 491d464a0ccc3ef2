//! The precise-sleep library beside its peers: `cargo xtask bench library [-- --quick --only sleeps]`.
//!
//! The benchmark is a package outside the workspace (`benches/library`): its peers, a runtime and rate limiters among
//! them, are nobody else's dependencies.

use super::Options;
use crate::{child, outcome::Outcome, tree};

/// Builds it optimised in the workspace's own target folder and passes the options on.
pub(super) fn run(options: &Options) -> Result<(), String> {
    let root = tree::root();
    let target = root.join("target").display().to_string();
    let words =
        ["cargo", "run", "--release", "--manifest-path", "benches/library/Cargo.toml", "--target-dir", &target, "--"];
    let words: Vec<&str> = words.into_iter().chain(options.own.iter().map(String::as_str)).collect();
    match child::run(child::command(&root, &words)) {
        Outcome::Failed(reason) => Err(reason),
        _ => Ok(()),
    }
}
