//! Runs the project's programs that need its crates, which take a while to compile.

use std::env;
use std::path::{Path, PathBuf};

use crate::child;
use crate::outcome::Outcome;

/// Runs a part of `benches/tool`, optimised because it measures.
pub(crate) fn bench(root: &Path, part: &str, words: &[String]) -> bool {
    let cargo = ["cargo", "run", "--quiet", "--release", "--package", "bench-tool", "--", part];
    ended_well(root, &cargo, words)
}

/// Runs the part of `kernels` that compares recordings of real kernels.
pub(crate) fn recordings(root: &Path, words: &[String]) -> bool {
    ended_well(root, &["cargo", "run", "--quiet", "--package", "kernels", "--", "recordings"], words)
}

/// Runs a step of `kernels`.
pub(crate) fn kernels(root: &Path, step: &str) -> Outcome {
    child::run_tool(child::command(root, &["cargo", "run", "--quiet", "--package", "kernels", "--", step]))
}

/// Returns a document that `benches/tool` generates.
///
/// Its generator is built as an example of the whole workspace, so that what the tests built before is not built again
/// with other features.
pub(crate) fn document(root: &Path, name: &str) -> Result<String, String> {
    child::output(root, &["cargo", "build", "--quiet", "--workspace", "--example", "document"])?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("debug").join("examples").join("document").display().to_string();
    child::output(root, &[&program, name])
}

fn ended_well(root: &Path, cargo: &[&str], words: &[String]) -> bool {
    let words: Vec<&str> = cargo.iter().copied().chain(words.iter().map(String::as_str)).collect();
    match child::run(child::command(root, &words)) {
        Outcome::Passed => true,
        Outcome::Failed(why) | Outcome::Skipped(why) => {
            eprintln!("{why}");
            false
        }
    }
}
