//! What a diagnosis found, as a document and as text.

use super::results::{Results, pretty};
use crate::analysis::corroboration::stand;
use crate::analysis::document;
use crate::analysis::patterns::diagnose;
use crate::report::{self, Screen};
use oversleep_recording::plan::build;

impl Results {
    /// Returns what a run of variants was worth, as JSON; `None` where its samples were not kept.
    pub fn diagnosed_json(&self) -> Option<String> {
        let recording = self.recording.as_ref()?;
        let mut diagnosis = diagnose(recording);
        let stand = stand(recording, &mut diagnosis);
        Some(pretty(&document::diagnosed(&recording.meta, &recording.note, &self.cells, &diagnosis, &stand)))
    }

    /// Returns the same for people.
    pub fn diagnosed_text(&self, screen: Screen) -> Option<String> {
        let recording = self.recording.as_ref()?;
        let (meta, note) = (&recording.meta, &recording.note);
        let mut diagnosis = diagnose(recording);
        let stand = stand(recording, &mut diagnosis);
        let mut out = String::new();
        if stand.interventions.is_none() {
            out += &format!("too few blocks to compare: fewer than {}\n", build::FEWEST_BLOCKS);
        }
        out += &report::witnesses::show(&meta.plan, &meta.machine.system, &stand, &diagnosis, screen);
        let notes = report::notes::unavailable(meta, note, screen);
        if !notes.is_empty() {
            out.push('\n');
        }
        Some(out + &notes + &report::interventions::privileges(meta, note, screen))
    }
}
