//! Checks of counts or shares: of a schedule's periods (`late>0`, `skipped>0.1%`, `missed>1%`), of late sleeps or long stalls
//! (`over 10ms>0.1%`).

use super::{CheckResult, Known, NEEDS_SCHEDULE, sign};
use crate::over;
use crate::percent::percent_two_digits;
use oversleep_figures::CellSummary;
use oversleep_recording::document::DistributionFigures;
use oversleep_sys::units::Nanos;
use std::fmt;

/// A count with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountCheck {
    pub(super) counted: Counted,
    pub(super) above: bool,
    pub(super) limit: CountLimit,
}

/// Word before the limit beyond which sleeps are counted.
pub(super) const OVER: &str = "over";

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Periods without a wake-up of their own.
    Skipped,
    /// Periods whose wake-up came after the next was due.
    Late,
    /// Periods that left less time than their work takes.
    Missed,
    /// Sleeps later than this, or stalls longer than this, whose share is of the time watched.
    Over(Nanos),
}

/// The limit of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountLimit {
    Count(u64),
    /// A share of all, in units of [`CountLimit::UNITS`] per percent: exact, where a float is not.
    Share(u64),
}

impl CountLimit {
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

    /// Returns the limit of a share, 0 to 1; `None` for that of a count.
    fn share(self) -> Option<f64> {
        match self {
            Self::Count(_) => None,
            Self::Share(share) => Some(share as f64 / (100.0 * Self::UNITS as f64)),
        }
    }

    /// Returns whether `count` of `total` is beyond the limit.
    fn is_beyond(self, count: u64, total: u64, above: bool) -> bool {
        let (count, limit) = match self {
            Self::Count(limit) => (u128::from(count), u128::from(limit)),
            Self::Share(share) => {
                (u128::from(count) * 100 * u128::from(Self::UNITS), u128::from(share) * u128::from(total))
            }
        };
        if above { count > limit } else { count < limit }
    }
}

impl fmt::Display for CountLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Share(share) => write!(f, "{}%", *share as f64 / Self::UNITS as f64),
        }
    }
}

impl Counted {
    const OF_PERIODS: [(&str, Self); 3] = [("skipped", Self::Skipped), ("late", Self::Late), ("missed", Self::Missed)];

    /// Returns the periods of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::OF_PERIODS.iter().find(|(known, _)| *known == name).map(|(_, counted)| *counted)
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(limit) => write!(f, "{OVER} {}", format!("{limit:#}").replace(' ', "")),
            _ => Self::OF_PERIODS.iter().find(|(_, counted)| counted == self).map_or("", |(name, _)| name).fmt(f),
        }
    }
}

impl CountCheck {
    /// Returns whether the check needs to know how long the work of a period takes.
    pub(super) const fn needs_work(self) -> bool {
        matches!(self.counted, Counted::Missed)
    }

    /// Returns whether the counted events exist only in schedules.
    pub(super) const fn is_of_periods(&self) -> bool {
        !matches!(self.counted, Counted::Over(_))
    }

    /// Judges one cell, whose row is named `row`.
    pub(super) fn judge(&self, cell: &CellSummary, row: &str, known: Known) -> CheckResult {
        let (name, sign, limit) = (self.counted.to_string(), sign(self.above), self.limit);
        let Some(tally) = self.tally(cell, known) else {
            let lacks_work = self.needs_work() && known.work.is_none();
            let needs = if lacks_work { "needs the time that the work takes (--work)" } else { NEEDS_SCHEDULE };
            return CheckResult::Undecided(format!("{row}: {name} {needs}"));
        };
        let is_beyond = limit.is_beyond(tally.count, tally.of, self.above);
        if self.above
            && !is_beyond
            && tally.unit != Unit::Time
            && let Some(needed) = limit.share().and_then(periods_needed)
            && tally.of < needed
        {
            let unit = tally.unit.name();
            return CheckResult::Undecided(format!(
                "{row}: {name} {sign}{limit} needs {needed} {unit} to be ruled out; only {}",
                tally.of
            ));
        }
        let unlisted = known.unlisted(cell);
        if !is_beyond && self.above && unlisted > 0 && matches!(self.counted, Counted::Over(_)) {
            return CheckResult::Undecided(format!(
                "{row}: {name}: {unlisted} stalls found no room in the list, and any of them may be that long"
            ));
        }
        let found = match limit {
            CountLimit::Count(_) => format!("{row}: {name} {}", tally.count),
            CountLimit::Share(_) => format!("{row}: {name} {}", tally.share()),
        };
        if is_beyond {
            CheckResult::Failed(format!("{found} {sign} {limit}"))
        } else {
            CheckResult::Passed { text: format!("{found}, not {sign} {limit}"), room: self.room(&tally) }
        }
    }

    /// Returns how far a count or share is from the limit.
    fn room(&self, tally: &Tally) -> f64 {
        match self.limit {
            CountLimit::Count(limit) => (limit as f64 - tally.count as f64).abs(),
            CountLimit::Share(_) => {
                (self.limit.share().unwrap_or(0.0) - tally.count as f64 / tally.of.max(1) as f64).abs()
            }
        }
    }

    /// Returns how much is counted, and of how much; `None` where that is not known.
    fn tally(&self, cell: &CellSummary, known: Known) -> Option<Tally> {
        let (count, of, unit) = match self.counted {
            Counted::Skipped => cell.periods.map(|periods| (periods.skipped, periods.asked, Unit::Periods))?,
            Counted::Late => cell.periods.map(|periods| (periods.late, periods.asked, Unit::Periods))?,
            Counted::Missed => {
                cell.periods_for(known.work?).map(|periods| (periods.missed, periods.all(), Unit::Periods))?
            }
            Counted::Over(limit) => {
                let over = cell.over(limit, known.watched(cell));
                match over.time.zip(over.watched) {
                    Some((time, watched)) if self.limit.share().is_some() => {
                        (time.get().unsigned_abs(), watched.get().unsigned_abs(), Unit::Time)
                    }
                    _ => (over.count, over.of, Unit::Sleeps),
                }
            }
        };
        Some(Tally { count, of, unit })
    }

    /// Returns that another program's file does not count this.
    pub(super) fn not_counted(&self, row: &DistributionFigures) -> CheckResult {
        let why = match self.counted {
            Counted::Over(_) => "is not counted in a file of buckets; check a quantile, as in p99.9>10ms",
            _ => "is not in the file",
        };
        CheckResult::Undecided(format!("{}: {} {why}", row.method, self.counted))
    }
}

/// What was counted, and of how much.
#[derive(Debug, Clone, Copy)]
struct Tally {
    count: u64,
    of: u64,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Periods,
    Sleeps,
    /// Nanoseconds of watching for stalls.
    Time,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Periods => "periods",
            Self::Sleeps => "sleeps",
            Self::Time => "watched",
        }
    }
}

impl Tally {
    /// Returns the share in words, with its interval where single events are counted.
    fn share(&self) -> String {
        let (count, of) = (self.count, self.of);
        let share = percent_two_digits(count as f64 / of.max(1) as f64);
        if self.unit == Unit::Time {
            let [stalled, watched] = [count, of].map(|ns| Nanos::from_f64(ns as f64));
            return format!("{stalled} of {watched} watched, {share}");
        }
        format!("{count} of {of} {}, {share}{}", self.unit.name(), over::interval(count, of))
    }
}

/// Returns how many periods rule out, with 95 % confidence, a share of more than this (0 to 1) if none of them is counted: as many
/// as the quantile of that share needs. `None` for a share of zero, which one period exceeds, and for all.
pub fn periods_needed(share: f64) -> Option<u64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, and saturating is what is wanted
    (share > 0.0 && share < 1.0).then(|| (0.05_f64.ln() / (-share).ln_1p()).ceil() as u64)
}

impl fmt::Display for CountCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.counted, sign(self.above), self.limit)
    }
}
