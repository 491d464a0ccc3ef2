//! Finds toolchains, targets and tools, and installs missing ones: with pip into `target`, always; with rustup and apt,
//! which change the machine, where `CI=true` says so.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::child;

/// Returns the folder in which cargo builds.
pub fn target_folder(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Installs a part of Rust with rustup, unless a command that needs it runs. The error names what is missing and the
/// command that gets it.
pub fn rust(root: &Path, what: &str, needs: &[&str], install: &[&str]) -> Result<(), String> {
    if child::output(root, needs).is_ok() {
        return Ok(());
    }
    if env::var("CI").as_deref() != Ok("true") {
        return Err(format!("{what} is missing; `{}` gets it, or CI=true", install.join(" ")));
    }
    println!("installing {what}");
    child::output(root, install).map(drop).map_err(|why| format!("{what} cannot be had: {why}"))
}

/// Installs the nightly compiler with these components, unless a command that needs them runs.
pub fn nightly(root: &Path, needs: &[&str], components: &str) -> Result<(), String> {
    let install = ["rustup", "toolchain", "install", "nightly", "--profile", "minimal", "--component", components];
    rust(root, &format!("the nightly compiler with {components}"), needs, &install)
}

/// Returns a program that pip installs from this package, compiled for the usual systems: compiling it takes minutes.
pub fn python_program(root: &Path, program: &str, package: &str) -> Result<String, String> {
    let folder = environment(root, program, package)?;
    Ok(folder.join(program).display().to_string())
}

/// Returns the folder of programs of a virtual environment with these packages, kept from run to run below `target`.
fn environment(root: &Path, name: &str, wanted: &str) -> Result<PathBuf, String> {
    let folder = root.join("target").join("tools").join(name);
    let programs = || if folder.join("Scripts").is_dir() { folder.join("Scripts") } else { folder.join("bin") };
    let stamp = folder.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(programs());
    }
    child::output(root, &["python3", "-m", "venv", "--clear", &folder.display().to_string()])?;
    let python = programs().join("python").display().to_string();
    let packages: Vec<&str> = wanted.split_whitespace().collect();
    let install = [&python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"];
    child::output(root, &[&install[..], &packages].concat())
        .map_err(|why| format!("{}: cannot be had: {why}", packages.join(", ")))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(programs())
}
