//! Checks that decide an exit code, such as `p99>100us` or `late>1%`.

mod bounds;
mod counts;
mod figure;
mod read;

pub use counts::periods_needed;

use super::table;
use counts::CountCheck;
use figure::FigureCheck;
use oversleep_figures::CellSummary;
use oversleep_recording::WatchedCpu;
use oversleep_recording::document::DistributionFigures;
use oversleep_sys::units::Nanos;
use std::fmt;

/// Result of a check of one cell, as one line.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckResult {
    /// The figure is within the limit.
    Passed {
        /// The figure and the limit.
        text: String,
        /// Distance from the limit, in the unit of the check: tells which of several rows is nearest to it.
        room: f64,
    },
    /// The figure is beyond the limit.
    Failed(String),
    /// The samples do not decide on which side of the limit the figure is.
    Undecided(String),
}

/// A condition under which a run counts as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailIf(Check);

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    Figure(FigureCheck),
    Count(CountCheck),
}

/// Message for figures that only a schedule has.
const NEEDS_SCHEDULE: &str = "needs a schedule (--interval)";

impl FailIf {
    /// Returns whether the checked figure exists only for schedules.
    pub const fn needs_schedule(&self) -> bool {
        match self.0 {
            Check::Figure(check) => check.is_of_periods(),
            Check::Count(check) => check.is_of_periods(),
        }
    }

    /// Returns whether the check needs to know how long the work of a period takes.
    pub const fn needs_work(&self) -> bool {
        matches!(self.0, Check::Count(check) if check.needs_work())
    }

    /// Returns the cells that fail, those left undecided by too few samples (a check must not pass for lack of evidence), and
    /// of those that pass the one nearest to the limit.
    pub fn judge<'a>(&self, cells: impl Iterator<Item = &'a CellSummary>, known: Known) -> Vec<CheckResult> {
        let cells: Vec<&CellSummary> = cells.collect();
        let judge = |(cell, row): (&&CellSummary, String)| match &self.0 {
            Check::Figure(check) => check.judge(cell, &row),
            Check::Count(check) => check.judge(cell, &row, known),
        };
        // Cells without a sleep have nothing to check, except processors that were watched: no stall was seen.
        let is_watched = |cell: &CellSummary| known.watched(cell).is_some_and(|time| time > Nanos::ZERO);
        let has_figures = |cell: &CellSummary| cell.raw.n > 0 || self.counts() && is_watched(cell);
        let judged = cells.iter().zip(rows(&cells)).filter(|(cell, _)| has_figures(cell));
        nearest(judged.map(judge).collect())
    }

    /// Returns the rows of another program's counts that fail, those whose bounds do not decide, and of those that pass the
    /// one nearest to the limit.
    pub fn judge_counts<'a>(&self, rows: impl Iterator<Item = &'a DistributionFigures>) -> Vec<CheckResult> {
        let judge = |row: &DistributionFigures| match &self.0 {
            Check::Figure(check) => check.judge_counts(row),
            Check::Count(check) => check.not_counted(row),
        };
        nearest(rows.map(judge).collect())
    }

    const fn counts(&self) -> bool {
        matches!(self.0, Check::Count(_))
    }
}

impl fmt::Display for FailIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Check::Figure(check) => check.fmt(f),
            Check::Count(check) => check.fmt(f),
        }
    }
}

/// What checks need to know beyond the figures of cells.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// How long the work of each period of a schedule takes, if that was given.
    pub work: Option<Nanos>,
    /// The processors that were watched, if the cells are of their stalls.
    pub watched: &'a [WatchedCpu],
}

impl Known<'_> {
    /// Returns the account of the processor whose stalls the cell has; `None` for a cell of sleeps.
    fn account(&self, cell: &CellSummary) -> Option<&WatchedCpu> {
        self.watched.iter().find(|one| one.cell == cell.cell.id)
    }

    /// Returns for how long the processor was watched whose stalls the cell has; `None` for a cell of sleeps.
    fn watched(&self, cell: &CellSummary) -> Option<Nanos> {
        self.account(cell).map(WatchedCpu::watched)
    }

    /// Returns the number of stalls that were counted and not kept.
    fn unlisted(&self, cell: &CellSummary) -> u64 {
        self.account(cell).map_or(0, |account| account.unlisted)
    }
}

/// Keeps of the rows that pass the one nearest to the limit, and adds to it how many there are.
pub fn nearest(results: Vec<CheckResult>) -> Vec<CheckResult> {
    let (passed, mut others): (Vec<_>, Vec<_>) =
        results.into_iter().partition(|result| matches!(result, CheckResult::Passed { .. }));
    let rows = passed.len();
    let room = |result: &CheckResult| if let CheckResult::Passed { room, .. } = result { *room } else { f64::MAX };
    others.extend(passed.into_iter().min_by(|one, other| room(one).total_cmp(&room(other))).map(
        |result| match result {
            CheckResult::Passed { text, room } if rows > 1 => {
                CheckResult::Passed { text: format!("{text}; of {rows} rows this is nearest to the limit"), room }
            }
            one => one,
        },
    ));
    others
}

/// Returns the sign of a check that fails above or below its limit.
const fn sign(above: bool) -> char {
    if above { '>' } else { '<' }
}

/// Returns the names of the cells' rows: the method, with the request and the conditions where those of the cells differ.
fn rows(cells: &[&CellSummary]) -> Vec<String> {
    let asked = table::asked(cells.iter().copied());
    let under = |cell: &&CellSummary| table::conditions(&cell.cell.conditions, cell.obtained.as_ref());
    let conditions: Vec<String> = cells.iter().map(under).collect();
    let differ = |texts: &[String]| texts.windows(2).any(|two| two[0] != two[1]);
    let (with_request, with_conditions) = (differ(&asked), differ(&conditions));
    let name = |((cell, asked), conditions): ((&&CellSummary, &String), &String)| {
        let mut name = cell.cell.method.clone();
        if with_request {
            name += &format!(" {asked}");
        }
        if with_conditions {
            name += &format!(", {conditions}");
        }
        name
    };
    cells.iter().zip(&asked).zip(&conditions).map(name).collect()
}

#[cfg(test)]
mod tests;
