//! Late sleeps for programs: the document, each sleep with its sentence.

use super::explanation;
use oversleep_recording::Late;
use oversleep_recording::document::late::{LateSleeps, NamedLateSleep};
use serde::Serialize;

/// What `late` holds in a document of figures.
#[derive(Debug, Serialize)]
pub struct Json<'a> {
    account: Late,
    sleeps: Vec<Explained<'a>>,
}

#[derive(Debug, Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    sleep: &'a NamedLateSleep,
    /// What is known of it, in one sentence.
    explanation: String,
}

impl<'a> From<&'a LateSleeps> for Json<'a> {
    fn from(late: &'a LateSleeps) -> Self {
        let explained = |sleep| Explained { sleep, explanation: explanation(sleep) };
        Self { account: late.account, sleeps: late.sleeps.iter().map(explained).collect() }
    }
}
