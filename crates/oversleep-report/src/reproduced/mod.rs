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
mod tests {
    use super::{markdown, page, svg, text};
    use crate::Screen;
    use oversleep_recording::document::{
        Basis, Chart, ChartAxis, ChartMark, ChartSeries, Claim, FigureUnit, Publication, Reproduced, ReproducedFigure,
    };

    fn reproduced(here: Option<f64>) -> Reproduced {
        let unit = FigureUnit::Nanoseconds;
        let figures = vec![
            ReproducedFigure::exactly("line 1", "0.019496 s", unit, 19_496e3, 19_496e3).here(here),
            ReproducedFigure::between("line <2>", "", unit, (0.0, 5.0), 19_506e3),
        ];
        let series =
            vec![ChartSeries { name: "a & b".into(), mark: ChartMark::Dashed, points: vec![(0.0, 1e6), (9.0, 2e6)] }];
        let chart = Chart {
            title: "Late".into(),
            x: ChartAxis::seconds("time", 0.0, 10.0),
            y: ChartAxis::times("oversleep", 0.0, 3e6),
            series,
        };
        let claim = Claim {
            number: Some(4),
            about: "the five lines".into(),
            basis: Basis::Fitted,
            figures,
            why: Some("A reason.".into()),
            command: Some("oversleep simulate dragonfly-1.0".into()),
        };
        Reproduced {
            format: Reproduced::FORMAT,
            tool: "test".into(),
            machine: here.map(|_| "Linux".to_owned()),
            measured: None,
            publications: vec![Publication {
                name: "herman".into(),
                title: "How long?".into(),
                by: "P. H.".into(),
                claims: vec![claim],
                tables: Vec::new(),
                charts: vec![chart],
            }],
        }
    }

    #[test]
    fn numbers_stand_side_by_side_with_a_verdict_each() {
        let shown = text(&reproduced(None), Screen::PLAIN);
        let expected = [
            "How long?",
            "P. H.",
            "of 1 statements: 1 exact",
            "",
            "4. the five lines [exact, fitted]",
            "            published   simulated",
            "  line 1    0.019496 s  19.496 ms          exact",
            "  line <2>  –             19.5 ms  not published",
            "  why: A reason.",
            "  oversleep simulate dragonfly-1.0",
        ];
        assert_eq!(shown.lines().take(10).map(str::trim_end).collect::<Vec<_>>(), expected, "{shown}");
        let here = text(&reproduced(Some(58_000.0)), Screen::PLAIN);
        assert!(here.contains("58 µs") && here.starts_with("here: Linux"), "{here}");
    }

    #[test]
    fn a_page_asks_for_nothing_and_texts_stay_texts() {
        let page = page(&reproduced(Some(1.0)));
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert!(page.contains("line &lt;2&gt;") && !page.contains("line <2>"), "{page}");
        assert!(page.contains("default-src 'none'") && !page.contains("<script") && !page.contains("src="), "{page}");
        assert_eq!(page.matches("<svg ").count(), 1);
    }

    #[test]
    fn markdown_and_picture_have_the_same() {
        let text = markdown(&reproduced(None));
        assert!(text.contains("| line 1 | 0.019496 s | 19.496 ms | exact |"), "{text}");
        let picture = svg(&reproduced(None)).expect("a chart");
        assert!(picture.contains("a &amp; b") && picture.contains("stroke-dasharray"), "{picture}");
        let mut bare = reproduced(None);
        bare.publications[0].charts.clear();
        assert!(svg(&bare).is_err());
    }
}
