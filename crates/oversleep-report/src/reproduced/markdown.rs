//! Reproduced publications as Markdown.

use super::{number, numbered, summary};
use oversleep_recording::document::{Claim, Publication, Reproduced};
use oversleep_recording::text::visible;

/// Returns the publications as Markdown.
pub fn markdown(of: &Reproduced) -> String {
    let mut out = String::new();
    if let Some(machine) = &of.machine {
        out += &format!("*here*: {}, {}\n\n", cell(machine), of.measured.as_deref().unwrap_or_default());
    }
    out + &of.publications.iter().map(|one| publication(one, of.machine.is_some())).collect::<Vec<_>>().join("\n")
}

fn publication(of: &Publication, here: bool) -> String {
    let mut out = format!("## {}\n\n{}\n\n{}\n", of.title, of.by, summary(&of.claims));
    for one in &of.claims {
        out += &claim(one, here);
    }
    for table in &of.tables {
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

fn claim(of: &Claim, here: bool) -> String {
    let (head, line) = if here { (" here |", " ---: |") } else { ("", "") };
    let mut out = format!(
        "\n### {}. {}\n\n**{}** ({})\n\n| | published | simulated |{head} |\n| --- | --- | ---: |{line} --- |\n",
        numbered(of),
        of.about,
        of.verdict().name(),
        of.basis.name()
    );
    for figure in &of.figures {
        let published = figure.published.as_deref().unwrap_or("–");
        out += &format!("| {} | {} | {} |", cell(&figure.name), cell(published), number(figure, figure.simulated));
        if here {
            out += &format!(" {} |", number(figure, figure.here));
        }
        out += &format!(" {} |\n", figure.verdict.name());
    }
    if let Some(why) = &of.why {
        out += &format!("\n{why}\n");
    }
    if let Some(command) = &of.command {
        out += &format!("\n    {command}\n");
    }
    out
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    visible(text).replace('|', "\\|").replace('*', "\\*")
}
