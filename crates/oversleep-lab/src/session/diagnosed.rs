//! The findings of a diagnosis, as a document and as text.

use super::results::{Results, pretty};
use oversleep_analysis::corroboration::{Corroboration, corroborate};
use oversleep_analysis::document;
use oversleep_analysis::interventions::blocks::gather;
use oversleep_analysis::patterns::diagnose;
use oversleep_recording::Recording;
use oversleep_recording::document::Diagnosis;
use oversleep_recording::plan::{Kind, build};
use oversleep_report::headline::Headline;
use oversleep_report::{self as report, Screen};

/// Effects of the variants of a run, and the findings in its samples.
pub struct VariantFindings<'a> {
    results: &'a Results,
    recording: &'a Recording,
    diagnosis: Diagnosis,
    corroboration: Corroboration,
}

impl Results {
    /// Returns the effects and findings of a run of variants; `None` where its samples were not kept.
    pub fn variants(&self) -> Option<VariantFindings<'_>> {
        let recording = self.recording.as_ref()?;
        let mut diagnosis = diagnose(recording);
        let corroboration = corroborate(recording, &mut diagnosis);
        Some(VariantFindings { results: self, recording, diagnosis, corroboration })
    }
}

impl Results {
    /// Returns which change of the conditions helped most; where nothing was changed, what the sleeps show.
    pub(super) fn changed(&self, diagnosis: &Diagnosis, corroboration: &Corroboration) -> Headline {
        match &corroboration.interventions {
            Some(found) if self.meta.plan.kind == Kind::Diagnose => {
                report::interventions::headline(found).advised_by(Some(diagnosis), &self.meta.machine.system)
            }
            _ => self.headline(Some(diagnosis), &[]),
        }
    }
}

impl VariantFindings<'_> {
    /// Returns whether there are enough blocks to compare variants.
    pub fn enough(&self) -> bool {
        self.corroboration.interventions.is_some()
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        let (meta, note) = (&self.recording.meta, &self.recording.note);
        let diagnosed = document::diagnosed(meta, note, &self.results.cells, &self.diagnosis, &self.corroboration);
        pretty(&self.results.changed(&self.diagnosis, &self.corroboration).with_document(diagnosed))
    }

    /// Returns the findings as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        let (meta, note) = (&self.recording.meta, &self.recording.note);
        let mut out = String::new();
        if self.enough() {
            let untraced = self.recording.untraced();
            let few = gather(&untraced).with_too_few_blocks();
            out += &report::interventions::not_compared(&untraced.meta.plan, &few, screen);
        } else {
            out += &format!("too few blocks to compare: fewer than {}\n", build::FEWEST_BLOCKS);
        }
        let verdict = self.results.changed(&self.diagnosis, &self.corroboration);
        let system = &meta.machine.system;
        out += &report::witnesses::text(&meta.plan, system, &self.corroboration, &self.diagnosis, screen);
        if let Some(found) = self.corroboration.interventions.as_ref().filter(|found| !found.open.is_empty()) {
            out = out + "\n" + &report::findings::undecided(&found.open, screen);
        }
        let notes = report::notes::unavailable(meta, note, screen);
        if !notes.is_empty() {
            out.push('\n');
        }
        let evidence = out + &notes + &report::interventions::privileges(meta, note, screen);
        self.results.shown(&verdict, &evidence, screen)
    }
}
