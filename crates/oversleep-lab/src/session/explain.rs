//! Explanation of a recording: what its samples, interventions and traces say about why sleeps were late.

use super::results::{Breakdown, Results, pretty};
use super::subjects::Subjects;
use super::tail;
use oversleep_analysis::attribution::{late_sleeps, trace_documents};
use oversleep_analysis::corroboration::{corroborate, prefer_events};
use oversleep_analysis::downsample::{Downsampled, Downsampler, WHOLE};
use oversleep_analysis::models::overlay;
use oversleep_analysis::patterns::diagnose_downsampled;
use oversleep_analysis::{distributions, document};
use oversleep_figures::{Overlay, PredictedSleep, Summariser};
use oversleep_recording::document::trace::Trace;
use oversleep_recording::document::{Corroboration, Diagnosis, Explained};
use oversleep_recording::plan::{Cell, Kind, Plan, is_twin};
use oversleep_recording::{Meta, Note, Sample, Sink};
use oversleep_report::{self as report, Screen, findings};
use std::borrow::Cow;

/// A sink that keeps what an explanation needs in one pass: figures of all samples, and as many samples as fit.
pub struct Explainer {
    meta: Meta,
    samples: Downsampler,
    summary: Summariser,
    subjects: Subjects,
}

impl Explainer {
    /// Begins to explain a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        Self::with_bound(meta, WHOLE)
    }

    /// Begins to explain a recording from at most about this many of its samples, evenly chosen; figures are of all.
    pub(super) fn with_bound(meta: &Meta, bound: usize) -> Self {
        // Of a traced recording all sleeps are kept, because their traces refer to them.
        let planned: u64 = meta.plan.turns.iter().map(|turn| turn.sleeps).fold(0, u64::saturating_add);
        let bound =
            if meta.plan.kind == Kind::Trace { usize::try_from(planned).unwrap_or(WHOLE).max(WHOLE) } else { bound };
        Self {
            meta: meta.clone(),
            samples: Downsampler::with_bound(meta, bound),
            summary: Summariser::new(meta),
            subjects: Subjects::new(meta),
        }
    }

    /// Returns the explanation; `None` if there is nothing to explain.
    pub fn finish(self) -> Option<Explanation> {
        let explanation = self.finish_anyhow();
        let speaks =
            explanation.results.meta.plan.kind.has_own_document() || !matches!(explanation.found, Found::Results);
        speaks.then_some(explanation)
    }

    /// Returns the explanation, even if it only says that there are no samples.
    pub fn finish_anyhow(self) -> Explanation {
        let downsampled = self.samples.finish();
        let results = Results::new(self.meta, self.summary, self.subjects);
        if results.meta.plan.kind.has_own_document() {
            return Explanation { results, found: Found::Results };
        }
        if results.meta.plan.kind == Kind::Trace {
            let mut diagnosis = diagnose_downsampled(&downsampled, &results.cells);
            let corroboration = corroborate(&downsampled.first, &mut diagnosis);
            prefer_events(&mut diagnosis, &corroboration);
            return Explanation { results, found: Found::Traced(Box::new((downsampled, diagnosis))) };
        }
        let (buckets, hung) = (&results.note.distributions, &downsampled.first.note.hung);
        if downsampled.samples == 0 && buckets.is_empty() && hung.is_empty() {
            return Explanation { results, found: Found::Results };
        }
        let mut diagnosis = match downsampled.samples {
            0 if !buckets.is_empty() => distributions::diagnose(&results.meta.origin, &results.meta.plan, buckets),
            _ => diagnose_downsampled(&downsampled, &results.cells),
        };
        let corroboration = corroborate(&downsampled.first, &mut diagnosis);
        tail::drop_answered(&mut diagnosis);
        diagnosis.undecided.extend(tail::question(&results, &diagnosis));
        let model = overlay(&downsampled.first, &diagnosis);
        Explanation { results, found: Found::Causes(Box::new(Causes { downsampled, diagnosis, corroboration, model })) }
    }
}

impl Sink for Explainer {
    fn samples(&mut self, batch: &[Sample]) {
        self.samples.samples(batch);
        self.summary.samples(batch);
        self.subjects.samples(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
        self.samples.cell(cell);
        self.summary.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.samples.note(note);
        self.summary.note(note);
        self.subjects.note(note);
    }
}

/// The explanation of a recording.
pub struct Explanation {
    /// Figures of the recording.
    pub results: Results,
    found: Found,
}

enum Found {
    /// Figures only: of stalls, clocks, runtimes and other programs, which have documents of their own, or of a recording without
    /// samples.
    Results,
    /// Downsampled samples with their traces, and the findings in the pattern of untraced samples and in the traces.
    Traced(Box<(Downsampled, Diagnosis)>),
    Causes(Box<Causes>),
}

struct Causes {
    downsampled: Downsampled,
    diagnosis: Diagnosis,
    corroboration: Corroboration,
    model: Overlay,
}

impl Explanation {
    /// Returns the document of causes; `None` for recordings of stalls, clocks, runtimes or traced sleeps, and without
    /// samples.
    pub fn document(&self) -> Option<Explained> {
        let Found::Causes(causes) = &self.found else { return None };
        let Causes { downsampled, diagnosis, corroboration, model } = &**causes;
        let (meta, note) = (&downsampled.first.meta, &downsampled.first.note);
        let mut diagnosed = document::diagnosed(meta, note, &self.results.cells, diagnosis, corroboration);
        diagnosed.found.measured.loops.clone_from(&self.results.loops);
        Some(document::explained(diagnosed, downsampled.coverage(), model))
    }

    /// Returns the findings in sleeps; `None` where [`Self::document`] is.
    pub fn diagnosis(&self) -> Option<&Diagnosis> {
        if let Found::Causes(causes) = &self.found { Some(&causes.diagnosis) } else { None }
    }

    /// Returns some of the lateness that models of the findings predict; none where there is no model.
    pub fn predicted(&self) -> &[PredictedSleep] {
        if let Found::Causes(causes) = &self.found { &causes.model.predicted } else { &[] }
    }

    /// Returns the documents of traced cells, with every sleep; none if nothing was traced.
    pub fn traces(&self) -> Vec<Trace> {
        if let Found::Traced(traced) = &self.found { trace_documents(&traced.0.first, true) } else { Vec::new() }
    }

    /// Returns the document for this kind of recording as JSON.
    pub fn json(&self) -> String {
        match &self.found {
            Found::Results => self.results.json(),
            Found::Traced(traced) => {
                Breakdown { recording: &traced.0.first, every: false }.explained_json(&self.results, &traced.1)
            }
            Found::Causes(causes) => {
                let verdict = self.results.changed(&causes.diagnosis, &causes.corroboration);
                self.document().map(|document| pretty(&verdict.with_document(document))).unwrap_or_default()
            }
        }
    }

    /// Returns the explanation as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        let causes = match &self.found {
            Found::Results => return self.results.text(screen),
            Found::Traced(traced) => return traced_text(&traced.0, &traced.1, &self.results, screen),
            Found::Causes(causes) => causes,
        };
        let Causes { downsampled, diagnosis, corroboration, model } = &**causes;
        let (plan, system) = (&downsampled.first.meta.plan, &downsampled.first.meta.machine.system);
        let results = &self.results;
        let verdict = results.changed(diagnosis, corroboration);
        if let Some(distributions) = results.distributions(screen) {
            let evidence = distributions + "\n" + &findings::text(plan, diagnosis, &results.cells, screen);
            return results.shown(&verdict, &evidence, screen);
        }
        let mut out = report::witnesses::text(plan, system, corroboration, diagnosis, screen);
        if corroboration.interventions.is_some() || !corroboration.cells.is_empty() {
            out.push('\n');
        }
        out += &findings::text(plan, &without_variants(plan, diagnosis), &results.cells, screen);
        out += &report::late::text(late_sleeps(plan, &downsampled.first.note).as_ref(), report::late::FEW, screen);
        out += &report::overlay::text(model, screen);
        let coverage = findings::coverage(downsampled.coverage(), screen);
        if !coverage.is_empty() {
            out.push('\n');
        }
        results.shown(&verdict, &(out + &coverage), screen)
    }
}

/// Returns the findings without those of variants: `diagnose` changes conditions to see their effect, and what it changed itself is
/// not a cause on this machine.
fn without_variants<'a>(plan: &Plan, diagnosis: &'a Diagnosis) -> Cow<'a, Diagnosis> {
    let usual = |cell: &&Cell| cell.conditions.traced != Some(true);
    let Some(baseline) = plan.cells.iter().find(usual).filter(|_| plan.kind == Kind::Diagnose) else {
        return Cow::Borrowed(diagnosis);
    };
    let mut kept = diagnosis.clone();
    kept.cells.retain(|found| plan.cells.iter().any(|cell| cell.id == found.cell && is_twin(cell, baseline)));
    Cow::Owned(kept)
}

/// Returns the breakdown of traced sleeps, and the findings, if there are any.
fn traced_text(downsampled: &Downsampled, diagnosis: &Diagnosis, results: &Results, screen: Screen) -> String {
    let recording = &downsampled.first;
    let found = match diagnosis.all().next() {
        Some(_) => findings::of_traced(&recording.meta.plan, diagnosis, screen),
        None => String::new(),
    };
    Breakdown { recording, every: false }.text(results, Some(diagnosis), &found, screen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, Pattern, build};
    use oversleep_sim::{Kernel, Simulation, meta};
    use oversleep_sys::units::Nanos;

    #[test]
    fn what_untraced_sleeps_show_is_said_of_a_traced_recording() {
        let grid = build::Grid {
            rows: &[MethodId::Nanosleep.row()],
            requests: &[Pattern::Random { from: Nanos::MILLISECOND, to: Nanos::from_millis(60) }],
            conditions: &[Conditions::default()],
        };
        let plan = build::traced(&grid, build::Blocks { sleeps: 400, block: 20, traced_first: false }, 1);
        let kernel = Kernel::preset("freebsd-4.9").unwrap();
        let mut explainer = Explainer::new(&meta(&kernel, &plan));
        Simulation::new(&kernel, &plan, 1).run(&mut explainer);
        let explanation = explainer.finish().unwrap();
        let text = explanation.text(Screen::PLAIN);
        assert!(text.contains("\nThe machine\n  tick-quantised: "), "{text}");
    }
}
