//! Every sleep primitive of every system, as plain data.
//!
//! The catalogue is the same on all platforms, so that a recording made on one opens on another; the code that
//! waits (`oversleep-os`) exists only where the system has the call. One test holds the two together.

mod id;
mod rows;
mod systems;
mod table;
mod words;

pub use id::MethodId;
pub use oversleep_sys::System;
pub use oversleep_sys::clock::TimerClock;
pub use table::ROWS;
pub use words::{Early, Family, Mode, Row, Unit};

impl MethodId {
    /// This method's row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name by which people and files call it, such as `clock-nanosleep-abs`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The method of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.id)
    }
}

impl serde::Serialize for MethodId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for MethodId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| serde::de::Error::custom(format!("no sleep method is called '{name}'")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_id_finds_its_own_row() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.id as usize, index, "{}", row.name);
            assert_eq!(MethodId::from_name(row.name), Some(row.id));
        }
        assert_eq!(MethodId::from_name("nap"), None);
    }

    #[test]
    fn rows_are_complete() {
        let names: HashSet<_> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ROWS.len(), "two methods share a name");
        for row in ROWS {
            assert!(
                row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                row.name
            );
            assert!(!row.systems.is_empty(), "{} exists nowhere", row.name);
            assert!(!row.promise.is_empty(), "{} promises nothing", row.name);
            assert!(row.source.starts_with("https://"), "{} has no source", row.name);
        }
    }
}
