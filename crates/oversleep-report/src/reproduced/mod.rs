//! Reports on reproduced publications: as text, Markdown, HTML page or SVG.

mod html;
mod markdown;
mod text;

pub use html::page;
pub use markdown::markdown;
pub use text::text;

use super::picture;
use oversleep_recording::document::{Agreement, Claim, FigureUnit, Reproduced, ReproducedFigure};
use oversleep_sys::units::Nanos;

/// Returns the charts as one SVG, one below the other.
///
/// # Errors
/// If the publications have no charts.
pub fn svg(doc: &Reproduced) -> Result<String, String> {
    let charts: Vec<_> = doc.publications.iter().flat_map(|publication| publication.charts.iter().cloned()).collect();
    if charts.is_empty() {
        return Err("this publication has no pictures".to_owned());
    }
    Ok(picture::charts_svg(&charts))
}

/// Returns a number of a figure with its unit; with every digit if the value has to match exactly.
fn number(figure: &ReproducedFigure, value: Option<f64>) -> String {
    let Some(value) = value else { return "–".to_owned() };
    match figure.unit {
        // The last digit of the publication is a microsecond, so half a microsecond matters.
        FigureUnit::Nanoseconds if figure.low == figure.high && figure.low.is_some() => {
            format!("{:#}", Nanos::from_f64(value))
        }
        // A drift of half a per cent must be visible.
        FigureUnit::Nanoseconds if value.abs() >= 1e9 => {
            let digits = format!("{:.5}", value / 1e9);
            format!("{} s", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        FigureUnit::Nanoseconds => Nanos::from_f64(value).to_string(),
        FigureUnit::MicrosPerSecond => format!("{:.3} µs/s", value + 0.0),
        FigureUnit::Ticks | FigureUnit::Count => format!("{value:.0}"),
        FigureUnit::Ratio => format!("{value:.3}"),
        FigureUnit::PerCent => format!("{value:.3} %"),
    }
}

/// Returns a claim's number in the list.
fn numbered(claim: &Claim) -> String {
    claim.number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

/// Returns the outcome of a publication's claims, in a sentence.
fn summary(claims: &[Claim]) -> String {
    let count = |wanted: Agreement| claims.iter().filter(|claim| claim.verdict() == wanted).count();
    let counted = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let parts = [
        counted(count(Agreement::Exact), "exact"),
        counted(count(Agreement::Agrees), "agree"),
        counted(count(Agreement::Differs), "differ"),
        counted(count(Agreement::NotSimulated), "not simulated"),
        counted(count(Agreement::NotPublished), "not published"),
    ];
    format!("of {} statements: {}", claims.len(), parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
