//! Checks that platform names are only in oversleep-sys, oversleep-os and oversleep-preload, and unsafe code only there and
//! in the bindings for C and Python.

use std::path::Path;

use toml::{Table, Value};

use super::code::{self, Token, text};
use super::exceptions::Exceptions;
use crate::tree::{self, Source};

/// The list of platform names that are allowed elsewhere.
const FILE: &str = "xtask/platform-names.toml";
/// The two crates that may name platforms, and the library that stands in for the calls of one's C library.
const PLATFORM_FOLDERS: [&str; 3] = ["crates/oversleep-sys/", "crates/oversleep-os/", "crates/oversleep-preload/"];
/// The bindings for C and Python pass pointers, so they may have unsafe code too.
const UNSAFE_FOLDERS: [&str; 2] = ["crates/oversleep-capi/", "crates/oversleep-py-lab/"];
/// Words that always name a platform.
const WORDS: [&str; 7] = ["target_os", "target_family", "target_env", "target_vendor", "libc", "windows_sys", "rustix"];
/// Modules of `std::os`.
const OS_MODULES: [&str; 7] = ["unix", "windows", "linux", "fd", "raw", "macos", "wasi"];
/// Dependencies that are interfaces of platforms.
const PACKAGES: [&str; 3] = ["libc", "windows-sys", "rustix"];

/// Returns an error for each platform name outside the two crates.
pub(crate) fn platforms(root: &Path) -> Result<Vec<String>, String> {
    let mut exceptions = Exceptions::read(root, FILE)?;
    let mut faults = Vec::new();
    for source in tree::sources(root, &[".rs", "/Cargo.toml"])? {
        if PLATFORM_FOLDERS.iter().any(|folder| source.path.starts_with(folder)) {
            continue;
        }
        let found = if source.is_rust() { names_in_code(&source.text)? } else { names_in_manifest(&source)? };
        let found = found.into_iter().filter(|(_, name)| !exceptions.allow(&source.path, name));
        faults.extend(
            found.map(|(line, name)| format!("{}:{line}: {name} outside oversleep-sys and oversleep-os", source.path)),
        );
    }
    faults.extend(exceptions.stale());
    Ok(faults)
}

/// Returns an error for each `unsafe`, and each mention of the lint against it, outside the borders; and for each
/// manifest without the lint.
pub(crate) fn unsafety(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for source in tree::sources(root, &[".rs", "/Cargo.toml"])? {
        let allowed = PLATFORM_FOLDERS.iter().chain(&UNSAFE_FOLDERS).any(|folder| source.path.starts_with(folder));
        if !source.is_rust() {
            faults.extend(lint_fault(&source)?);
        } else if !allowed {
            let tokens = code::tokens(&source.text).map_err(|why| format!("{}: {why}", source.path))?;
            let found = tokens.iter().filter(|token| matches!(token.text.as_str(), "unsafe" | "unsafe_code"));
            faults.extend(found.map(|token| format!("{}:{}: {}", source.path, token.line, token.text)));
        }
    }
    Ok(faults)
}

/// Returns the lines and names of what names a platform.
fn names_in_code(source: &str) -> Result<Vec<(usize, &'static str)>, String> {
    let tokens = code::tokens(source)?;
    let name = |position: usize| Some((tokens[position].line, name_at(&tokens, position)?));
    Ok((0..tokens.len()).filter_map(name).collect())
}

fn name_at(tokens: &[Token], position: usize) -> Option<&'static str> {
    let word = text(tokens, position);
    if let Some(known) = WORDS.iter().find(|known| **known == word) {
        return Some(known);
    }
    let next = position + 1 + usize::from(text(tokens, position + 1) == "!");
    let within = |open: usize, words: &[&str]| {
        tokens[open..code::behind(tokens, open)].iter().any(|token| words.contains(&token.text.as_str()))
    };
    match word {
        "cfg" | "cfg_attr" if text(tokens, next) == "(" && within(next, &["unix"]) => Some("cfg(unix)"),
        "cfg" | "cfg_attr" if text(tokens, next) == "(" && within(next, &["windows"]) => Some("cfg(windows)"),
        "os" if text(tokens, next) == "::" && within(next + 1, &OS_MODULES) => Some("std::os"),
        _ => None,
    }
}

/// Returns platform sections and platform dependencies of a member's manifest. The workspace's only lists versions.
fn names_in_manifest(source: &Source) -> Result<Vec<(usize, &'static str)>, String> {
    let table = manifest(source)?;
    let line = |word: &str| source.text.lines().position(|line| line.contains(word)).map_or(1, |position| position + 1);
    let mut found = Vec::new();
    if !table.contains_key("workspace") && table.contains_key("target") {
        found.push((line("[target."), "[target]"));
    }
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let packages = table.get(section).and_then(Value::as_table);
        let named = PACKAGES.iter().filter(|name| packages.is_some_and(|all| all.contains_key(**name)));
        found.extend(named.map(|name| (line(name), *name)));
    }
    Ok(found)
}

/// Returns an error if the workspace does not deny unsafe code, or a member does not take the workspace's lints.
fn lint_fault(source: &Source) -> Result<Option<String>, String> {
    let table = manifest(source)?;
    let lints = |table: &Table, key: &str| table.get("lints").and_then(|lints| lints.get(key)).cloned();
    let why = match table.get("workspace").and_then(Value::as_table) {
        Some(workspace) => {
            let level = lints(workspace, "rust").and_then(|rust| Some(rust.get("unsafe_code")?.as_str()?.to_owned()));
            (level.as_deref() != Some("deny")).then_some("unsafe_code is not denied")
        }
        None => {
            (lints(&table, "workspace") != Some(Value::Boolean(true))).then_some("does not take the workspace's lints")
        }
    };
    Ok(why.map(|why| format!("{}: {why}", source.path)))
}

fn manifest(source: &Source) -> Result<Table, String> {
    source.text.parse().map_err(|error| format!("{}: {error}", source.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_platform_name_is_found_and_nothing_else() {
        let code = "#[cfg(target_os = \"linux\")] fn f() {}\n#[cfg(any(test, not(unix)))] fn g() { cfg!(windows) }\n\
                    fn h() { libc::EINTR }\nuse std::{io, os::unix::fs::X};\nuse std::os::{fd::AsFd};\n\
                    // target_os\n/// libc::EINTR\nconst A: &str = \"cfg(unix) libc::\"; fn windows(unix: u8) {}";
        let expected =
            [(1, "target_os"), (2, "cfg(unix)"), (2, "cfg(windows)"), (3, "libc"), (4, "std::os"), (5, "std::os")];
        assert_eq!(names_in_code(code), Ok(expected.to_vec()));
        assert!(names_in_code("fn f( {").is_err());
    }

    #[test]
    fn a_manifest_is_read_for_its_dependencies_and_its_lints() {
        let source = |text: &str| Source { path: "crates/x/Cargo.toml".to_owned(), text: text.to_owned() };
        let member =
            source("[lints]\nworkspace = true\n[target.x.dependencies]\nfoo = \"1\"\n[dependencies]\nlibc = \"1\"\n");
        assert_eq!(names_in_manifest(&member), Ok(vec![(3, "[target]"), (6, "libc")]));
        assert_eq!(lint_fault(&member), Ok(None));
        assert!(matches!(lint_fault(&source("[package]\nname = \"x\"\n")), Ok(Some(_))));
        assert!(matches!(lint_fault(&source("[workspace.lints.rust]\nunsafe_code = \"warn\"\n")), Ok(Some(_))));
    }
}
