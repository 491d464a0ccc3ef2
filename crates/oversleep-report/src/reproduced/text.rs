//! Reproduced publications as text for the terminal.

use super::{number, numbered, summary};
use crate::Screen;
use crate::picture;
use crate::style::{align, firm, fit, table, table_text};
use oversleep_recording::document::{Agreement, Claim, Publication, Reproduced, ReproducedTable};

/// Returns the publications, each with its numbers and tables; a single publication also with its pictures.
pub fn text(doc: &Reproduced, screen: Screen) -> String {
    let mut out = String::new();
    if let Some(machine) = &doc.machine {
        let measured = doc.measured.as_deref().unwrap_or_default();
        out += &screen.lines(0, &screen.aside(&format!("here: {machine}; {measured}")));
        out.push('\n');
    }
    // All pictures together would take five hundred lines.
    let alone = doc.publications.len() == 1;
    let part = |one: &Publication| publication(one, doc.machine.is_some(), alone, screen);
    out += &doc.publications.iter().map(part).collect::<Vec<_>>().join("\n");
    if !alone {
        out +=
            &format!("\n{}", screen.lines(0, &screen.aside("pictures: name one publication, or -o reproduced.html")));
    }
    out
}

fn publication(publication: &Publication, here: bool, pictures: bool, screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.heading(&publication.title));
    out += &screen.lines(0, &screen.aside(&publication.by));
    out += &screen.lines(0, &summary(&publication.claims));
    for claim in &publication.claims {
        out.push('\n');
        out += &self::claim(claim, here, screen);
    }
    for shown in &publication.tables {
        out.push('\n');
        out += &rows(shown, screen);
    }
    for chart in publication.charts.iter().filter(|_| pictures) {
        out.push('\n');
        out += &picture::chart_text(chart, screen);
    }
    out
}

fn claim(claim: &Claim, here: bool, screen: Screen) -> String {
    let verdict = claim.verdict();
    let agreement = format!("[{}, {}]", verdict.name(), claim.basis.name());
    let agreement = if verdict == Agreement::Differs { screen.warning(&agreement) } else { screen.aside(&agreement) };
    let mut out = screen.lines(0, &format!("{}. {} {agreement}", numbered(claim), screen.heading(&claim.about)));
    let mut header = vec!["", "published", "simulated"];
    if here {
        header.push("here");
    }
    header.push("");
    let mut shown = table(&header, screen);
    for figure in &claim.figures {
        let mut row = vec![
            format!("  {}", figure.name),
            figure.published.clone().unwrap_or_else(|| "–".to_owned()),
            number(figure, figure.simulated),
        ];
        if here {
            row.push(number(figure, figure.here));
        }
        row.push(figure.verdict.name().to_owned());
        shown.add_row(row);
    }
    align(&mut shown, &[0, 1]);
    if !claim.figures.is_empty() {
        out += &table_text(&shown);
    }
    if let Some(why) = &claim.why {
        out += &screen.lines(2, &format!("why: {why}"));
    }
    if let Some(command) = &claim.command {
        out += &format!("  {}\n", screen.aside(command));
    }
    out
}

fn rows(reproduced: &ReproducedTable, screen: Screen) -> String {
    let header: Vec<&str> = reproduced.columns.iter().map(String::as_str).collect();
    let mut shown = table(&header, screen);
    for row in &reproduced.rows {
        shown.add_row(row.iter().map(|cell| firm(cell)));
    }
    align(&mut shown, &[0]);
    fit(&mut shown, screen);
    screen.lines(0, &screen.heading(&reproduced.title)) + &table_text(&shown)
}
