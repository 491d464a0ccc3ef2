//! Explaining a recording: what its samples, its interventions and its traces say of why sleeps were late.

use super::results::{Breakdown, Results, is_traced, pretty};
use crate::analysis::corroboration::stand;
use crate::analysis::downsample::{Thinned, Thinner, WHOLE};
use crate::analysis::models::overlay;
use crate::analysis::patterns::diagnose_thinned;
use crate::analysis::{document, stalls};
use crate::figures::Overlay;
use crate::figures::Summariser;
use crate::report::{self, Look, findings};
use oversleep_recording::document::{Corroboration, Diagnosis, Explained};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};

/// Keeps what explaining a recording needs, as its samples pass once: figures of all of them, and as many samples as fit.
pub struct Explainer {
    meta: Meta,
    samples: Thinner,
    summary: Summariser,
    stalls: Option<stalls::Stalls>,
}

impl Explainer {
    /// Begins with a recording that begins like this.
    pub fn new(meta: &Meta) -> Self {
        // Of a traced recording every sleep is needed beside what was recorded around it.
        let planned: u64 = meta.plan.turns.iter().map(|turn| turn.sleeps).fold(0, u64::saturating_add);
        let bound = if is_traced(meta) { usize::try_from(planned).unwrap_or(WHOLE).max(WHOLE) } else { WHOLE };
        Self {
            meta: meta.clone(),
            samples: Thinner::with_bound(meta, bound),
            summary: Summariser::new(meta),
            stalls: meta.plan.is_stalls().then(|| stalls::Stalls::new(meta)),
        }
    }

    /// Returns what the recording says; `None` if it has no samples to speak of.
    pub fn finish(self) -> Option<Explanation> {
        let thinned = self.samples.finish();
        let results = Results::new(self.meta, self.summary, self.stalls);
        if results.meta.plan.is_clocks() || results.meta.plan.is_stalls() {
            // Causes of late sleeps are not theirs.
            return Some(Explanation { results, found: Found::Results });
        }
        if is_traced(&results.meta) {
            return Some(Explanation { results, found: Found::Traced(Box::new(thinned)) });
        }
        if thinned.samples == 0 {
            return None;
        }
        let mut diagnosis = diagnose_thinned(&thinned, &results.cells);
        let stand = stand(&thinned.first, &mut diagnosis);
        let model = overlay(&thinned.first, &diagnosis);
        Some(Explanation { results, found: Found::Causes(Box::new(Causes { thinned, diagnosis, stand, model })) })
    }
}

impl Sink for Explainer {
    fn samples(&mut self, batch: &[Sample]) {
        self.samples.samples(batch);
        self.summary.samples(batch);
        if let Some(stalls) = &mut self.stalls {
            stalls.samples(batch);
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.samples(&wakes.samples().collect::<Vec<_>>());
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
        self.samples.cell(cell);
        self.summary.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.samples.note(note);
        self.summary.note(note);
        if let Some(stalls) = &mut self.stalls {
            stalls.note(note);
        }
    }
}

/// What a recording says.
pub struct Explanation {
    /// Its figures.
    pub results: Results,
    found: Found,
}

enum Found {
    /// Stalls and clocks speak for themselves.
    Results,
    Traced(Box<Thinned>),
    Causes(Box<Causes>),
}

struct Causes {
    thinned: Thinned,
    diagnosis: Diagnosis,
    stand: Corroboration,
    model: Overlay,
}

impl Explanation {
    /// Returns the document of causes; `None` for stalls, clocks and traced sleeps, which have documents of their own.
    pub fn document(&self) -> Option<Explained> {
        let Found::Causes(causes) = &self.found else { return None };
        let Causes { thinned, diagnosis, stand, model } = &**causes;
        let (meta, note) = (&thinned.first.meta, &thinned.first.note);
        let diagnosed = document::diagnosed(meta, note, &self.results.cells, diagnosis, stand);
        Some(document::explained(diagnosed, thinned.looked(), model))
    }

    /// Returns the document of this kind of recording as JSON.
    pub fn json(&self) -> String {
        match &self.found {
            Found::Results => self.results.json(),
            Found::Traced(thinned) => Breakdown { recording: &thinned.first, every: false }.json(),
            Found::Causes(_) => self.document().as_ref().map(pretty).unwrap_or_default(),
        }
    }

    /// Returns the same for people.
    pub fn text(&self, look: Look) -> String {
        let causes = match &self.found {
            Found::Results => return self.results.text(look),
            Found::Traced(thinned) => return Breakdown { recording: &thinned.first, every: false }.text(look),
            Found::Causes(causes) => causes,
        };
        let Causes { thinned, diagnosis, stand, model } = &**causes;
        let (plan, system) = (&thinned.first.meta.plan, &thinned.first.meta.machine.system);
        let mut out = report::witnesses::show(plan, system, stand, diagnosis, look);
        if !out.is_empty() {
            out.push('\n');
        }
        out += &findings::show(plan, diagnosis, look);
        out += &report::overlay::show(model, look);
        let looked = findings::looked(thinned.looked(), look);
        if !looked.is_empty() {
            out.push('\n');
        }
        out + &looked
    }
}
