//! The workspace, compiled with the `rust-version` that its manifest states.

use std::fs;
use std::path::Path;

use crate::outcome::Outcome;
use crate::{child, toolchain};

/// Compiles in a target folder of its own: artefacts of two compilers side by side would evict each other.
pub(super) fn check(root: &Path) -> Outcome {
    let version = match fs::read_to_string(root.join("Cargo.toml")).map(|text| rust_version(&text)) {
        Ok(Some(version)) => version,
        Ok(None) => return Outcome::Failed("Cargo.toml states no workspace.package.rust-version".to_owned()),
        Err(error) => return Outcome::Failed(format!("Cargo.toml: {error}")),
    };
    let installed = child::output(root, &["rustup", "run", &version, "rustc", "--version"]);
    let wanted = ["rustup", "toolchain", "install", &version, "--profile", "minimal"];
    if installed.is_err()
        && let Err(why) = toolchain::install(root, &format!("Rust {version}"), &wanted)
    {
        return Outcome::Skipped(why);
    }
    let mut command = child::command(root, &["cargo", &format!("+{version}"), "check", "--workspace"]);
    command.env("CARGO_TARGET_DIR", root.join("target").join("msrv"));
    child::run(command)
}

fn rust_version(manifest: &str) -> Option<String> {
    let table: toml::Table = manifest.parse().ok()?;
    Some(table.get("workspace")?.get("package")?.get("rust-version")?.as_str()?.to_owned())
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
