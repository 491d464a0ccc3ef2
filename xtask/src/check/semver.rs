//! Compares the interface of the published crates with the last release, with cargo-semver-checks.
//!
//! No registry has it compiled, and compiling it takes longer than all other steps, so this step runs only where it is
//! installed.

use std::path::Path;

use crate::child;
use crate::outcome::Outcome;

/// Crates that other programs compile against.
const CRATES: [&str; 1] = ["oversleep"];

pub(super) fn check(root: &Path) -> Outcome {
    let tags = child::output(root, &["git", "tag", "--list", "v[0-9]*", "--sort=-version:refname"]);
    let last = match &tags {
        Ok(tags) => tags.lines().next(),
        Err(why) => return Outcome::Skipped(why.clone()),
    };
    let Some(last) = last else {
        return Outcome::Skipped("nothing was released yet: the repository has no tag v*".to_owned());
    };
    if child::output(root, &["cargo", "semver-checks", "--version"]).is_err() {
        let why = "cargo-semver-checks is not installed; `cargo install cargo-semver-checks --locked` gets it";
        return Outcome::Skipped(why.to_owned());
    }
    let mut words = vec!["cargo", "semver-checks", "--baseline-rev", last];
    words.extend(CRATES.iter().flat_map(|name| ["--package", name]));
    child::run(child::command(root, &words))
}
