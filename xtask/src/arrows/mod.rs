//! The step `arrows`: which crates and modules use which, read from the code, checked against a table, and drawn.
//!
//! A *room* is a crate, or a top-level module of a crate that the table divides into modules. An *arrow* is a place at
//! which one room uses another. `xtask/rooms.toml` says which room may use which; test code may use anything.

use std::fs;
use std::path::Path;

use crate::outcome::{self, Outcome};
use crate::tree;

mod mentions;
mod modules;
mod picture;
mod read;
mod table;

use read::Arrow;
use table::{FILE, Table};

/// Fails for every arrow that the table does not allow, with its file and line.
pub(crate) fn check(root: &Path) -> Outcome {
    match read_all(root) {
        Ok((table, arrows, mut faults)) => {
            faults.extend(refused(&table, &arrows));
            outcome::from_faults(&faults)
        }
        Err(why) => Outcome::Failed(why),
    }
}

/// Returns the picture of all rooms and arrows.
pub(crate) fn drawn(root: &Path) -> Result<String, String> {
    let (table, arrows, _) = read_all(root)?;
    Ok(picture::draw(&table, &arrows))
}

/// Returns the table, every arrow of the code, and errors of reading.
fn read_all(root: &Path) -> Result<(Table, Vec<Arrow>, Vec<String>), String> {
    let text = fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    let table = Table::parse(&text)?;
    let sources = tree::sources(root, &[".rs", "/Cargo.toml"]).map_err(|error| error.to_string())?;
    let (arrows, mut faults) = read::arrows(&table, &sources);
    faults.extend(missing(&table, root));
    Ok((table, arrows, faults))
}

/// Returns an error for each room of the table whose folder does not exist.
fn missing(table: &Table, root: &Path) -> Vec<String> {
    let gone = table.rooms.iter().filter(|room| {
        let folder = root.join(room.folder());
        !folder.is_dir() && !folder.with_extension("rs").is_file()
    });
    gone.map(|room| format!("{FILE}: {} is a room, and {} is not a folder", room.name, room.folder())).collect()
}

fn refused(table: &Table, arrows: &[Arrow]) -> Vec<String> {
    let mut faults: Vec<String> = arrows
        .iter()
        .filter(|arrow| !table.allows(&arrow.from, &arrow.to))
        .map(|arrow| format!("{}:{}: {} may not use {}", arrow.path, arrow.line, arrow.from, arrow.to))
        .collect();
    let used = |from: &str, to: &str| arrows.iter().any(|arrow| arrow.from == from && arrow.to == to);
    let stale = table.exceptions.iter().filter(|exception| !used(&exception.from, &exception.to));
    faults.extend(
        stale.map(|exception| {
            format!("{FILE}: {} no longer uses {}; the exception can go", exception.from, exception.to)
        }),
    );
    faults
}

#[cfg(test)]
mod tests;
