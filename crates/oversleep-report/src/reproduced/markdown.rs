//! Reproduced publications as Markdown.

use super::{number, numbered, summary};
use oversleep_recording::document::{Claim, Publication, Reproduced};
use oversleep_recording::text::visible;

/// Returns the publications as Markdown.
pub fn markdown(doc: &Reproduced) -> String {
    let mut out = String::new();
    if let Some(machine) = &doc.machine {
        out += &format!("*here*: {}, {}\n\n", cell(machine), doc.measured.as_deref().unwrap_or_default());
    }
    out + &doc.publications.iter().map(|one| publication(one, doc.machine.is_some())).collect::<Vec<_>>().join("\n")
}

fn publication(publication: &Publication, here: bool) -> String {
    let mut out = format!("## {}\n\n{}\n\n{}\n", publication.title, publication.by, summary(&publication.claims));
    for one in &publication.claims {
        out += &claim(one, here);
    }
    for table in &publication.tables {
        out += &format!(
            "\n### {}\n\n| {} |\n|{}\n",
            table.title,
            table.columns.join(" | "),
            " --- |".repeat(table.columns.len())
        );
        for row in &table.rows {
            out += &format!("| {} |\n", row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
        }
    }
    out
}

fn claim(claim: &Claim, here: bool) -> String {
    let (head, line) = if here { (" here |", " ---: |") } else { ("", "") };
    let mut out = format!(
        "\n### {}. {}\n\n**{}** ({})\n\n| | published | simulated |{head} |\n| --- | --- | ---: |{line} --- |\n",
        numbered(claim),
        claim.about,
        claim.verdict().name(),
        claim.basis.name()
    );
    for figure in &claim.figures {
        let published = figure.published.as_deref().unwrap_or("–");
        out += &format!("| {} | {} | {} |", cell(&figure.name), cell(published), number(figure, figure.simulated));
        if here {
            out += &format!(" {} |", number(figure, figure.here));
        }
        out += &format!(" {} |\n", figure.verdict.name());
    }
    if let Some(why) = &claim.why {
        out += &format!("\n{why}\n");
    }
    if let Some(command) = &claim.command {
        out += &format!("\n    {command}\n");
    }
    out
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    visible(text).replace('|', "\\|").replace('*', "\\*")
}
