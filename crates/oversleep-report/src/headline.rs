//! The main result of a recording in one sentence, and what to do about it.

use super::columns::needed;
use super::{distributions, findings, table};
use oversleep_figures::CellSummary;
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_recording::document::attach::Loop;
use oversleep_recording::document::clocks::Clocks;
use oversleep_recording::document::late::LateSleeps;
use oversleep_recording::document::trace::Trace;
use oversleep_recording::document::{
    CellDiagnosis, Diagnosis, DistributionFigures, Finding, PeriodsForWork, Split, Unit, WithHeadline,
};
use oversleep_recording::exact_time;
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

/// Loops of a table that are told in its first sentences.
const LOOPS: usize = 3;

/// Name of the part of a budget that no cause explains.
pub(super) const UNEXPLAINED: &str = "unexplained";

/// A sentence, with a remedy for the largest part that has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    /// The sentence.
    pub text: String,
    /// What to do, if a remedy is known.
    pub advice: Option<String>,
}

impl Headline {
    /// Returns a sentence without advice.
    pub fn without_advice(text: impl Into<String>) -> Self {
        Self { text: text.into(), advice: None }
    }

    /// Returns a document with this before it.
    pub fn with_document<D>(self, document: D) -> WithHeadline<D> {
        WithHeadline { headline: self.text, advice: self.advice, document }
    }

    /// Advises what the findings in a cell do against the largest part of its median that has a remedy.
    #[must_use]
    pub fn advised_by(self, diagnosis: Option<&Diagnosis>, system: &str) -> Self {
        let found = diagnosis.and_then(|diagnosis| diagnosis.cells.first());
        let advice = found.map(|found| advice(found, true, None, system)).filter(|advice| !advice.is_empty());
        Self { advice, ..self }
    }

    /// Begins with whether the periods of the schedules left `work`, how long their work takes: those of the worst row.
    #[must_use]
    pub fn with_work(self, cells: &[CellSummary], work: Option<Nanos>) -> Self {
        let judged = cells.iter().filter_map(|cell| Some((cell, cell.time_left(work)?.work?)));
        let missed = |work: &PeriodsForWork| work.missed as f64 / work.all().max(1) as f64;
        let Some((cell, work)) = judged.max_by(|(_, a), (_, b)| missed(a).total_cmp(&missed(b))) else { return self };
        let (time, all) = (work.time, work.all());
        let row = if cells.len() > 1 {
            format!(" of the worst of {} rows, {},", cells.len(), label(cells, cell, cell.cell.pattern.requested()))
        } else {
            String::new()
        };
        let limit =
            cell.period().map_or(Nanos::ZERO, |period| Nanos::new(period.saturating_sub(time).get() / 1_000 * 1_000));
        let to_do = format!(
            "What makes wake-ups late: the same measurement with --on-late {}. What a real-time policy is worth: `oversleep compare --work {} \
             --run A -- B` with -p 1 in B.",
            exact_time(limit),
            exact_time(time)
        );
        let advice = if work.missed > 0 { Some(to_do) } else { self.advice };
        let text = match work.missed {
            0 => format!("All {all} periods{row} left {time} or more for their work."),
            missed => format!("{missed} of {all} periods{row} left less than {time} for their work."),
        };
        // Of the rest, how late the wake-ups are is enough.
        let late = self.text.split_once(". ").map_or(self.text.as_str(), |(first, _)| first).trim_end_matches('.');
        Self { text: format!("{text} {late}."), advice }
    }

    /// Begins with the rates of a table's loops, and with what would raise the first of them.
    #[must_use]
    pub fn with_loops(self, loops: &[Loop]) -> Self {
        let each: Vec<String> = match loops {
            [] => return self,
            [one] => vec![one.sentence()],
            several => several.iter().take(LOOPS).map(|one| format!("{}: {}", one.name, one.sentence())).collect(),
        };
        let more =
            if loops.len() > LOOPS { format!(". And {} more loops", loops.len() - LOOPS) } else { String::new() };
        let advice = loops.iter().find_map(|found| found.remedy(""));
        Self { text: format!("{}{more}. {}", each.join(". "), self.text), advice: advice.or(self.advice) }
    }

    /// Adds the latest of the sleeps that were watched for and examined, and what would have helped it.
    #[must_use]
    pub fn with_late(self, late: &LateSleeps) -> Self {
        let text = of_late(late).map_or_else(|| self.text.clone(), |late| format!("{} {late}", self.text));
        let advice: Vec<String> = [late.advice(), self.advice].into_iter().flatten().collect();
        Self { text, advice: (!advice.is_empty()).then(|| advice.join(" ")) }
    }
}

/// Returns the headline of sleeps: how late those of the typical cell are, and the largest named part of their
/// lateness. With a baseline, the first cell is it, and the others are changes of it.
pub fn of_sleeps(cells: &[CellSummary], has_baseline: bool, diagnosis: Option<&Diagnosis>, system: &str) -> Headline {
    let ranked = by_median(cells);
    let rows = ranked.len();
    let baseline = cells.first().filter(|cell| has_baseline && cell.raw.p50.is_some());
    let has_baseline = baseline.is_some();
    let range = if has_baseline { None } else { range(cells, rows) };
    // Of several conditions the latest is named, and what it is made of; of two the other one, too.
    let middle = if range.is_some() { rows.saturating_sub(1) } else { rows.saturating_sub(1) / 2 };
    let Some((cell, p50)) = baseline.or(ranked.get(middle).copied()).and_then(|cell| Some((cell, cell.raw.p50?)))
    else {
        return Headline::without_advice(without_median(cells));
    };
    let asked = cell.cell.pattern.requested();
    let who = match asked {
        Some(asked) if asked > Nanos::ZERO && range.is_none() => format!("Sleeps of {}", short(asked)),
        Some(asked) if asked > Nanos::ZERO || range.is_some() => requests(cells, asked),
        _ => "Sleeps".to_owned(),
    };
    let late = if p50 < Nanos::ZERO { format!("{} early", p50.abs()) } else { format!("{p50} late") };
    let alone = cells.iter().filter(|cell| cell.raw.n > 0).count() == 1;
    let mut text = match (&range, ranked.first()) {
        _ if alone => format!("{who} end {late} at the median"),
        (Some(range), Some(first)) if rows == 2 => format!(
            "{who} end {range} The earlier row, {}: {} late; the later, {}: {late}",
            label(cells, first, asked),
            first.raw.p50.unwrap_or_default(),
            label(cells, cell, asked)
        ),
        (Some(range), _) => format!("{who} end {range} The latest, {}: {late}", label(cells, cell, asked)),
        (None, _) => {
            format!("{who} end {late} at the median ({}, {})", label(cells, cell, None), position(has_baseline, rows))
        }
    };
    let found = diagnosis.and_then(|diagnosis| diagnosis.cells.iter().find(|found| found.cell == cell.cell.id));
    let part = found.and_then(|found| largest(found.budget.p50_ns.as_ref()?));
    match (part, diagnosis) {
        (Some((name, ns)), _) if name != UNEXPLAINED => {
            text += &format!(", {} of it {}", Nanos::new(ns), name.replace('-', " "));
        }
        (_, Some(diagnosis)) => text += &unexplained(diagnosis),
        (_, None) => {}
    }
    let behind_tail = found.and_then(|found| most_of_tail(found));
    text += &range.map_or_else(|| tail(cell, p50, behind_tail, cells), |_| ".".to_owned());
    text += &missed(cell);
    // What helps the median does not bring back periods that were skipped.
    let skipped = cell.periods.is_some_and(|periods| periods.skipped > 0);
    let long = behind_tail.filter(|_| is_long_tail(cell, p50));
    let advice = found.map(|found| advice(found, !skipped, long, system));
    Headline { text, advice: advice.filter(|advice| !advice.is_empty()) }
}

/// Returns a sentence on the remedy for the largest part of the median that has one, if `of_median`, and one on the remedy for
/// the named part of a long tail.
fn advice(found: &CellDiagnosis, of_median: bool, behind_tail: Option<(&str, i64)>, system: &str) -> String {
    let finding = |name: &str| found.findings.iter().find(|finding| finding.cause().name() == name);
    let mut parts: Vec<(&String, &i64)> = found.budget.p50_ns.iter().flatten().filter(|(_, ns)| **ns != 0).collect();
    parts.sort_by_key(|(_, ns)| std::cmp::Reverse(ns.saturating_abs()));
    let median = parts.into_iter().filter(|_| of_median).find_map(|(name, _)| remedy(finding(name)?, system));
    let tail =
        behind_tail.and_then(|(name, _)| remedy(finding(name)?, system)).filter(|tail| Some(tail) != median.as_ref());
    // Of a long tail, what makes it is what is asked about.
    [tail, median].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns the named part that is more than half of the 99th percentile.
fn most_of_tail(found: &CellDiagnosis) -> Option<(&str, i64)> {
    let split = found.budget.p99_ns.as_ref()?;
    let late: i64 = split.values().sum();
    largest(split).filter(|(name, ns)| *name != UNEXPLAINED && *ns > late / 2)
}

/// Returns whether the 99th percentile is so much later than the median `p50` that the median without it would mislead.
fn is_long_tail(cell: &CellSummary, p50: Nanos) -> bool {
    cell.raw.p99.is_some_and(|p99| p99 > Nanos::ZERO && p99.get() / LONG_TAIL >= p50.get().max(1))
}

/// Says that no cause explains the median, and names other findings, such as a single stop.
fn unexplained(diagnosis: &Diagnosis) -> String {
    let has_size = |found: &&Finding| found.unit != Unit::Nanoseconds || Nanos::from_f64(found.size) != Nanos::ZERO;
    let found: BTreeSet<String> =
        diagnosis.all().filter(has_size).map(|finding| finding.cause().name().replace('-', " ")).collect();
    if found.is_empty() {
        return ", and no cause stands out".to_owned();
    }
    let found = found.into_iter().collect::<Vec<_>>().join(", ");
    format!(", which no cause explains; other findings: {found}")
}

/// Says that no cell has a median, and why.
fn without_median(cells: &[CellSummary]) -> String {
    let needed = samples_needed(Fraction::P50);
    let slept: Vec<u64> = cells.iter().map(|cell| cell.raw.n).filter(|n| *n > 0).collect();
    match slept.as_slice() {
        [] => "Nothing slept.".to_owned(),
        [1] => format!("One sleep is too few for a median, which needs {needed}."),
        [few] => format!("{few} sleeps are too few for a median, which needs {needed}."),
        several => {
            let (all, most) = (several.iter().sum::<u64>(), several.iter().max().copied().unwrap_or(0));
            let how_many = if most == 1 { "no two".to_owned() } else { format!("at most {most}") };
            format!(
                "{all} sleeps, {how_many} of them with the same method, request and conditions: too few for a median, which needs \
                 {needed} such sleeps."
            )
        }
    }
}

/// Returns "Sleeps" with the requests of all cells, from the shortest to the longest; `asked` is that of one.
fn requests(cells: &[CellSummary], asked: Nanos) -> String {
    let all = || cells.iter().filter_map(|cell| cell.cell.pattern.requested()).filter(|asked| *asked > Nanos::ZERO);
    match (all().min(), all().max()) {
        (Some(least), Some(most)) if least < most => format!("Sleeps of {} to {}", short(least), short(most)),
        _ => format!("Sleeps of {}", short(asked)),
    }
}

/// Returns what a cell is among those with a median: the baseline or the middle one.
fn position(has_baseline: bool, rows: usize) -> String {
    match (has_baseline, rows) {
        (true, _) => format!("the baseline of {rows} rows"),
        (false, 1) => "the only row with enough sleeps for a median".to_owned(),
        (false, 2) => "of 2 rows the one with the smaller median".to_owned(),
        (false, _) => format!("of {rows} rows the one with the middle median"),
    }
}

/// Returns a clause on all cells of several conditions: the range of their medians, and the greatest 99th percentile. `None`
/// under one condition, of which the middle cell is typical, and where some end early.
fn range(cells: &[CellSummary], rows: usize) -> Option<String> {
    let several = cells.windows(2).any(|two| two[0].cell.conditions != two[1].cell.conditions);
    let medians = || cells.iter().filter_map(|cell| cell.raw.p50);
    let (least, most) = (medians().min()?, medians().max()?);
    if !several || least < Nanos::ZERO {
        return None;
    }
    let tail = cells.iter().filter_map(|cell| cell.raw.p99).max();
    let tail =
        tail.map_or_else(String::new, |p99| format!("; one in a hundred of the worst row ends {p99} late or later"));
    Some(format!("{least} to {most} late at the median in {rows} rows{tail}."))
}

/// Returns the method of a cell, with its request, if given, and its conditions, each where those of the cells differ.
fn label(cells: &[CellSummary], row: &CellSummary, asked: Option<Nanos>) -> String {
    let conditions = |cell: &CellSummary| table::conditions(&cell.cell.conditions, cell.obtained.as_ref());
    let shown = conditions(row);
    let differ = cells.iter().any(|cell| conditions(cell) != shown);
    let asked = asked.filter(|asked| cells.iter().any(|cell| cell.cell.pattern.requested() != Some(*asked)));
    let method = asked.map_or_else(|| row.cell.method.clone(), |asked| format!("{} {}", row.cell.method, short(asked)));
    if differ { format!("{method}, {shown}") } else { method }
}

/// Number of medians from which a 99th percentile belongs into the sentence on the median, which would mislead without it.
const LONG_TAIL: i64 = 10;

/// Returns how late a sleep ended in words, without a sign.
fn late_or_early(late: Nanos) -> String {
    if late < Nanos::ZERO { format!("{} early", late.saturating_abs()) } else { format!("{late} late") }
}

/// Ends the sentence on the median `p50` and adds the tail: the 99th percentile, or the latest sleep where there are too
/// few for it. A long tail is in the same sentence, with the cause of most of it, if that is known. Where `all` cells are several, it
/// is said that the tail is this cell's, and the latest sleep of all.
fn tail(cell: &CellSummary, p50: Nanos, most: Option<(&str, i64)>, all: &[CellSummary]) -> String {
    let several = all.iter().filter(|cell| cell.raw.n > 0).count() > 1;
    let of_these = if several { " of these" } else { "" };
    match (cell.raw.p99, cell.raw.max) {
        (Some(p99), _) if is_long_tail(cell, p50) => {
            let most = most.map(|(name, ns)| format!(", {} of it {}", Nanos::new(ns), name.replace('-', " ")));
            format!("; but one in a hundred{of_these} ends {p99} late or later{}.", most.unwrap_or_default())
        }
        (Some(p99), _) => format!(". One in a hundred{of_these} ends {} or later.", late_or_early(p99)),
        // A schedule that missed periods names its latest wake-up itself.
        (None, Some(max)) if cell.periods.is_none_or(|periods| periods.skipped + periods.late == 0) => {
            let latest = all.iter().filter_map(|cell| cell.raw.max).max().filter(|latest| *latest > max);
            let of_all = latest.map_or_else(String::new, |latest| format!(", that of all rows {latest} late"));
            format!(". The latest{of_these} ended {}{of_all}.", late_or_early(max))
        }
        _ => ".".to_owned(),
    }
}

/// Returns a sentence on the periods of a schedule that had no wake-up in time; empty where all had.
fn missed(cell: &CellSummary) -> String {
    let Some(periods) = cell.periods.filter(|periods| periods.skipped + periods.late > 0) else { return String::new() };
    let latest = cell.raw.max.map_or_else(String::new, |max| format!("; the latest wake-up was {max} late"));
    let missed = periods.late + periods.skipped;
    format!(
        " {missed} of {} periods were not woken in time ({} late, {} skipped){latest}.",
        periods.asked, periods.late, periods.skipped
    )
}

/// Returns a sentence on the latest of the sleeps that were watched for and examined, with its cause where that is known.
pub(super) fn of_late(late: &LateSleeps) -> Option<String> {
    let LateSleeps { account, sleeps } = late;
    let latest = sleeps.iter().max_by_key(|sleep| sleep.length)?;
    let (late_by, parts) = (format!("{} late", latest.length), latest.parts());
    let were = if account.late == 1 { "was" } else { "were" };
    let what = match (account.late, sleeps.len() as u64) {
        (1, _) => "it was".to_owned(),
        (late, examined) if examined < late => format!("of the {examined} that were examined, the latest was"),
        _ => "the latest was".to_owned(),
    };
    Some(format!(
        "{} of {} sleeps {were} later than {}; {what} {}.",
        account.late,
        account.slept,
        account.threshold,
        if parts.starts_with(&late_by) { parts } else { format!("{late_by}: {parts}") }
    ))
}

/// Returns the headline of another program's counts: the bounds of the median, and the largest value.
pub fn of_distributions(distributions: &[DistributionFigures]) -> Option<Headline> {
    let most = distributions.iter().max_by_key(|one| one.n)?;
    let which = match distributions.len() {
        1 => String::new(),
        rows => format!(" ({}, with the most values of {rows})", most.method),
    };
    let median = most.p50.map_or_else(String::new, |p50| format!(", median {}", distributions::bounds(Some(p50))));
    let largest = distributions.iter().filter_map(|one| one.max).max();
    let largest = largest.map_or_else(String::new, |max| format!(", largest {}", distributions::largest(Some(max))));
    Some(Headline::without_advice(format!("{} values of {}{median}{which}{largest}.", most.n, most.quantity.name())))
}

fn remedy(finding: &Finding, system: &str) -> Option<String> {
    let remedy = finding.remedy_on(system)?;
    Some(format!("Against {}: {}.", finding.cause().name().replace('-', " "), findings::in_words(remedy)))
}

/// Formats a round time without decimals: 1 ms, not 1.00 ms.
fn short(time: Nanos) -> String {
    time.to_string().replace(".00 ", " ").replace(".0 ", " ")
}

/// Returns the cells that have a median, the smallest first.
fn by_median(cells: &[CellSummary]) -> Vec<&CellSummary> {
    let mut ranked: Vec<&CellSummary> = cells.iter().filter(|cell| cell.raw.p50.is_some()).collect();
    ranked.sort_by_key(|cell| cell.raw.p50);
    ranked
}

/// Returns the largest named part, or the unexplained part if no part is named.
fn largest(split: &Split) -> Option<(&str, i64)> {
    let named = split.iter().filter(|(name, ns)| name.as_str() != UNEXPLAINED && **ns != 0);
    let largest = named.max_by_key(|(_, ns)| ns.saturating_abs());
    largest.or_else(|| split.get_key_value(UNEXPLAINED)).map(|(name, ns)| (name.as_str(), *ns))
}

/// Returns the headline of traced sleeps: how late they are, the largest part of that, and of the late ones; what to do where untraced
/// sleeps beside them show it.
pub fn of_traces(traces: &[Trace], diagnosis: Option<&Diagnosis>, system: &str) -> Headline {
    let Some(trace) = traces.iter().max_by_key(|trace| trace.trace.sleeps) else {
        return Headline::without_advice("No traced sleep.");
    };
    let Some(late) = trace.traced.p50 else { return Headline::without_advice("Too few traced sleeps for a median.") };
    let asked = short(trace.requested);
    let mut text = format!("Traced sleeps of {asked} ({}) end {late} late at the median", trace.method);
    let parts = || trace.trace.parts.iter();
    let typical = parts().filter_map(|part| Some((part.kind, part.typical?))).max_by_key(|(_, time)| *time);
    text += &typical.map_or_else(String::new, |(kind, time)| format!(", {time} of it {}", kind.name()));
    let latest = parts().filter_map(|part| Some((part.kind, part.late?))).max_by_key(|(_, time)| *time);
    if let Some((p99, (kind, time))) = trace.trace.oversleep.p99.zip(latest) {
        let all: Vec<_> = trace.trace.culprits.iter().filter(|culprit| culprit.during == kind).collect();
        let whole: Nanos = all.iter().map(|culprit| culprit.time).sum();
        let who = all.first().map_or_else(String::new, |culprit| {
            let (name, is_most) = (&culprit.name.0, culprit.time.get() > whole.get() / 2);
            if is_most { format!(" (mostly {name})") } else { format!(" ({name} and {} others)", all.len() - 1) }
        });
        text += &format!("; one in a hundred ends {p99} late or later, {time} of it {}{who}", kind.name());
    }
    let headline = Headline::without_advice(text + ".");
    // What untraced sleeps show is the typical part; advice against it does nothing for another tail.
    let is_tail_alike = latest.is_none_or(|(late, _)| typical.is_some_and(|(usual, _)| usual == late));
    if is_tail_alike {
        return headline.advised_by(diagnosis, system);
    }
    let found = diagnosis.and_then(|diagnosis| diagnosis.cells.iter().find(|found| found.cell == trace.untraced_cell));
    let examined = found.into_iter().flat_map(|found| &found.findings).filter(|one| one.evidence.examined().is_some());
    let most = examined.max_by(|a, b| a.share.unwrap_or(0.0).total_cmp(&b.share.unwrap_or(0.0)));
    Headline { advice: most.and_then(|finding| remedy(finding, system)), ..headline }
}

/// Returns the headline of a survey of clocks: what it comes to.
pub fn of_clocks(survey: &Clocks) -> Headline {
    let sentences = super::clocks::sentences(survey);
    Headline::without_advice(if sentences.is_empty() {
        format!("Clocks measured: {}.", survey.clocks.len())
    } else {
        sentences.join(" ")
    })
}

/// Returns a distinct label for each cell: its method, with the request and conditions where these differ.
pub fn labels(cells: &[CellSummary]) -> Vec<String> {
    let values = |f: &dyn Fn(&CellSummary) -> String| -> Vec<String> { cells.iter().map(f).collect() };
    let methods = values(&|cell| cell.cell.method.clone());
    let asked = table::asked(cells.iter());
    let conditions = values(&|cell| table::conditions(&cell.cell.conditions, cell.obtained.as_ref()));
    distinct_labels(&methods, &asked, &conditions)
}

/// Returns such labels for methods, their requests and conditions, a text of each for each label.
pub(super) fn distinct_labels(methods: &[String], asked: &[String], conditions: &[String]) -> Vec<String> {
    let [methods_differ, needs_asked, needs_conditions] = needed([methods, asked, conditions]);
    let label = |((method, asked), conditions): ((&String, &String), &String)| {
        let mut label = method.clone();
        if needs_asked || !methods_differ {
            label += &format!(" {}", asked.replace(".00 ", " ").replace(".0 ", " "));
        }
        if needs_conditions {
            label += &format!(", {conditions}");
        }
        label
    };
    methods.iter().zip(asked).zip(conditions).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_figures::Summariser;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::build::{Grid, measure};
    use oversleep_recording::plan::{Conditions, Pattern};
    use oversleep_recording::{Meta, Origin, Sample, Sink};

    /// Returns the figures of sleeps of nanosleep under each condition and request, whose lateness `late` returns by cell and number.
    fn cells(
        requests: &[Nanos],
        conditions: &[Conditions],
        each: u64,
        late: impl Fn(u32, u64) -> Nanos,
    ) -> Vec<CellSummary> {
        let patterns: Vec<Pattern> = requests.iter().map(|asked| Pattern::fixed(*asked)).collect();
        let grid = Grid { rows: &[MethodId::Nanosleep.row()], requests: &patterns, conditions };
        let meta = Meta::new("test", Origin::Live, measure(&grid, each, 0));
        let mut summary = Summariser::new(&meta);
        for planned in &meta.plan.cells {
            let (cell, requested) = (planned.id, planned.pattern.requested().unwrap());
            let sample = |sequence: u64| Sample {
                cell,
                sequence,
                requested,
                end: requested + late(cell, sequence),
                ..Sample::BLANK
            };
            summary.samples(&(0..each).map(sample).collect::<Vec<_>>());
        }
        summary.finish()
    }

    /// Returns the headline of cells that are no changes of a baseline.
    fn headline(cells: &[CellSummary]) -> String {
        of_sleeps(cells, false, None, "Linux").text
    }

    const MS: Nanos = Nanos::MILLISECOND;
    const US: fn(i64) -> Nanos = Nanos::from_micros;

    #[test]
    fn a_long_tail_is_in_the_sentence_on_the_median() {
        let with_tail = |tail: i64| {
            let late = |_, number| if number < 8 { US(tail) } else { US(50) };
            headline(&cells(&[MS], &[Conditions::default()], 400, late))
        };
        assert_eq!(
            [with_tail(499), with_tail(500)],
            [
                "Sleeps of 1 ms end 50.0 µs late at the median. One in a hundred ends 499 µs late or later.",
                "Sleeps of 1 ms end 50.0 µs late at the median; but one in a hundred ends 500 µs late or later.",
            ]
        );
    }

    /// Under several conditions no row is typical: the range of all comes first, the worst tail with it, then the latest row.
    #[test]
    fn several_conditions_have_the_range_of_their_medians() {
        let slack = |slack| Conditions { timer_slack: Some(slack), ..Conditions::default() };
        let all = [slack(Nanos::new(1)), slack(US(25)), slack(US(50))];
        let late = |cell, number| US(if number < 8 { 4_000 } else { 15 + 50 * i64::from(cell) });
        let two = cells(&[MS], &all[..2], 400, late);
        assert_eq!(
            headline(&two),
            "Sleeps of 1 ms end 15.0 µs to 65.0 µs late at the median in 2 rows; one in a hundred of the worst row ends 4.00 ms late \
         or later. The earlier row, nanosleep, slack 1 ns: 15.0 µs late; the later, nanosleep, slack 25.0 µs: 65.0 µs late."
        );
        assert!(of_sleeps(&two, true, None, "Linux").text.contains("the baseline of 2 rows"));
        assert_eq!(
            headline(&cells(&[MS], &all, 400, late)),
            "Sleeps of 1 ms end 15.0 µs to 115 µs late at the median in 3 rows; one in a hundred of the worst row ends 4.00 ms late \
         or later. The latest, nanosleep, slack 50.0 µs: 115 µs late."
        );
    }

    /// A sentence on one row of several is not about all.
    #[test]
    fn the_latest_of_one_row_is_not_that_of_all() {
        let free = [Conditions::default()];
        let late =
            |cell, number: u64| US(if number == 0 { 100 + 5_000 * i64::from(cell) } else { 70 + i64::from(cell) });
        let requests = [MS, US(500), US(200)];
        assert_eq!(
            headline(&cells(&requests, &free, 10, late)),
            "Sleeps of 500 µs end 71.0 µs late at the median (nanosleep, of 3 rows the one with the middle median). The latest of these \
         ended 5.10 ms late, that of all rows 10.1 ms late."
        );
        assert_eq!(
            headline(&cells(&requests[..2], &free, 400, late)),
            "Sleeps of 1 ms end 70.0 µs late at the median (nanosleep, of 2 rows the one with the smaller median). One in a hundred of \
         these ends 70.0 µs late or later."
        );
        assert_eq!(
            headline(&cells(&requests[..1], &free, 10, late)),
            "Sleeps of 1 ms end 70.0 µs late at the median. The latest ended 100 µs late."
        );
    }

    /// A median of equal sleeps needs five of them; pictures may join different ones and have a median.
    #[test]
    fn too_few_sleeps_for_a_median_are_too_few_in_each_row() {
        let text = |requests: &[Nanos], each| headline(&cells(requests, &[Conditions::default()], each, |_, _| US(70)));
        let requests: Vec<Nanos> = (1..=42).map(Nanos::from_millis).collect();
        assert_eq!(
            text(&requests, 2),
            "84 sleeps, at most 2 of them with the same method, request and conditions: too few for a median, which needs 5 such sleeps."
        );
        assert!(text(&requests, 1).starts_with("42 sleeps, no two of them with the same method"));
        assert_eq!(text(&[MS], 4), "4 sleeps are too few for a median, which needs 5.");
        assert_eq!(text(&[MS], 1), "One sleep is too few for a median, which needs 5.");
        assert_eq!(text(&[MS], 5), "Sleeps of 1 ms end 70.0 µs late at the median. The latest ended 70.0 µs late.");
    }
}
