//! Recordings in the user's state folder, as `list recordings` prints them.

use crate::Meta;
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
    /// Name of the experiment; `None` if the head cannot be read.
    pub experiment: Option<String>,
    /// Methods of the cells, each once.
    pub methods: Vec<String>,
}

impl RecordingFacts {
    /// Returns the facts of a file with the head `meta`; `None` if the head cannot be read.
    pub fn new(file: &str, bytes: u64, meta: Option<&Meta>) -> Self {
        let mut methods: Vec<String> = Vec::new();
        for cell in meta.iter().flat_map(|meta| &meta.plan.cells) {
            if !methods.contains(&cell.method) {
                methods.push(cell.method.clone());
            }
        }
        Self {
            file: file.to_owned(),
            bytes,
            started: meta.and_then(|meta| meta.started.clone()),
            experiment: meta.map(|meta| meta.plan.experiment.clone()),
            methods,
        }
    }
}
