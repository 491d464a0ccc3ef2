//! `library`: the precise-sleep library beside similar ones.
//!
//! The benchmark is a package outside the workspace (`benches/library`), so that the other libraries, with a runtime
//! and rate limiters among them, are not dependencies of anything else. After `--` it takes options: parts, rates,
//! work, classes, busy threads and how they are grouped, contenders, seconds, rounds.

use super::Options;
use crate::{child, outcome::Outcome, tree};

/// Builds the benchmark optimised in the workspace's target folder, and beside it `oversleep`, whose `pace` is one of
/// the pacers. The output is always Markdown.
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
