//! Recordings of which each counts once.

use std::collections::HashMap;

/// The recordings given so far, by what a copy is known by.
#[derive(Debug, Default)]
pub struct Copies(HashMap<u64, String>);

impl Copies {
    /// Returns those of several recordings; `None` if there is only one, so that nothing has to be known of it.
    pub fn among(recordings: usize) -> Option<Self> {
        (recordings > 1).then(Self::default)
    }

    /// Refuses a recording that was given before, under whatever name: it is one run, and would count as several.
    ///
    /// # Errors
    /// If it was given before; the text names both.
    pub fn refuse(&mut self, name: &str, checksum: Option<u64>) -> Result<(), String> {
        let Some(checksum) = checksum else { return Ok(()) };
        match self.0.insert(checksum, name.to_owned()) {
            Some(first) if first == name => Err(format!("{first} is given twice; each recording counts once")),
            Some(first) => Err(format!("{first} and {name} hold the same recording; each recording counts once")),
            None => Ok(()),
        }
    }
}
