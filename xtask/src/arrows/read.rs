//! Reads the arrows from code and manifests.

use std::collections::HashSet;

use toml::{Table as Toml, Value};

use super::mentions::{self, Mention, Mentions};
use super::modules::{self, ModulePath};
use super::table::Table;
use crate::tree::Source;

/// A place at which one room mentions another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) path: String,
    pub(super) line: usize,
    /// Whether it is in code. A manifest only permits code to use a crate, so the picture does not count it.
    pub(super) counts: bool,
}

/// Returns every arrow, and errors of reading.
pub(super) fn arrows(table: &Table, sources: &[Source]) -> (Vec<Arrow>, Vec<String>) {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    let mut arrows = Vec::new();
    for source in sources {
        if source.path.ends_with("/Cargo.toml") {
            manifest(table, source).map_or_else(|why| faults.push(why), |found| arrows.extend(found));
        } else if let Some(place) = modules::place(&source.path) {
            match mentions::read(&source.text) {
                Ok(mentions) => files.push((source, place, mentions)),
                Err(why) => faults.push(format!("{}: {why}", source.path)),
            }
        }
    }
    let tests: Vec<ModulePath> = files.iter().flat_map(|(_, place, mentions)| test_places(place, mentions)).collect();
    for (source, place, mentions) in &files {
        if modules::is_below(place, &tests) {
            continue;
        }
        let mut seen = HashSet::new();
        for mention in &mentions.paths {
            match target(table, place, mention) {
                Ok(Some((from, to))) if seen.insert((mention.line, to.clone())) => {
                    arrows.push(Arrow { from, to, path: source.path.clone(), line: mention.line, counts: true });
                }
                Ok(_) => {}
                Err(why) => faults.push(format!("{}:{}: {why}", source.path, mention.line)),
            }
        }
    }
    (arrows, faults)
}

fn test_places(place: &ModulePath, mentions: &Mentions) -> Vec<ModulePath> {
    let below = |name: &String| {
        let module = [&place.module[..], std::slice::from_ref(name)].concat();
        ModulePath { package: place.package.clone(), module }
    };
    mentions.test_files.iter().map(below).collect()
}

/// Returns the rooms from and to which a mention leads; `None` within one room.
fn target(table: &Table, place: &ModulePath, mention: &Mention) -> Result<Option<(String, String)>, String> {
    let Some(own) = own_room(table, place) else { return Ok(None) };
    let segments = &mention.segments;
    let first = segments[0].as_str();
    let crates = || table.rooms.iter().filter(|room| room.inside.is_none());
    if segments.len() > 1
        && let Some(room) = crates().find(|room| room.identifier() == first)
    {
        return Ok((room.name != place.package).then(|| (own, room.name.clone())));
    }
    let depth = place.module.len() + mention.depth;
    let supers = segments.iter().take_while(|segment| *segment == "super").count();
    let below_root = match (first, segments.get(1)) {
        ("crate", Some(name)) => name,
        ("super", _) if supers == depth => match segments.get(supers) {
            Some(name) => name,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    if !table.divides(&place.package) || place.module.is_empty() {
        return Ok(None);
    }
    let inside = |room: &&super::table::Room| room.inside.as_deref() == Some(&place.package);
    match table.rooms.iter().filter(inside).find(|room| room.name == *below_root) {
        Some(room) if room.name == own => Ok(None),
        Some(room) => Ok(Some((own, room.name.clone()))),
        None => Err(format!("`crate::{below_root}` is not a room of {}", super::FILE)),
    }
}

/// Returns the room of a file; `None` for a crate that the table does not list, and for the root of a divided crate.
fn own_room(table: &Table, place: &ModulePath) -> Option<String> {
    if table.divides(&place.package) {
        return place.module.first().cloned();
    }
    table.room(&place.package).map(|room| room.name.clone())
}

/// Returns the arrows of a manifest: its dependencies for every system, except those for tests.
fn manifest(table: &Table, source: &Source) -> Result<Vec<Arrow>, String> {
    let toml: Toml = source.text.parse().map_err(|error| format!("{}: {error}", source.path))?;
    let package = toml.get("package").and_then(|package| package.get("name")?.as_str());
    let Some(from) = package.and_then(|name| table.room(name)) else { return Ok(Vec::new()) };
    let systems = toml.get("target").and_then(Value::as_table).into_iter().flat_map(Toml::values);
    let sections = std::iter::once(&toml).chain(systems.filter_map(Value::as_table));
    let names = sections.flat_map(|section| {
        let kinds = ["dependencies", "build-dependencies"].into_iter();
        kinds.filter_map(|kind| section.get(kind)?.as_table()).flat_map(Toml::keys)
    });
    let rooms = names.filter_map(|name| table.room(name)).filter(|room| room.inside.is_none());
    let arrow = |to: &super::table::Room| {
        let line = source.text.lines().position(|line| line.starts_with(&to.name)).map_or(1, |at| at + 1);
        Arrow { from: from.name.clone(), to: to.name.clone(), path: source.path.clone(), line, counts: false }
    };
    Ok(rooms.map(arrow).collect())
}
