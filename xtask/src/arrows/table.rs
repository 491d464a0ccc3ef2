//! The table of rooms, and what each may use.

use toml::{Table as Toml, Value};

/// Path of the table's file.
pub(super) const FILE: &str = "xtask/rooms.toml";

/// A crate, or a top-level module of a crate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) name: String,
    /// For a module, its crate.
    pub(super) inside: Option<String>,
    /// Layer, counted from the bottom. A room may use only rooms on lower floors.
    pub(super) floor: usize,
    /// Column in the picture, counted from the left.
    pub(super) column: usize,
    /// Rooms that this one may use.
    pub(super) uses: Vec<String>,
}

impl Room {
    pub(super) fn folder(&self) -> String {
        match &self.inside {
            Some(package) => format!("crates/{package}/src/{}", self.name),
            None => format!("crates/{}", self.name),
        }
    }

    /// Returns a crate's name as it is written in code.
    pub(super) fn identifier(&self) -> String {
        self.name.replace('-', "_")
    }
}

/// An arrow that is allowed, for a stated reason, although the floors forbid it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exception {
    pub(super) from: String,
    pub(super) to: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) rooms: Vec<Room>,
    pub(super) exceptions: Vec<Exception>,
}

impl Table {
    /// Parses the table; refuses one that allows the use of a room not on a lower floor, or names an unknown room.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let toml: Toml = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
        let rooms = entries(&toml, "room")?.iter().map(room).collect::<Result<Vec<_>, _>>()?;
        let exceptions = entries(&toml, "exception")?.iter().map(exception).collect::<Result<Vec<_>, _>>()?;
        let table = Self { rooms, exceptions };
        table.sound()?;
        Ok(table)
    }

    pub(super) fn room(&self, name: &str) -> Option<&Room> {
        self.rooms.iter().find(|room| room.name == name)
    }

    /// Returns whether an arrow is allowed. A module may not use what its crate may use, unless its own entry says so.
    pub(super) fn allows(&self, from: &str, to: &str) -> bool {
        let listed = self.room(from).is_some_and(|room| room.uses.iter().any(|name| name == to));
        listed || self.exceptions.iter().any(|exception| exception.from == from && exception.to == to)
    }

    /// Returns whether the modules of this crate are rooms.
    pub(super) fn divides(&self, package: &str) -> bool {
        self.rooms.iter().any(|room| room.inside.as_deref() == Some(package))
    }

    fn sound(&self) -> Result<(), String> {
        for room in &self.rooms {
            if let Some(package) = &room.inside {
                self.known(package, &room.name)?;
            }
            for name in &room.uses {
                let used = self.known(name, &room.name)?;
                if used.floor >= room.floor {
                    return Err(format!("{FILE}: {} may use {name}, which is not on a lower floor", room.name));
                }
            }
        }
        for exception in &self.exceptions {
            self.known(&exception.from, "an exception")?;
            self.known(&exception.to, "an exception")?;
        }
        Ok(())
    }

    fn known(&self, name: &str, by: &str) -> Result<&Room, String> {
        self.room(name).ok_or_else(|| format!("{FILE}: {by} names {name}, which is not a room"))
    }
}

fn entries<'a>(toml: &'a Toml, key: &str) -> Result<&'a [Value], String> {
    match toml.get(key) {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(format!("{FILE}: `{key}` is not a list; write [[{key}]]")),
    }
}

fn room(value: &Value) -> Result<Room, String> {
    let name = text(value, "name")?;
    let number = |key: &str| {
        let number = value.get(key).and_then(Value::as_integer).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| format!("{FILE}: the room {name} has no {key}"))
    };
    let uses = value.get("uses").and_then(Value::as_array).ok_or_else(|| format!("{FILE}: {name} has no uses"))?;
    let uses = uses.iter().map(|used| used.as_str().map(str::to_owned));
    let uses = uses.collect::<Option<_>>().ok_or_else(|| format!("{FILE}: {name} uses what is not a name"))?;
    let inside = value.get("inside").and_then(Value::as_str).map(str::to_owned);
    Ok(Room { inside, floor: number("floor")?, column: number("column")?, uses, name })
}

fn exception(value: &Value) -> Result<Exception, String> {
    text(value, "reason")?;
    Ok(Exception { from: text(value, "from")?, to: text(value, "to")? })
}

fn text(value: &Value, key: &str) -> Result<String, String> {
    match value.get(key).and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(format!("{FILE}: an entry has no {key}")),
    }
}
