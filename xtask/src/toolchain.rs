//! Finds toolchains, targets and tools, and installs missing ones only where that is allowed.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::child;

/// Variable that tells the programs that `xtask` starts that they may install tools.
const VARIABLE: &str = "OVERSLEEP_INSTALL";

/// Folder of the scripts that run other engines, and of the lists of packages that they need.
pub const ENGINES: &str = "xtask/engines";

static ALLOWED: AtomicBool = AtomicBool::new(false);

/// Allows this process and the programs that it starts to install what a step needs.
pub fn allow_installing() {
    ALLOWED.store(true, Ordering::Relaxed);
}

/// Returns whether missing tools may be installed: with `--install`, or if `CI=true`.
pub fn may_install() -> bool {
    let set = |name: &str| env::var(name).is_ok_and(|value| value == "true");
    ALLOWED.load(Ordering::Relaxed) || set("CI") || set(VARIABLE)
}

pub(crate) fn inherit(command: &mut Command) {
    if ALLOWED.load(Ordering::Relaxed) {
        command.env(VARIABLE, "true");
    }
}

/// Runs a command that installs something, if that is allowed; the error is the reason for a skip.
pub fn install(root: &Path, what: &str, words: &[&str]) -> Result<(), String> {
    if !may_install() {
        return Err(format!("{what} is not installed; `{}` gets it, or --install", words.join(" ")));
    }
    println!("installing {what}");
    child::output(root, words).map(drop)
}

/// Installs a target's standard library if it is missing; the error is the reason for a skip.
pub fn target(root: &Path, target: &str) -> Result<(), String> {
    let installed = child::output(root, &["rustup", "target", "list", "--installed"])?;
    if installed.lines().any(|line| line == target) {
        return Ok(());
    }
    install(root, &format!("the target {target}"), &["rustup", "target", "add", target])
}

/// Returns an error, the reason for a skip, if a component of the usual toolchain is missing: its command does not run.
pub fn component(root: &Path, command: &[&str], component: &str) -> Result<(), String> {
    match child::output(root, command) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("{component} is not installed; `rustup component add {component}` gets it")),
    }
}

/// Returns the user's program, or the one that an earlier run installed with pip, from this package, into a folder below
/// `target`; installs it where that is allowed. The program works if it runs with the words of `version`. The error is the
/// reason for a skip.
pub fn python_program(root: &Path, program: &str, version: &[&str], package: &str) -> Result<String, String> {
    let folder = root.join("target").join("tools").join(program);
    let bin = |name: &str| folder.join("bin").join(name).display().to_string();
    let ours = bin(program);
    let works = |program: &str| child::output(root, &[&[program], version].concat()).is_ok();
    if let Some(found) = [program, &ours].into_iter().find(|program| works(program)) {
        return Ok(found.to_owned());
    }
    if !may_install() {
        let instead = format!("`cargo install {program} --locked`");
        return Err(format!("{program} is not installed; --install gets it (as does {instead})"));
    }
    child::output(root, &["python3", "-m", "venv", &folder.display().to_string()])?;
    let quiet = ["--quiet", "--disable-pip-version-check", "install", "--no-deps", package];
    child::output(root, &[&[bin("pip").as_str()], &quiet[..]].concat())?;
    Ok(ours)
}

/// Returns the Python of a virtual environment with the packages of a list in [`ENGINES`], kept from run to run; installs them
/// where that is allowed. The error is the reason for a skip.
pub fn python_environment(root: &Path, requirements: &str) -> Result<String, String> {
    let name = requirements.trim_end_matches(".txt");
    let folder = root.join("target/tools/engines").join(name);
    let python = folder.join("bin/python").display().to_string();
    let file = root.join(ENGINES).join(requirements);
    let wanted = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let stamp = folder.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let packages = wanted.split_whitespace().collect::<Vec<_>>().join(", ");
    if !may_install() {
        return Err(format!("{packages}: not installed; --install gets them into target/tools"));
    }
    child::output(root, &["python3", "-m", "venv", "--clear", &folder.display().to_string()])?;
    let file = file.display().to_string();
    let install = [&python, "-m", "pip", "--quiet", "install", "--retries", "1", "--requirement", &file];
    child::output(root, &install.map(|word| word as &str))
        .map_err(|why| format!("{packages}: cannot be had: {why}"))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(python)
}
