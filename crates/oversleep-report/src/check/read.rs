//! Checks as they are written.

use super::counts::{CountCheck, CountLimit, Counted, OVER};
use super::figure::{CORRECTED, FIGURES, Figure, FigureCheck, LEFT, Series};
use super::{Check, FailIf};
use std::str::FromStr;

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = text.find(['<', '>']).ok_or_else(|| explained(text))?;
        let (name, rest) = text.split_at(place);
        if rest[1..].starts_with('=') {
            return Err(format!(
                "'{text}': a check has no >= and no <=; write {}{}{}",
                name.trim(),
                &rest[..1],
                rest[2..].trim()
            ));
        }
        let above = rest.starts_with('>');
        if let Some(limit) = name.trim().strip_prefix(OVER).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            let limit = limit.trim().parse().map_err(|error| format!("'{text}': {error}; write {OVER} 10ms{rest}"))?;
            let counted = Counted::Over(limit);
            let limit = count_limit(&counted.to_string(), "sleeps or stalls", rest)?;
            return Ok(Self(Check::Count(CountCheck { counted, above, limit })));
        }
        let (series, name) = match name.trim().split_once(' ') {
            Some((CORRECTED, name)) => (Series::Corrected, name.trim()),
            Some((quantile, last)) if last.trim() == LEFT && quantile.starts_with('p') => (Series::Left, quantile),
            None if name.trim() == LEFT => (Series::Left, "max"),
            _ => (Series::Raw, name.trim()),
        };
        if let Some(counted) = Counted::named(name) {
            if series == Series::Corrected {
                return Err(format!("{name} counts every period already; write {name}>0"));
            }
            return Ok(Self(Check::Count(CountCheck { counted, above, limit: count_limit(name, "periods", rest)? })));
        }
        let figure = FIGURES.iter().find(|(known, _)| *known == name);
        let figure = figure.ok_or_else(|| mistaken(text, name, rest).unwrap_or_else(|| explained(text)))?.1;
        let written = rest[1..].trim();
        if written.ends_with('%') {
            return Err(share_of_time(text, series, figure, rest));
        }
        let limit = written.parse().map_err(|error| format!("{error}"))?;
        Ok(Self(Check::Figure(FigureCheck { figure, series, above, limit })))
    }
}

/// Returns what a check looks like.
fn explained(text: &str) -> String {
    format!(
        "'{text}' is not a check; write a figure (min, mean, p50, p90, p99, p99.9, max), < or >, and a time, such as p99>100us, or a \
         count or share of late sleeps: over 10ms>0, over 10ms>0.1%; \
         of a schedule also 'corrected p99>1ms' for a figure of every period, 'p99 left<8ms' for what 99 % of the periods left \
         after waking (left<8ms: all of them), and counts or shares of periods: late>0, skipped>0.1%, missed>1% (with --work)"
    )
}

/// Reads the limit of a count of `what`; `rest` is the check from its sign.
fn count_limit(name: &str, what: &str, rest: &str) -> Result<CountLimit, String> {
    let written = rest[1..].trim();
    CountLimit::read(written).ok_or_else(|| {
        let kind = if written.ends_with('%') {
            format!("a share of {what} (0% to 100%)")
        } else {
            format!("a number of {what}")
        };
        format!("'{written}' is not {kind}; write {name}>0 or {name}>1%")
    })
}

/// Returns the error that a time is limited by a share.
fn share_of_time(text: &str, series: Series, figure: Figure, rest: &str) -> String {
    if series == Series::Left && figure == Figure::Max {
        let written = rest[1..].trim();
        let (work, share) = written.split_once('>').unwrap_or(("8ms", written));
        return format!(
            "'{text}': the limit is a time; for the share of the periods with too little left, write --work {work} --fail-if \
             'missed>{share}'"
        );
    }
    format!(
        "'{text}': the limit of this figure is a time, such as 100us; late, skipped, missed and over 10ms take a share"
    )
}

/// Returns the error for a word that is often used in place of a figure's name, such as `median`; `rest` is the check after it.
fn mistaken(text: &str, name: &str, rest: &str) -> Option<String> {
    let last = name.rsplit(' ').next().unwrap_or(name);
    Some(match last {
        _ if name.starts_with("left ") => format!("'{text}': write {last} {LEFT}{rest}"),
        "median" => format!("'{text}': the median is p50; write p50{rest}"),
        "p95" | "p75" => format!("'{text}': no row has {last}; the quantiles are p50, p90, p99 and p99.9"),
        known if known != name && is_known(known) => {
            format!("'{text}': a check holds for every row, and names none; write {known}{rest}")
        }
        _ => return None,
    })
}

/// Returns whether a figure or a count of periods has this name.
fn is_known(name: &str) -> bool {
    FIGURES.iter().any(|(figure, _)| *figure == name) || Counted::named(name).is_some()
}
