//! Checks which crates and modules use which, read from code and manifests, against a table.
//!
//! A *room* is a crate, or a top-level module of a crate that the table divides into modules. An *arrow* is a place at
//! which one room uses another. `xtask/rooms.toml` says which room may use which; test code may use anything.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::code::{self, PathUse};
use crate::tree::{self, Source};

const FILE: &str = "xtask/rooms.toml";

/// A crate, or a top-level module of a crate.
struct Room {
    name: String,
    /// For a module, its crate.
    inside: Option<String>,
    /// Rooms that this one may use.
    uses: Vec<String>,
}

/// A place at which one room uses another.
struct Arrow {
    from: String,
    to: String,
    line: usize,
}

/// Returns an error for every arrow that the table does not allow, with its file and line.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    let rooms = rooms(&text)?;
    let mut faults = refused(&rooms, &tree::sources(root, &[".rs", "/Cargo.toml"])?);
    for room in &rooms {
        let folder = match &room.inside {
            Some(package) => format!("crates/{package}/src/{}", room.name),
            None => format!("crates/{}", room.name),
        };
        if !root.join(&folder).is_dir() && !root.join(format!("{folder}.rs")).is_file() {
            faults.push(format!("{FILE}: {} is a room, and {folder} does not exist", room.name));
        }
    }
    Ok(faults)
}

/// Parses the table; refuses one that allows the use of a room that is not above it.
fn rooms(text: &str) -> Result<Vec<Room>, String> {
    let table: Table = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
    let entries = table.get("room").and_then(Value::as_array).ok_or_else(|| format!("{FILE}: there is no [[room]]"))?;
    let mut rooms: Vec<Room> = Vec::new();
    for entry in entries {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = entry.get("name").and_then(text).ok_or_else(|| format!("{FILE}: a room has no name"))?;
        let uses = entry.get("uses").and_then(Value::as_array).ok_or_else(|| format!("{FILE}: {name} has no uses"))?;
        let uses: Vec<String> = uses.iter().filter_map(text).collect();
        let inside = entry.get("inside").and_then(text);
        for used in uses.iter().chain(&inside) {
            if rooms.iter().all(|room| room.name != *used) {
                return Err(format!("{FILE}: {name} may use {used}, which is no room above it"));
            }
        }
        rooms.push(Room { name, inside, uses });
    }
    Ok(rooms)
}

fn refused(rooms: &[Room], sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    let mut arrows: Vec<(&str, Arrow)> = Vec::new();
    let mut test_modules = HashSet::new();
    for source in sources {
        if source.path.ends_with("/Cargo.toml") {
            match of_manifest(rooms, &source.text) {
                Ok(found) => arrows.extend(found.into_iter().map(|arrow| (source.path.as_str(), arrow))),
                Err(why) => faults.push(format!("{}: {why}", source.path)),
            }
        } else if let Some((package, module)) = place(&source.path) {
            match code::tokens(&source.text) {
                Ok(tokens) => {
                    let (tokens, tests) = code::without_tests(&tokens);
                    test_modules.extend(tests.into_iter().map(|name| (package, [module.clone(), vec![name]].concat())));
                    files.push((source, package, module, code::paths(&tokens)));
                }
                Err(why) => faults.push(format!("{}: {why}", source.path)),
            }
        }
    }
    for (source, package, module, paths) in files {
        let is_test = (0..=module.len()).any(|length| test_modules.contains(&(package, module[..length].to_vec())));
        for path in paths.iter().filter(|_| !is_test) {
            match of_path(rooms, package, &module, path) {
                Ok(arrow) => arrows.extend(arrow.map(|arrow| (source.path.as_str(), arrow))),
                Err(why) => faults.push(format!("{}:{}: {why}", source.path, path.line)),
            }
        }
    }
    let allowed = |arrow: &Arrow| rooms.iter().any(|room| room.name == arrow.from && room.uses.contains(&arrow.to));
    let refused = arrows.iter().filter(|(_, arrow)| !allowed(arrow));
    faults
        .extend(refused.map(|(path, arrow)| format!("{path}:{}: {} may not use {}", arrow.line, arrow.from, arrow.to)));
    faults
}

/// Returns the crate and the module of a file; `None` for tests, examples and build scripts.
fn place(path: &str) -> Option<(&str, Vec<String>)> {
    let (package, file) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let mut module: Vec<String> = file.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") || matches!(file, "lib.rs" | "main.rs") {
        module.pop();
    }
    Some((package, module))
}

/// Returns the arrow of a path in code; `None` within one room, and in a crate that the table does not list.
fn of_path(rooms: &[Room], package: &str, module: &[String], path: &PathUse) -> Result<Option<Arrow>, String> {
    let inside: Vec<&Room> = rooms.iter().filter(|room| room.inside.as_deref() == Some(package)).collect();
    let owner = if inside.is_empty() {
        rooms.iter().find(|room| room.name == package).map(|room| &room.name)
    } else {
        module.first()
    };
    let Some(owner) = owner else { return Ok(None) };
    let arrow = |to: &str| Some(Arrow { from: owner.clone(), to: to.to_owned(), line: path.line });
    let (first, segments) = (path.segments[0].as_str(), &path.segments);
    let crates = rooms.iter().find(|room| room.inside.is_none() && room.name.replace('-', "_") == first);
    if let (Some(room), true) = (crates, segments.len() > 1) {
        return Ok((room.name != package).then(|| arrow(&room.name)).flatten());
    }
    let supers = segments.iter().take_while(|segment| *segment == "super").count();
    let below_root = match first {
        "crate" => segments.get(1),
        "super" if supers == module.len() + path.depth => segments.get(supers),
        _ => None,
    };
    let Some(name) = below_root else { return Ok(None) };
    match inside.iter().find(|room| room.name == *name) {
        _ if inside.is_empty() => Ok(None),
        Some(room) if room.name == *owner => Ok(None),
        Some(room) => Ok(arrow(&room.name)),
        None => Err(format!("`crate::{name}` is not a room of {FILE}")),
    }
}

/// Returns the arrows of a manifest: its dependencies for every system, except those for tests.
fn of_manifest(rooms: &[Room], text: &str) -> Result<Vec<Arrow>, String> {
    let table: Table = text.parse().map_err(|error| format!("not TOML: {error}"))?;
    let package = table.get("package").and_then(|package| package.get("name")?.as_str());
    let Some(from) = rooms.iter().find(|room| Some(room.name.as_str()) == package) else { return Ok(Vec::new()) };
    let systems = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let sections = std::iter::once(&table).chain(systems.filter_map(Value::as_table));
    let names: HashSet<&String> = sections
        .flat_map(|section| {
            ["dependencies", "build-dependencies"].map(|kind| section.get(kind).and_then(Value::as_table))
        })
        .flatten()
        .flat_map(Table::keys)
        .collect();
    let line = |name: &str| text.lines().position(|line| line.starts_with(name)).map_or(1, |position| position + 1);
    let used = rooms.iter().filter(|room| room.inside.is_none() && names.contains(&room.name));
    Ok(used.map(|to| Arrow { from: from.name.clone(), to: to.name.clone(), line: line(&to.name) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMS: &str = "[[room]]\nname = \"base\"\nuses = []\n[[room]]\nname = \"house\"\nuses = [\"base\"]\n\
                         [[room]]\nname = \"study\"\ninside = \"house\"\nuses = [\"base\"]\n\
                         [[room]]\nname = \"hall\"\ninside = \"house\"\nuses = [\"study\"]\n";

    fn faults(path: &str, text: &str) -> String {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let module = source("crates/house/src/study/mod.rs", "#[cfg(test)]\nmod tests;\nuse base::a;");
        refused(&rooms(ROOMS).expect("rooms"), &[source(path, text), module]).join("; ")
    }

    #[test]
    fn an_arrow_up_is_refused_however_it_is_written() {
        assert_eq!(
            faults("crates/base/src/a.rs", "fn f() {\n    house::hall::g();\n}"),
            "crates/base/src/a.rs:2: base may not use house"
        );
        let manifest = "[package]\nname = \"base\"\n[target.x.dependencies]\nhouse = \"1\"\n";
        assert_eq!(faults("crates/base/Cargo.toml", manifest), "crates/base/Cargo.toml:4: base may not use house");
        let up = [
            "use crate::{hall::b};",
            "use super::super::hall;",
            "fn f() { crate::hall::b() }",
            "mod c { use super::super::super::hall; }",
        ];
        for code in up {
            assert_eq!(
                faults("crates/house/src/study/b.rs", code),
                "crates/house/src/study/b.rs:1: study may not use hall",
                "{code}"
            );
        }
        assert_eq!(
            faults("crates/house/src/hall.rs", "use base::a;"),
            "crates/house/src/hall.rs:1: hall may not use base"
        );
        let unknown = "crates/house/src/study/b.rs:1: `crate::shed` is not a room of xtask/rooms.toml";
        assert_eq!(faults("crates/house/src/study/b.rs", "use crate::shed::c;"), unknown);
        assert!(rooms(&ROOMS.replace("uses = []", "uses = [\"house\"]")).is_err());
    }

    #[test]
    fn arrows_down_and_those_of_tests_are_not() {
        for (path, code) in [
            ("crates/house/src/hall.rs", "use crate::study::b;\nuse super::study;"),
            ("crates/house/src/study/b.rs", "use super::hall;"),
            ("crates/house/src/study/tests.rs", "use crate::hall::b;"),
            ("crates/house/tests/c.rs", "use base::a;"),
            ("crates/base/src/a.rs", "#[cfg(test)] mod tests { use house::hall; }"),
            ("crates/base/Cargo.toml", "[package]\nname = \"base\"\n[dev-dependencies]\nhouse = \"1\"\n"),
        ] {
            assert_eq!(faults(path, code), "", "{path}");
        }
    }
}
