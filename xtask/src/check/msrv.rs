//! Compiles the workspace with the `rust-version` of its manifest, and crates that state an older one with theirs.

use std::fs;
use std::path::Path;

use crate::outcome::Outcome;
use crate::{child, toolchain};

/// Crates that are used on their own and so state a `rust-version` of their own, with the options for their users'
/// features. The features of oversleep-sys are only for the tool.
const APART: [(&str, &[&str]); 2] = [("oversleep-sys", &[]), ("oversleep", &["--all-features"])];

pub(super) fn check(root: &Path) -> Outcome {
    let version = match stated(root, "Cargo.toml", &["workspace", "package"]) {
        Ok(version) => version,
        Err(why) => return Outcome::Failed(why),
    };
    match compiles(root, &version, &["--workspace"]) {
        Outcome::Passed => {}
        other => return other,
    }
    for (name, features) in APART {
        let version = match stated(root, &format!("crates/{name}/Cargo.toml"), &["package"]) {
            Ok(version) => version,
            Err(why) => return Outcome::Failed(why),
        };
        match compiles(root, &version, &[&["--package", name], features].concat()) {
            Outcome::Passed => {}
            other => return other,
        }
    }
    Outcome::Passed
}

/// Compiles in a target folder of its own: the files of two compilers in one folder would replace each other.
fn compiles(root: &Path, version: &str, what: &[&str]) -> Outcome {
    let installed = child::output(root, &["rustup", "run", version, "rustc", "--version"]);
    let wanted = ["rustup", "toolchain", "install", version, "--profile", "minimal"];
    if installed.is_err()
        && let Err(why) = toolchain::install(root, &format!("Rust {version}"), &wanted)
    {
        return Outcome::Skipped(why);
    }
    let toolchain = format!("+{version}");
    let mut command = child::command(root, &[&["cargo", &toolchain, "check"], what].concat());
    command.env("CARGO_TARGET_DIR", root.join("target").join("msrv"));
    child::run(command)
}

/// Returns the `rust-version` in a table of a manifest.
fn stated(root: &Path, manifest: &str, table: &[&str]) -> Result<String, String> {
    let text = fs::read_to_string(root.join(manifest)).map_err(|error| format!("{manifest}: {error}"))?;
    rust_version(&text, table).ok_or_else(|| format!("{manifest} states no {}.rust-version", table.join(".")))
}

fn rust_version(manifest: &str, table: &[&str]) -> Option<String> {
    let mut found: toml::Value = manifest.parse::<toml::Table>().ok()?.into();
    for name in table {
        found = found.get(name)?.clone();
    }
    Some(found.get("rust-version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_stated_version() {
        let manifest = "[workspace.package]\nrust-version = \"1.88\"\n[package]\nrust-version = \"1.85\"\n";
        assert_eq!(rust_version(manifest, &["workspace", "package"]).as_deref(), Some("1.88"));
        assert_eq!(rust_version(manifest, &["package"]).as_deref(), Some("1.85"));
        assert_eq!(rust_version("[package]\nrust-version.workspace = true\n", &["package"]), None);
    }
}
