//! Checks that decide an exit code, such as `p99>100us`.

use crate::figures::CellSummary;
use crate::figures::quantile::{Fraction, samples_needed};
use oversleep_recording::document::Figures;
use oversleep_sys::units::Nanos;
use std::str::FromStr;

/// Result of a check: one line for a cell that did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckResult {
    /// The figure is beyond the limit.
    Failed(String),
    /// The samples do not decide on which side of the limit the figure is.
    Undecided(String),
}

/// A condition under which a run counts as failed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FailIf {
    figure: Figure,
    above: bool,
    limit: Nanos,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Figure {
    Min,
    Mean,
    P50,
    P90,
    P99,
    P999,
    Max,
}

const FIGURES: [(&str, Figure); 8] = [
    ("min", Figure::Min),
    ("mean", Figure::Mean),
    ("p50", Figure::P50),
    ("p90", Figure::P90),
    ("p999", Figure::P999),
    ("p99.9", Figure::P999),
    ("p99", Figure::P99),
    ("max", Figure::Max),
];

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let explain = || {
            format!(
                "'{text}' is not a check; write a figure (min, mean, p50, p90, p99, p99.9, max), < or >, and a time, such as p99>100us"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        let figure = FIGURES.iter().find(|(known, _)| *known == name.trim()).ok_or_else(explain)?.1;
        let limit = rest[1..].trim().parse().map_err(|error| format!("{error}"))?;
        Ok(Self { figure, above: rest.starts_with('>'), limit })
    }
}

impl Figure {
    /// Returns the number of samples that the figure needs, in words.
    fn needs(self) -> String {
        let fraction = match self {
            Self::P50 => Fraction::P50,
            Self::P90 => Fraction::P90,
            Self::P99 => Fraction::P99,
            Self::P999 => Fraction::P999,
            Self::Min | Self::Mean | Self::Max => return "needs samples".to_owned(),
        };
        format!("needs {} samples", samples_needed(fraction))
    }
}

impl FailIf {
    /// Returns the cells that fail, and those left undecided by too few samples: a check must not pass for lack of
    /// evidence.
    pub fn judge<'a>(&self, cells: impl Iterator<Item = &'a CellSummary>) -> Vec<CheckResult> {
        let judge = |cell: &CellSummary| {
            let name = FIGURES.iter().find(|(_, figure)| *figure == self.figure).map_or("", |(name, _)| name);
            let sign = if self.above { '>' } else { '<' };
            match self.value(&cell.raw) {
                None => {
                    let needs = self.figure.needs();
                    Some(CheckResult::Undecided(format!("{}: {name} {needs}; only {}", cell.cell.method, cell.raw.n)))
                }
                Some(value) if (self.above && value > self.limit) || (!self.above && value < self.limit) => {
                    let method = &cell.cell.method;
                    Some(CheckResult::Failed(format!("{method}: {name} {value:#} {sign} {:#}", self.limit)))
                }
                Some(_) => None,
            }
        };
        cells.filter(|cell| cell.raw.n > 0).filter_map(judge).collect()
    }

    fn value(&self, figures: &Figures) -> Option<Nanos> {
        match self.figure {
            Figure::Min => figures.min,
            Figure::Mean => figures.mean_ns.map(Nanos::from_f64),
            Figure::P50 => figures.p50,
            Figure::P90 => figures.p90,
            Figure::P99 => figures.p99,
            Figure::P999 => figures.p999,
            Figure::Max => figures.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_read() {
        let check: FailIf = "p99>100us".parse().unwrap();
        assert_eq!(check, FailIf { figure: Figure::P99, above: true, limit: Nanos::from_micros(100) });
        assert_eq!("p99.9 < 1ms".parse::<FailIf>().unwrap().figure, Figure::P999);
        assert!("p98>1us".parse::<FailIf>().unwrap_err().contains("p99>100us"));
        assert!("p99>fast".parse::<FailIf>().unwrap_err().contains("not a duration"));
        assert!("p99".parse::<FailIf>().is_err());
    }
}
