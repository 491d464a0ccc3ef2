//! Checks that platform names are only in oversleep-sys and oversleep-os, and unsafe code only there and in the
//! bindings for C and Python.

use std::fs;
use std::path::Path;

use super::exceptions::{self, Exception};
use super::{manifests, tokens};
use crate::outcome::{self, Outcome};
use crate::tree::{self, Source};

/// The list of platform names that are allowed elsewhere.
const FILE: &str = "xtask/platform-names.toml";
/// The two crates that may name platforms.
const MACHINE: [&str; 2] = ["crates/oversleep-sys/", "crates/oversleep-os/"];
/// Folders that may have unsafe code. The bindings for C, and Arrow's interface for Python, pass pointers.
const UNSAFE_FOLDERS: [&str; 4] = [MACHINE[0], MACHINE[1], "crates/oversleep-capi/", "crates/oversleep-py-lab/"];

pub(super) fn platforms(root: &Path) -> Outcome {
    judged(read(root).and_then(|(sources, list)| Ok(platform_faults(&sources, &exceptions::parse(FILE, &list)?))))
}

pub(super) fn unsafety(root: &Path) -> Outcome {
    judged(read(root).map(|(sources, _)| unsafe_faults(&sources)))
}

fn judged(faults: Result<Vec<String>, String>) -> Outcome {
    faults.map_or_else(Outcome::Failed, |faults| outcome::from_faults(&faults))
}

/// Returns every Rust file and manifest, and the text of the exception list.
fn read(root: &Path) -> Result<(Vec<Source>, String), String> {
    let list = fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    let mut sources = tree::sources(root, &[".rs", "/Cargo.toml"]).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(root.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    sources.push(Source { path: "Cargo.toml".to_owned(), text });
    Ok((sources, list))
}

fn platform_faults(sources: &[Source], exceptions: &[Exception]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut used = vec![false; exceptions.len()];
    for source in sources.iter().filter(|source| !MACHINE.iter().any(|folder| source.path.starts_with(folder))) {
        let found = if is_rust(source) { tokens::platforms(&source.text) } else { manifests::platforms(source) };
        let found = found.unwrap_or_else(|why| {
            faults.push(format!("{}: {why}", source.path));
            Vec::new()
        });
        for tokens::Found { line, name } in found {
            match exceptions.iter().position(|exception| exception.covers(&source.path, name)) {
                Some(at) => used[at] = true,
                None => faults.push(format!("{}:{line}: {name} outside oversleep-sys and oversleep-os", source.path)),
            }
        }
    }
    let stale = exceptions.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(stale.map(|(e, _)| format!("{FILE}: {} in {} is no longer there", e.name, e.path)));
    faults
}

fn unsafe_faults(sources: &[Source]) -> Vec<String> {
    let mut faults = manifests::lint_faults(sources);
    let allowed = |source: &&Source| !UNSAFE_FOLDERS.iter().any(|folder| source.path.starts_with(folder));
    for source in sources.iter().filter(|source| is_rust(source)).filter(allowed) {
        match tokens::unsafety(&source.text) {
            Ok(found) => faults.extend(found.iter().map(|f| format!("{}:{}: {}", source.path, f.line, f.name))),
            Err(why) => faults.push(format!("{}: {why}", source.path)),
        }
    }
    faults
}

fn is_rust(source: &Source) -> bool {
    Path::new(&source.path).extension().is_some_and(|ending| ending == "rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_platform_name_is_a_fault_outside_the_machine_crate_only() {
        let text = "use libc::c_int;";
        let sources = ["sys", "os", "lab"].map(|name| source(&format!("crates/oversleep-{name}/src/a.rs"), text));
        let expected = ["crates/oversleep-lab/src/a.rs:1: libc outside oversleep-sys and oversleep-os"];
        assert_eq!(platform_faults(&sources, &[]), expected);
    }

    #[test]
    fn an_exception_excuses_its_name_and_a_stale_one_is_a_fault() {
        let sources = [source("crates/x/src/a.rs", "use libc::c_int;")];
        let exception = |name: &str| Exception { path: "crates/x/".to_owned(), name: name.to_owned() };
        assert_eq!(platform_faults(&sources, &[exception("libc")]), Vec::<String>::new());
        assert_eq!(platform_faults(&sources, &[exception("libc"), exception("std::os")]).len(), 1);
    }

    #[test]
    fn unsafe_is_a_fault_outside_its_borders() {
        let text = "#![allow(unsafe_code)]";
        let sources = [
            source("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"deny\"\n"),
            source("crates/oversleep-capi/src/lib.rs", text),
            source("crates/oversleep/src/lib.rs", text),
        ];
        assert_eq!(unsafe_faults(&sources), ["crates/oversleep/src/lib.rs:1: unsafe_code"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_as_rust_is_a_fault() {
        assert_eq!(platform_faults(&[source("crates/x/a.rs", "fn (")], &[]).len(), 1);
    }
}
