//! Checks of the manifests for the step `platforms` and the step `unsafe`.

use toml::{Table, Value};

use super::tokens::Found;
use crate::tree::Source;

/// Dependencies that are interfaces of platforms.
const PLATFORM_PACKAGES: [&str; 3] = ["libc", "windows-sys", "rustix"];

/// Returns platform sections and platform dependencies of a member. The workspace's manifest only lists versions, so it
/// may have them.
pub(super) fn platforms(source: &Source) -> Result<Vec<Found>, String> {
    let table: Table = source.text.parse().map_err(|error| format!("not TOML: {error}"))?;
    if table.contains_key("workspace") {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    if table.contains_key("target") {
        found.push(Found { line: line(source, "[target."), name: "[target]" });
    }
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let packages = table.get(section).and_then(Value::as_table);
        for name in PLATFORM_PACKAGES.iter().filter(|name| packages.is_some_and(|all| all.contains_key(**name))) {
            found.push(Found { line: line(source, name), name });
        }
    }
    Ok(found)
}

/// Returns an error for each manifest without the lint against unsafe code: the workspace must deny it, and each member
/// take the workspace's lints.
pub(super) fn lint_faults(sources: &[Source]) -> Vec<String> {
    let manifests = sources.iter().filter(|source| source.path.ends_with("Cargo.toml"));
    manifests.filter_map(|source| lint_fault(source).map(|why| format!("{}: {why}", source.path))).collect()
}

fn lint_fault(source: &Source) -> Option<String> {
    let table: Table = match source.text.parse() {
        Ok(table) => table,
        Err(error) => return Some(format!("not TOML: {error}")),
    };
    if let Some(workspace) = table.get("workspace") {
        let level = workspace.get("lints").and_then(|lints| lints.get("rust")?.get("unsafe_code")?.as_str());
        return (!matches!(level, Some("deny" | "forbid"))).then(|| "unsafe_code is not denied".to_owned());
    }
    let subscribed = table.get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
    (subscribed != Some(true)).then(|| "does not take the workspace's lints".to_owned())
}

/// Returns the line, from 1, on which `what` first occurs; 1 if it does not.
fn line(source: &Source, what: &str) -> usize {
    source.text.lines().position(|line| line.contains(what)).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_platform_dependency_of_a_member_is_found() {
        let member = source("crates/x/Cargo.toml", "[dependencies]\nlibc.workspace = true\n");
        assert_eq!(platforms(&member), Ok(vec![Found { line: 2, name: "libc" }]));
        let member = source("crates/x/Cargo.toml", "[target.'cfg(unix)'.dependencies]\nfoo = \"1\"\n");
        assert_eq!(platforms(&member), Ok(vec![Found { line: 1, name: "[target]" }]));
        let workspace = source("Cargo.toml", "[workspace.dependencies]\nlibc = \"0.2\"\n");
        assert_eq!(platforms(&workspace), Ok(Vec::new()));
    }

    #[test]
    fn a_weaker_lint_and_a_member_without_it_are_faults() {
        let root = |level: &str| source("Cargo.toml", &format!("[workspace.lints.rust]\nunsafe_code = \"{level}\"\n"));
        let member = |text: &str| source("crates/x/Cargo.toml", text);
        assert_eq!(lint_faults(&[root("deny"), member("[lints]\nworkspace = true\n")]), Vec::<String>::new());
        assert_eq!(lint_faults(&[root("warn"), member("[package]\nname = \"x\"\n")]).len(), 2);
    }
}
