//! Checks of counts of a schedule's periods, or of their share: `late>0`, `skipped>0.1%`, `missed>1%`.

use super::{CheckResult, NEEDS_SCHEDULE, sign};
use oversleep_figures::CellSummary;
use oversleep_recording::document::DistributionFigures;
use oversleep_sys::units::Nanos;
use std::fmt;

/// A count of periods with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PeriodCheck {
    pub(super) counted: Counted,
    pub(super) above: bool,
    pub(super) limit: PeriodLimit,
}

/// The periods that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Those without a wake-up of their own.
    Skipped,
    /// Those whose wake-up came after the next was due.
    Late,
    /// Those that left less time than their work takes.
    Missed,
}

/// The limit of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodLimit {
    Count(u64),
    /// A share of all periods, in units of [`PeriodLimit::UNITS`] per percent: exact, where a float is not.
    Share(u64),
}

impl PeriodLimit {
    /// Units of a share that are one percent.
    const UNITS: u64 = 1_000_000_000;

    /// Returns a limit as it is written: a whole number, or a share such as `0.1%`; `None` for anything else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let Some(percent) = text.strip_suffix('%') else { return text.parse().ok().map(Self::Count) };
        let (whole, decimals) = percent.trim().split_once('.').unwrap_or((percent.trim(), "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) || decimals.len() > 9 {
            return None;
        }
        let units = whole.parse::<u64>().ok()?.checked_mul(Self::UNITS)?;
        let share = units.checked_add(format!("{decimals:0<9}").parse().ok()?)?;
        (share <= 100 * Self::UNITS).then_some(Self::Share(share))
    }

    /// Returns whether so many of all periods are beyond the limit.
    fn is_beyond(self, count: u64, of: u64, above: bool) -> bool {
        let (count, limit) = match self {
            Self::Count(limit) => (u128::from(count), u128::from(limit)),
            Self::Share(share) => {
                (u128::from(count) * 100 * u128::from(Self::UNITS), u128::from(share) * u128::from(of))
            }
        };
        if above { count > limit } else { count < limit }
    }
}

impl fmt::Display for PeriodLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Share(share) => write!(f, "{}%", *share as f64 / Self::UNITS as f64),
        }
    }
}

impl Counted {
    const ALL: [(&str, Self); 3] = [("skipped", Self::Skipped), ("late", Self::Late), ("missed", Self::Missed)];

    /// Returns the periods of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, counted)| *counted)
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, counted)| *counted == self).map_or("", |(name, _)| name)
    }
}

impl PeriodCheck {
    /// Returns whether the check needs to know how long the work of a period takes.
    pub(super) const fn needs_work(self) -> bool {
        matches!(self.counted, Counted::Missed)
    }

    /// Judges one cell, whose row is named `row`.
    pub(super) fn judge(&self, cell: &CellSummary, row: &str, work: Option<Nanos>) -> Option<CheckResult> {
        let name = self.counted.name();
        let Some((count, of)) = self.count(cell, work) else {
            let lacks_work = self.needs_work() && work.is_none();
            let needs = if lacks_work { "needs the time that the work takes (--work)" } else { NEEDS_SCHEDULE };
            return Some(CheckResult::Undecided(format!("{row}: {name} {needs}")));
        };
        if self.above
            && let PeriodLimit::Share(share) = self.limit
            && let Some(needed) = periods_needed(share as f64 / (100.0 * PeriodLimit::UNITS as f64))
            && of < needed
            && !self.limit.is_beyond(count, of, true)
        {
            return Some(CheckResult::Undecided(format!(
                "{row}: {name} {sign}{limit} needs {needed} periods to be ruled out; only {of}",
                sign = sign(self.above),
                limit = self.limit,
            )));
        }
        self.limit.is_beyond(count, of, self.above).then(|| {
            let (sign, limit) = (sign(self.above), self.limit);
            CheckResult::Failed(match limit {
                PeriodLimit::Count(_) => format!("{row}: {name} {count} {sign} {limit}"),
                PeriodLimit::Share(_) => {
                    format!("{row}: {name} {count} of {of} periods, {} {sign} {limit}", percent(count, of))
                }
            })
        })
    }

    /// Returns how many periods are counted, and of how many; `None` where that is not known.
    fn count(&self, cell: &CellSummary, work: Option<Nanos>) -> Option<(u64, u64)> {
        match self.counted {
            Counted::Skipped => cell.periods.map(|periods| (periods.skipped, periods.asked)),
            Counted::Late => cell.periods.map(|periods| (periods.late, periods.asked)),
            Counted::Missed => cell.periods_for(work?).map(|periods| (periods.missed, periods.all())),
        }
    }

    /// Returns that another program's file does not count periods.
    pub(super) fn not_counted(&self, row: &DistributionFigures) -> CheckResult {
        CheckResult::Undecided(format!("{}: {} is not in the file", row.method, self.counted.name()))
    }
}

/// Returns how many periods rule out, with 95 % confidence, a share of more than this (0 to 1) if none of them is counted: as many
/// as the quantile of that share needs. `None` for a share of zero, which one period exceeds, and for all.
pub fn periods_needed(share: f64) -> Option<u64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, and saturating is what is wanted
    (share > 0.0 && share < 1.0).then(|| (0.05_f64.ln() / (-share).ln_1p()).ceil() as u64)
}

/// Returns a share of periods with up to four decimals: `1.25%`.
fn percent(count: u64, of: u64) -> String {
    let shown = format!("{:.4}", 100.0 * count as f64 / of.max(1) as f64);
    format!("{}%", shown.trim_end_matches('0').trim_end_matches('.'))
}

impl fmt::Display for PeriodCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.counted.name(), sign(self.above), self.limit)
    }
}
