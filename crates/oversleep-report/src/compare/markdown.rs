//! A comparison as Markdown for an issue tracker.

use super::super::columns;
use super::super::markdown::plain;
use super::super::style::Screen;
use super::facts::{self, FactRows};
use super::{
    HEADINGS, control, counts, meanings, requests, rows, schedules, sides, summary, title, together, unpaired_lines,
    verdict,
};
use crate::requests::Requests;
use oversleep_recording::document::{Compared, ComparedCell};

/// Number of cells shown; trackers fold longer texts.
const CELLS: usize = 40;

/// Returns a comparison as Markdown: one sentence, the sides, the facts that differ, and each cell with its verdict.
pub fn markdown(compared: &Compared) -> String {
    let requests = requests(compared);
    let sentence = summary::sentence(compared, &requests);
    let mut out = if sentence.is_empty() { sentence } else { format!("**{}**\n\n", plain(&sentence)) };
    out += &paragraphs(&summary::order(compared, Screen::PLAIN));
    out += &paragraphs(&sides(compared, Screen::PLAIN));
    let FactRows { same, rows, folded } = FactRows::new(&compared.differences, compared.stated);
    out += &same.map_or_else(String::new, |same| paragraphs(&same));
    out += &table(&facts::HEADINGS, "---", &rows);
    out += &paragraphs(&folded.join("\n"));
    if together::stand_together(compared) {
        out += &columns::markdown(&together::columns(compared, &requests, Screen::PLAIN), CELLS, plain);
        out += &paragraphs(&together::shared_remarks(compared).join("\n"));
    } else {
        out += &compared.cells.iter().take(CELLS).map(|cell| section(cell, compared, &requests)).collect::<String>();
    }
    if compared.cells.len() > CELLS {
        out += &format!("… and {} more.\n\n", compared.cells.len() - CELLS);
    }
    out += &paragraphs(&summary::undecided(compared).unwrap_or_default());
    out += &paragraphs(&unpaired_lines(compared, &requests, Screen::PLAIN));
    out += &paragraphs(&control::controlled(compared, Screen::PLAIN));
    out += &paragraphs(&meanings(compared, Screen::PLAIN));
    out.truncate(out.trim_end().len());
    out + "\n"
}

fn section(cell: &ComparedCell, compared: &Compared, requests: &Requests) -> String {
    let mut out = format!("### {}{}\n\n", plain(&title(&cell.a, &cell.b, requests)), plain(&counts(cell)));
    if compared.cells.len() > 1 {
        out += &format!("**{}**\n\n", plain(&verdict::sentence(cell, false)));
    }
    out += &table(&HEADINGS, "---:", &rows::rows(cell, Screen::PLAIN));
    out += &paragraphs(&rows::remarks(cell, compared).join("\n"));
    out + &paragraphs(&schedules::lines(cell, compared).join("\n"))
}

/// Returns a table whose columns after the first are aligned by `others`; nothing without rows.
fn table<const N: usize>(headings: &[&str; N], others: &str, rows: &[[String; N]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("| {} |\n| ---{} |\n", headings.join(" | "), format!(" | {others}").repeat(N - 1));
    for row in rows {
        out += &format!("| {} |\n", row.each_ref().map(|cell| plain(cell)).join(" | "));
    }
    out + "\n"
}

/// Returns each line as a paragraph of its own.
fn paragraphs(text: &str) -> String {
    text.lines().filter(|line| !line.is_empty()).map(|line| plain(line) + "\n\n").collect()
}
