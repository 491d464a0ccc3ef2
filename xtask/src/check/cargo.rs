//! The steps that are a command of cargo.

use std::fs;
use std::path::Path;

use crate::child;
use crate::outcome::{self, Outcome, Row};

pub(super) fn format(root: &Path) -> Outcome {
    child::run(child::command(root, &["cargo", "fmt", "--all", "--check"]))
}

pub(super) fn clippy(root: &Path) -> Outcome {
    child::run(child::command(root, &["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The benchmark's package is outside the workspace, so that what it compares with is in nobody's way.
pub(super) fn peers(root: &Path) -> Outcome {
    let manifest = "benches/library/Cargo.toml";
    let format = child::run(child::command(root, &["cargo", "fmt", "--manifest-path", manifest, "--check"]));
    if !matches!(format, Outcome::Passed) {
        return format;
    }
    let lints = ["cargo", "clippy", "--manifest-path", manifest, "--target-dir", "target", "--all-targets", "--locked"];
    child::run(child::command(root, &[&lints[..], &["--", "-D", "warnings"]].concat()))
}

pub(super) fn tests(root: &Path) -> Outcome {
    child::run(child::command(root, &["cargo", "test", "--workspace", "--no-fail-fast"]))
}

pub(super) fn docs(root: &Path) -> Outcome {
    let mut command = child::command(root, &["cargo", "doc", "--no-deps", "--workspace"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    child::run(command)
}

/// Compiles with the `rust-version` of the manifest, in a target folder of its own: artefacts of two compilers side by
/// side would evict each other.
pub(super) fn msrv(root: &Path) -> Outcome {
    let version = match fs::read_to_string(root.join("Cargo.toml")).map(|text| rust_version(&text)) {
        Ok(Some(version)) => version,
        Ok(None) => return Outcome::Failed("Cargo.toml states no workspace.package.rust-version".to_owned()),
        Err(error) => return Outcome::Failed(format!("Cargo.toml: {error}")),
    };
    let toolchain = format!("+{version}");
    let installed = child::output(root, &["rustup", "run", &version, "rustc", "--version"]);
    if installed.is_err()
        && let Err(why) = child::output(root, &["rustup", "toolchain", "install", &version, "--profile", "minimal"])
    {
        return Outcome::Skipped(why);
    }
    let mut command = child::command(root, &["cargo", &toolchain, "check", "--workspace"]);
    command.env("CARGO_TARGET_DIR", root.join("target").join("msrv"));
    child::run(command)
}

fn rust_version(manifest: &str) -> Option<String> {
    let table: toml::Table = manifest.parse().ok()?;
    Some(table.get("workspace")?.get("package")?.get("rust-version")?.as_str()?.to_owned())
}

/// Two rows: what needs only the lock file, and the advisories, whose database is on the network.
pub(super) fn deny(root: &Path) -> Vec<Row> {
    let installed = child::output(root, &["cargo", "deny", "--version"]);
    let offline = outcome::timed("deny bans licenses sources", || match &installed {
        Ok(_) => child::run(child::command(root, &["cargo", "deny", "check", "bans", "licenses", "sources"])),
        Err(_) => Outcome::Skipped("cargo-deny is not installed (`cargo install cargo-deny --locked`)".to_owned()),
    });
    let advisories = outcome::timed("deny advisories", || match &installed {
        Ok(_) => known_holes(root),
        Err(_) => Outcome::Skipped("cargo-deny is not installed".to_owned()),
    });
    vec![offline, advisories]
}

/// Every interleaving of the threads that share a clock or a pacer, as far as loom's bounds go. In a target folder of its own:
/// the flag would have everything compiled anew.
pub(super) fn loom(root: &Path) -> Outcome {
    let mut command = child::command(root, &["cargo", "test", "-p", "oversleep", "--lib", "--release", "loom_tests"]);
    command.env("CARGO_TARGET_DIR", root.join("target").join("loom")).env("RUSTFLAGS", "--cfg loom");
    child::run(command)
}

/// The advisories, where their database can be fetched.
fn known_holes(root: &Path) -> Outcome {
    let fetched = child::output(root, &["cargo", "deny", "fetch", "db"]);
    match fetched {
        Ok(_) => child::run(child::command(root, &["cargo", "deny", "check", "advisories"])),
        Err(why) => Outcome::Skipped(format!("the advisory database cannot be fetched: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_stated_version() {
        assert_eq!(rust_version("[workspace.package]\nrust-version = \"1.88\"\n").as_deref(), Some("1.88"));
        assert_eq!(rust_version("[package]\nrust-version = \"1.88\"\n"), None);
    }
}
