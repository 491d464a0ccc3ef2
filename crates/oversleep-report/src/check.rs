//! Checks that decide an exit code, such as `p99>100us` or `late>1%`.

mod bounds;
mod figure;
mod periods;
mod read;

pub use periods::periods_needed;

use super::table;
use figure::FigureCheck;
use oversleep_figures::CellSummary;
use oversleep_recording::document::DistributionFigures;
use oversleep_sys::units::Nanos;
use periods::PeriodCheck;
use std::fmt;

/// Result of a check: one line for a cell that did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckResult {
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
    Periods(PeriodCheck),
}

/// Message for figures that only a schedule has.
const NEEDS_SCHEDULE: &str = "needs a schedule (--interval)";

impl FailIf {
    /// Returns whether only schedules have what is checked.
    pub const fn needs_schedule(&self) -> bool {
        match self.0 {
            Check::Figure(check) => check.is_of_periods(),
            Check::Periods(_) => true,
        }
    }

    /// Returns whether the check needs to know how long the work of a period takes.
    pub const fn needs_work(&self) -> bool {
        matches!(self.0, Check::Periods(check) if check.needs_work())
    }

    /// Returns the cells that fail, and those left undecided by too few samples: a check must not pass for lack of
    /// evidence. `work` is how long the work of each period takes, if that was said.
    pub fn judge<'a>(&self, cells: impl Iterator<Item = &'a CellSummary>, work: Option<Nanos>) -> Vec<CheckResult> {
        let cells: Vec<&CellSummary> = cells.collect();
        let judge = |(cell, row): (&&CellSummary, String)| match &self.0 {
            Check::Figure(check) => check.judge(cell, &row),
            Check::Periods(check) => check.judge(cell, &row, work),
        };
        let judged = cells.iter().zip(rows(&cells)).filter(|(cell, _)| cell.raw.n > 0);
        judged.filter_map(judge).collect()
    }

    /// Returns the rows of another program's counts that fail, and those whose bounds do not decide.
    pub fn judge_counts<'a>(&self, rows: impl Iterator<Item = &'a DistributionFigures>) -> Vec<CheckResult> {
        let judge = |row: &DistributionFigures| match &self.0 {
            Check::Figure(check) => check.judge_counts(row),
            Check::Periods(check) => Some(check.not_counted(row)),
        };
        rows.filter_map(judge).collect()
    }
}

impl fmt::Display for FailIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Check::Figure(check) => check.fmt(f),
            Check::Periods(check) => check.fmt(f),
        }
    }
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
    let differ = |each: &[String]| each.windows(2).any(|two| two[0] != two[1]);
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
