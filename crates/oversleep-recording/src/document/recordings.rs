//! Recordings in the user's state folder, as `list recordings` prints them.

use crate::Meta;
use crate::plan::{Kind, Pattern, Plan};
use serde::Serialize;

/// The recordings of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recordings {
    /// Path of the folder.
    pub folder: String,
    /// Recordings, the newest first.
    pub recordings: Vec<RecordingFacts>,
}

/// The facts in the head of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingFacts {
    /// Name of the file.
    pub file: String,
    /// Size of the file, in bytes.
    pub bytes: u64,
    /// When the run began (RFC 3339, UTC).
    pub started: Option<String>,
    /// What the recording is of; `None` if the head cannot be read.
    pub kind: Option<Kind>,
    /// Methods of the cells, each once.
    pub methods: Vec<String>,
    /// Requests of the cells, each once.
    pub requests: Vec<Pattern>,
    /// Conditions asked for in the cells, in words, each once.
    pub conditions: Vec<String>,
    /// Number of sleeps planned, on all threads.
    pub planned_sleeps: u64,
}

impl RecordingFacts {
    /// Returns the facts of a file with the head `meta`; `None` if the head cannot be read.
    pub fn new(file: &str, bytes: u64, meta: Option<&Meta>) -> Self {
        let cells = || meta.iter().flat_map(|meta| &meta.plan.cells);
        Self {
            file: file.to_owned(),
            bytes,
            started: meta.and_then(|meta| meta.started.clone()),
            kind: meta.map(|meta| meta.plan.kind),
            methods: distinct(cells().map(|cell| cell.method.clone())),
            requests: distinct(cells().map(|cell| cell.pattern)),
            conditions: distinct(cells().map(|cell| cell.conditions.name(None))),
            planned_sleeps: meta.map_or(0, |meta| planned(&meta.plan)),
        }
    }
}

/// Returns each value once, in the order in which they first appear.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut all, value| {
        if !all.contains(&value) {
            all.push(value);
        }
        all
    })
}

/// Returns the number of sleeps of a plan, on all threads.
fn planned(plan: &Plan) -> u64 {
    let threads =
        |id| plan.cells.iter().find(|cell| cell.id == id).and_then(|cell| cell.conditions.threads).unwrap_or(1).max(1);
    plan.turns.iter().map(|turn| turn.sleeps.saturating_mul(threads(turn.cell).into())).fold(0, u64::saturating_add)
}
