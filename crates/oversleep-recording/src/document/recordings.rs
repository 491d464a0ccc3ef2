//! Recordings in the user's archive, as `list recordings` prints them.

use crate::Meta;
use serde::Serialize;

/// Recordings and the folder they are in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recordings {
    /// The folder.
    pub folder: String,
    /// The newest first.
    pub recordings: Vec<RecordingFacts>,
}

/// What the head of a recording says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingFacts {
    /// Its file.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// When the run began (RFC 3339, UTC).
    pub started: Option<String>,
    /// What was run; `None` if the head cannot be read.
    pub experiment: Option<String>,
    /// The methods of its cells, each once.
    pub methods: Vec<String>,
}

impl RecordingFacts {
    /// Returns the facts of a file whose head is `meta`; `None` stands for one that cannot be read.
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
