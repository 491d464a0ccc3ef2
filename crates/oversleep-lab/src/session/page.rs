//! The report page of recordings: findings and samples of each.

use super::compare::Comparison;
use super::explain::{Explainer, Explanation};
use oversleep_analysis::compare::{ComparableRun, Gather, compare};
use oversleep_figures::{CellSummary, PredictedSleep, buckets};
use oversleep_recording::document::stalls::Stalls;
use oversleep_recording::document::{
    Compared, ComparedFigure, ComparedName, Page, PageCell, PageCounts, PageRecording, PageShift, PredictedLine,
};
use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes, exact_time, shell_option};
use oversleep_report::distributions::labels;
use oversleep_report::headline::{self, Headline};
use oversleep_report::picture::{Subject, series};
use oversleep_report::{html, periodic, repeat, side_by_side};
use oversleep_sys::units::Nanos;

/// A sink that keeps what a recording's part of a page needs, in one pass.
pub struct PageReader {
    explainer: Explainer,
    gatherer: html::Gatherer,
    /// What a comparison with the page's other recordings needs.
    comparable: Option<Gather>,
}

impl PageReader {
    /// Begins to read a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        Self { explainer: Explainer::new(meta), gatherer: html::Gatherer::new(meta), comparable: None }
    }

    /// Begins to read one of several recordings, with which the others are compared.
    pub fn beside_others(meta: &Meta) -> Self {
        Self { comparable: Some(Gather::new("", meta)), ..Self::new(meta) }
    }

    /// Returns the recording's part of a page, with this name as its title.
    pub fn finish(self, name: &str) -> PagePart {
        let explanation = self.explainer.finish_anyhow();
        let mut gathered = self.gatherer.finish();
        let results = &explanation.results;
        let traces = explanation.traces();
        let clocks = results.clocks();
        let Headline { text, advice } = results.headline(explanation.diagnosis(), &traces);
        let labels = match &results.stalls {
            Some(stalls) => results.cells.iter().map(|cell| processor(stalls, cell.cell.id)).collect(),
            None => headline::labels(&results.cells),
        };
        let named = labels.into_iter().zip(oversleep_report::table::asked(results.cells.iter()));
        let cells =
            results.cells.iter().zip(named).zip(&gathered.origins).map(|((cell, (label, asked)), origin)| PageCell {
                label,
                asked,
                conditions: oversleep_report::table::conditions(&cell.cell.conditions, cell.obtained.as_ref()),
                origin_ns: origin.to_string(),
                time_left: time_left(cell, None),
                histogram: html::histogram(&cell.values),
            });
        let cells: Vec<PageCell> = cells.collect();
        let measured = results.document();
        let recording = PageRecording {
            name: name.to_owned(),
            headline: text,
            advice,
            warnings: oversleep_report::header::warnings(&results.meta, &results.note, &results.cells),
            repeat: repeat::whole_run(&results.meta, &results.note),
            series: series(&measured, &cells),
            cells,
            counts: counts(&results.meta.plan, &results.note),
            measured,
            explained: explanation.document(),
            traces: traces.into_iter().map(html::traced).collect(),
            clocks,
            drift: std::mem::take(&mut gathered.drift),
            predicted: predicted(explanation.predicted(), &results.cells, &gathered.origins),
            samples: None,
            shifts: Vec::new(),
        };
        let named = |run: ComparableRun| ComparableRun { name: name.to_owned(), ..run };
        let comparable = self.comparable.map(|gather| named(gather.finish()));
        PagePart { recording, gathered, explanation, comparable }
    }
}

/// Returns what the periods of a schedule left after their wake-ups, in words; `None` for other sleeps.
fn time_left(cell: &CellSummary, work: Option<Nanos>) -> Option<String> {
    cell.time_left(work).as_ref().and_then(periodic::left)
}

/// Returns the counts of another program's file, each with a label.
fn counts(plan: &Plan, note: &Note) -> Vec<PageCounts> {
    let figures = buckets::figures(plan, note);
    let found = note.distributions.iter().filter(|counted| counted.count > 0);
    found
        .zip(labels(&figures))
        .map(|(counted, label)| PageCounts {
            label,
            quantity: counted.quantity,
            buckets_ns: buckets::with_those_beyond(counted),
        })
        .collect()
}

/// Returns predictions as lines, one for each cell that has any. `origins` are the cells' beginnings, in ns of their clocks.
fn predicted(sleeps: &[PredictedSleep], cells: &[CellSummary], origins: &[i64]) -> Vec<PredictedLine> {
    let line = |(of, origin): (&CellSummary, &i64)| {
        let own = sleeps.iter().filter(|sleep| sleep.cell == of.cell.id);
        let mut points: Vec<(Nanos, Nanos)> =
            own.map(|sleep| (sleep.start.saturating_sub(Nanos::new(*origin)), sleep.late)).collect();
        points.sort_unstable();
        (!points.is_empty()).then_some(PredictedLine { cell: of.cell.id, points })
    };
    cells.iter().zip(origins).filter_map(line).collect()
}

/// Returns the label of a cell of stalls: its processor.
fn processor(stalls: &Stalls, cell: u32) -> String {
    let watched = stalls.processors.iter().find(|watched| watched.cell == cell);
    watched.map_or_else(|| format!("cell {cell}"), |watched| format!("processor {}", watched.cpu))
}

impl Sink for PageReader {
    fn samples(&mut self, batch: &[Sample]) {
        self.explainer.samples(batch);
        self.gatherer.samples(batch);
        if let Some(comparable) = &mut self.comparable {
            comparable.samples(batch);
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.samples(&wakes.samples().collect::<Vec<_>>());
    }

    fn cell(&mut self, cell: &Cell) {
        self.explainer.cell(cell);
        self.gatherer.cell(cell);
        if let Some(comparable) = &mut self.comparable {
            comparable.cell(cell);
        }
    }

    fn note(&mut self, note: &Note) {
        self.explainer.note(note);
        self.gatherer.note(note);
        if let Some(comparable) = &mut self.comparable {
            comparable.note(note);
        }
    }
}

/// The part of a page about one recording.
pub struct PagePart {
    /// Documents of the recording.
    pub recording: PageRecording,
    gathered: html::Gathered,
    explanation: Explanation,
    pub(super) comparable: Option<ComparableRun>,
}

impl PagePart {
    /// Returns the recording's explanation.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// Has the recording's figures say in how many periods of each schedule at least `work` was left after the wake-up.
    ///
    /// # Errors
    /// If the recording has no schedule, or a schedule whose period is not longer than `work`; the text says which.
    pub fn judge_by_work(&mut self, work: Nanos) -> Result<(), String> {
        self.explanation.results.judge_by_work(work)?;
        let results = &self.explanation.results;
        self.recording.measured = results.document();
        let Headline { text, advice } = results.headline(self.explanation.diagnosis(), &[]);
        (self.recording.headline, self.recording.advice) = (text, advice);
        let option = shell_option("work", &exact_time(work));
        self.recording.repeat = self.recording.repeat.take().map(|command| command + &option);
        for (page, cell) in self.recording.cells.iter_mut().zip(&results.cells) {
            page.time_left = time_left(cell, Some(work));
        }
        Ok(())
    }

    /// Returns the recording as Markdown.
    pub fn markdown(&self) -> String {
        oversleep_report::markdown::text(&self.recording, self.explanation.results.runtimes.as_ref())
    }

    /// Returns the recording as Markdown under its name, as one of several.
    pub fn named_markdown(&self) -> String {
        oversleep_report::markdown::heading(&self.recording.name) + &self.markdown()
    }

    /// Returns the data that plots are drawn from.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            recording: &self.recording,
            samples: self.gathered.samples(),
            selection: self.gathered.selection(),
            origins: &self.gathered.origins,
        }
    }
}

/// Returns the page of recordings as HTML. `tool` is the program that makes it; `plain` is shown where scripts do not
/// run; at the top stands a comparison of them, or else what they show side by side.
///
/// # Errors
/// If the document cannot be written as JSON.
pub fn page(
    mut parts: Vec<PagePart>,
    tool: &str,
    plain: &str,
    comparison: Option<&Comparison>,
) -> Result<String, serde_json::Error> {
    let side_by_side = compared(&mut parts);
    let headline = comparison.map_or(side_by_side, Comparison::sentence);
    let compared = comparison.map_or_else(Vec::new, |comparison| oversleep_report::compare::page_tables(&comparison.0));
    let (mut recordings, mut samples) = (Vec::new(), Vec::new());
    for mut part in parts {
        let packed = part.gathered.packed();
        part.recording.samples = packed.as_ref().map(|packed| packed.layout.clone());
        recordings.push(part.recording);
        samples.push(packed);
    }
    let explained = recordings.iter().filter_map(|recording| recording.explained.as_ref());
    let found = explained
        .map(|explained| &explained.diagnosed.found)
        .flat_map(|found| found.findings.iter().chain(found.measured.cells.iter().flat_map(|cell| &cell.findings)));
    let causes =
        found.map(|finding| (finding.cause().name().to_owned(), finding.cause().meaning().to_owned())).collect();
    html::file(
        &Page { format: Page::FORMAT, tool: tool.to_owned(), headline, causes, recordings, compared },
        &samples,
        plain,
    )
}

/// Adds to each recording but the first the shifts of its cells' medians against the first recording; returns a headline.
fn compared(parts: &mut [PagePart]) -> String {
    let mut comparisons: Vec<Compared> = Vec::new();
    if let Some((first, others)) = parts.split_first_mut() {
        let cells = named(first);
        for other in others {
            let Some((a, b)) = first.comparable.as_ref().zip(other.comparable.take()) else { continue };
            let compared = compare(&[a], &[&b], false);
            let own = named(other);
            other.recording.shifts = own.iter().map(|cell| shift(&compared, &cells, cell)).collect();
            comparisons.push(compared);
        }
        first.comparable = None;
    }
    let recordings: Vec<&PageRecording> = parts.iter().map(|part| &part.recording).collect();
    side_by_side::headline(&recordings, &comparisons)
}

/// Returns the cells of a recording in the order of its figures.
fn named(part: &PagePart) -> Vec<Cell> {
    part.explanation().results.cells.iter().map(|cell| cell.cell.clone()).collect()
}

/// Returns the shift of a cell's median against the cell of the first recording with which it is paired.
fn shift(compared: &Compared, first: &[Cell], cell: &Cell) -> Option<PageShift> {
    let found = compared.cells.iter().find(|one| is(&one.b, cell))?;
    let median = found.shifts.iter().find(|shift| shift.figure == ComparedFigure::P50)?;
    Some(PageShift { first: first.iter().position(|cell| is(&found.a, cell))?, shift: median.clone() })
}

fn is(name: &ComparedName, cell: &Cell) -> bool {
    name.quantity.is_none()
        && name.method == cell.method
        && name.pattern == cell.pattern
        && name.conditions == cell.conditions
}

#[cfg(test)]
mod tests {
    use super::super::PageReader;
    use super::*;
    use oversleep_recording::document::ShiftVerdict;
    use oversleep_recording::plan::{Kind, Pattern};
    use oversleep_recording::{Meta, Origin, Sample, Sink};
    use oversleep_sys::units::Nanos;

    /// Returns a recording of 200 sleeps from this late on.
    fn part(name: &str, late: i64) -> PagePart {
        let cell = Cell::new(0, "nanosleep", Pattern::fixed(Nanos::MILLISECOND));
        let plan = Plan { kind: Kind::Measure, cells: vec![cell], turns: Vec::new(), seed: 0 };
        let mut reader = PageReader::beside_others(&Meta::new("test", Origin::Live, plan));
        let requested = Nanos::MILLISECOND;
        let samples = (0..200).map(|number| {
            let start = Nanos::from_millis(2 * number);
            let end = start + requested + Nanos::new(late + number % 10);
            let sequence = number.unsigned_abs();
            Sample { sequence, requested, start, end, cpu_start: 0, cpu_end: 0, ..Sample::BLANK }
        });
        reader.samples(&samples.collect::<Vec<_>>());
        reader.finish(name)
    }

    /// What `compare` leaves undecided, no page states as a fact.
    #[test]
    fn a_page_has_the_intervals_and_verdicts_of_compare() {
        let mut parts = vec![part("a.arrows", 50_000), part("b.arrows", 40_000)];
        let runs: Vec<_> = ["a", "b"].into_iter().zip([50_000, 40_000]).map(|(name, late)| part(name, late)).collect();
        let [a, b] = [&runs[0], &runs[1]].map(|part| part.comparable.as_ref().unwrap());
        let expected = compare(&[a], &[b], false).cells[0].shifts[0].clone();
        let headline = compared(&mut parts);
        let start = "b.arrows against a.arrows at the median of nanosleep 1.00 ms: −10.0 µs (−10.0 µs to −10.0 µs); undecided, because \
                     how much two equal runs";
        assert!(headline.starts_with(start), "{headline}");
        assert!(parts[0].recording.shifts.is_empty());
        let shift = parts[1].recording.shifts[0].as_ref().unwrap();
        assert_eq!((shift.first, &shift.shift, shift.shift.verdict), (0, &expected, ShiftVerdict::Open));
    }

    #[test]
    fn all_of_several_recordings_are_in_the_headline() {
        let mut parts = vec![part("a.arrows", 50_000), part("b.arrows", 40_000), part("c.arrows", 40_000)];
        let start =
            "3 recordings side by side: a.arrows, b.arrows and c.arrows. Whether they differ is undecided, because";
        assert!(compared(&mut parts).starts_with(start));
        assert_eq!(compared(&mut parts[..1]), parts[0].recording.headline);
        // The names of more stand below it.
        let mut parts = ["a", "b", "c", "d"].map(|name| part(name, 40_000));
        assert!(compared(&mut parts).starts_with("4 recordings side by side. Whether they differ"));
    }
}
