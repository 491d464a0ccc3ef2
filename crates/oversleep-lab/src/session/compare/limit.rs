//! Limits of differences, as they are written.

use oversleep_recording::document::{ComparedFigure, ComparedShare};
use oversleep_sys::units::Nanos;
use std::fmt;
use std::str::FromStr;

/// Name of the largest value in a check.
const MAXIMUM: &str = "max";

/// A shift that counts as a failure, such as `p99>+10%`, `p50>+2us` or `p50<-5%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShiftLimit {
    pub(super) figure: Limited,
    /// Whether a difference above the limit fails, rather than one below it.
    pub(super) above: bool,
    pub(super) limit: Limit,
}

/// A figure with a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limited {
    Quantile(ComparedFigure),
    /// The largest value, which is compared without a test.
    Maximum,
    /// A share of a schedule's periods, of which the limit is in percentage points.
    Share(ComparedShare),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limit {
    /// Per cent of side A's figure; of a share of periods, percentage points.
    Percent(f64),
    Time(Nanos),
}

impl FromStr for ShiftLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let explain = || {
            format!(
                "'{text}' is not a check of a shift; write a figure (p50, p99, p99.9, max), > or <, and a signed share or time, as in p99>+10%; \
                 of schedules also late, skipped or missed, with percentage points: late>+1%"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        let name = name.trim();
        let figure = Limited::named(name).ok_or_else(explain)?;
        let written = rest[1..].trim();
        let value = written.trim_start_matches('+').replace('−', "-");
        let limit = match (value.strip_suffix('%'), figure) {
            (Some(number), _) => Limit::percent(number).ok_or_else(explain)?,
            (None, Limited::Share(_)) if value == "0" => Limit::Percent(0.0),
            (None, Limited::Share(_)) => return Err(points_needed(text, name)),
            (None, _) => Limit::Time(value.parse().map_err(|_| explain())?),
        };
        // `p50>100us` reads as a limit of the figure itself, which is another check.
        if !written.starts_with(['+', '-', '−']) && !limit.is_zero() {
            return Err(format!(
                "'{text}' limits no difference without a sign: write {name}{}+{written} (a limit of the figure itself is a check of `report`)",
                &rest[..1]
            ));
        }
        if let (Limited::Share(_), Limit::Percent(points)) = (figure, limit)
            && points.abs() >= 100.0
        {
            return Err(format!("'{text}': shares of periods differ by less than 100 percentage points"));
        }
        Ok(Self { figure, above: rest.starts_with('>'), limit })
    }
}

/// Returns the error that a share of periods is limited by something else than percentage points.
fn points_needed(text: &str, name: &str) -> String {
    format!(
        "'{text}': the limit of '{name}' is in percentage points, B's share of the periods minus A's, as in {name}>+1%"
    )
}

impl Limited {
    /// Returns the figure of this name.
    fn named(name: &str) -> Option<Self> {
        let quantile = || ComparedFigure::ALL.into_iter().find(|figure| figure.name() == name).map(Self::Quantile);
        let share = || ComparedShare::ALL.into_iter().find(|share| share.name() == name).map(Self::Share);
        if name == MAXIMUM { Some(Self::Maximum) } else { quantile().or_else(share) }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Quantile(figure) => figure.name(),
            Self::Maximum => MAXIMUM,
            Self::Share(share) => share.name(),
        }
    }
}

impl Limit {
    /// Returns a limit in percent; `None` if the text is not a finite number.
    fn percent(number: &str) -> Option<Self> {
        let percent: f64 = number.trim().parse().ok()?;
        percent.is_finite().then_some(Self::Percent(percent))
    }

    fn is_zero(self) -> bool {
        match self {
            Self::Percent(percent) => percent == 0.0,
            Self::Time(time) => time == Nanos::ZERO,
        }
    }
}

impl fmt::Display for ShiftLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.figure.name(), if self.above { '>' } else { '<' })?;
        match self.limit {
            Limit::Percent(percent) => write!(f, "{percent:+}%"),
            Limit::Time(time) => write!(f, "{}{time}", if time > Nanos::ZERO { "+" } else { "" }),
        }
    }
}

impl ShiftLimit {
    /// Returns the share of a schedule's periods that is limited, if it is one.
    pub const fn share(&self) -> Option<ComparedShare> {
        match self.figure {
            Limited::Share(share) => Some(share),
            _ => None,
        }
    }

    /// Returns whether the check needs to know how long the work of a period takes.
    pub fn needs_work(&self) -> bool {
        self.share() == Some(ComparedShare::Missed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let read = |text: &str| text.parse::<ShiftLimit>();
        let limit =
            ShiftLimit { figure: Limited::Quantile(ComparedFigure::P99), above: true, limit: Limit::Percent(10.0) };
        assert_eq!(read("p99 > +10%"), Ok(limit));
        assert_eq!(read("p50>+2us").unwrap().limit, Limit::Time(Nanos::from_micros(2)));
        assert_eq!(read("p50>0").unwrap().limit, Limit::Time(Nanos::ZERO));
        assert_eq!(read("p99.9<-5 %").unwrap().limit, Limit::Percent(-5.0));
        assert_eq!(read("max>+10%").unwrap().figure, Limited::Maximum);
        for wrong in ["p98>+1%", "p50", "p50>fast", "p50>+NaN%", "p50>%"] {
            assert!(read(wrong).is_err_and(|text| text.contains("p99>+10%")), "{wrong}");
        }
        for (unsigned, signed) in [("p50>100us", "write p50>+100us ("), ("max < 10%", "write max<+10% (")] {
            assert!(read(unsigned).is_err_and(|text| text.contains(signed)), "{unsigned}");
        }
        let shown = ["p99>+10%", "p50<-2us", "p50<−2us", "max>0"].map(|text| read(text).unwrap().to_string());
        assert_eq!(shown, ["p99>+10%", "p50<-2.00 µs", "p50<-2.00 µs", "max>0 ns"]);
    }

    #[test]
    fn shares_of_periods_are_limited_in_points() {
        let read = |text: &str| text.parse::<ShiftLimit>();
        let limit =
            ShiftLimit { figure: Limited::Share(ComparedShare::Skipped), above: true, limit: Limit::Percent(0.1) };
        assert_eq!(read("skipped>+0.1%"), Ok(limit));
        assert_eq!(read("late < -2 %").unwrap().to_string(), "late<-2%");
        assert_eq!(read("missed>0").unwrap().limit, Limit::Percent(0.0));
        assert!(read("missed>+1%").unwrap().needs_work() && !read("late>+1%").unwrap().needs_work());
        for wrong in ["late>+5", "missed>+1ms", "late>+"] {
            let said = format!("'{wrong}': the limit of '");
            assert!(
                read(wrong).is_err_and(|text| text.starts_with(&said) && text.contains("percentage points")),
                "{wrong}"
            );
        }
        assert!(read("late>+100%").is_err_and(|text| text.ends_with("by less than 100 percentage points")));
        assert!(read("late>1%").is_err_and(|text| text.contains("write late>+1% (")));
    }
}
