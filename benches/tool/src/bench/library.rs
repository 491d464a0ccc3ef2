//! The precise-sleep library beside its peers.
//!
//! The benchmark is a package outside the workspace (`benches/library`): its peers, a runtime and rate limiters among
//! them, are nobody else's dependencies. Run by hand it takes options: which parts, durations, classes, busy threads.

use super::Options;
use crate::{child, outcome::Outcome, tree};

/// Builds it optimised in the workspace's own target folder, and beside it the program, whose `pace` takes part among the
/// pacers. It prints Markdown in any case.
pub(super) fn run(options: &Options) -> Result<(), String> {
    let root = tree::root();
    let target = root.join("target").display().to_string();
    let manifest = "benches/library/Cargo.toml";
    let paces = !options.own.iter().any(|word| word.starts_with("--only")) || options.own.join(" ").contains("pacers");
    if paces && let Outcome::Failed(reason) = child::run(child::command(&root, &["cargo", "build", "--release"])) {
        return Err(reason);
    }
    let mut words = vec!["cargo", "run", "--release", "--manifest-path", manifest, "--target-dir", &target, "--"];
    if !options.long {
        words.push("--quick");
    }
    words.extend(options.own.iter().map(String::as_str));
    match child::run(child::command(&root, &words)) {
        Outcome::Failed(reason) => Err(reason),
        _ => Ok(()),
    }
}
