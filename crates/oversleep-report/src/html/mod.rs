//! The report page: one self-contained file.
//!
//! Its script is written in TypeScript under `web/` and bundled into the folder `bundle`, which is part of the sources,
//! so building this crate needs no Node. The page holds the document as JSON and the samples as deflated columns.

mod gather;
mod pack;
mod select;

pub use gather::{Gathered, Gatherer, Selection, histogram};
pub use pack::Packed;

use super::escape_markup::escaped;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oversleep_recording::document::breakdown::{Breakdown, Complete, PartKind};
use oversleep_recording::document::trace::Trace;
use oversleep_recording::document::{Page, PageTrace, TracedSleep};
use oversleep_recording::text::on_terminal;

const STYLE: &str = include_str!("bundle/report.css");
const PROGRAM: &str = include_str!("bundle/report.js");
/// SHA-256 of the script in base64: the page runs only this script.
const PROGRAM_HASH: &str = include_str!("bundle/report.js.sha256");

/// Returns the page. `samples` has one entry per recording, in order; `plain` is shown where scripts do not run.
pub fn file(page: &Page, samples: &[Option<Packed>], plain: &str) -> Result<String, serde_json::Error> {
    let document = script_text(&serde_json::to_string(page)?);
    let mut out = String::with_capacity(document.len() + PROGRAM.len() + 8192);
    out += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    // The page fetches nothing and runs no other script: whatever a recording's texts hold, they are text.
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{}'",
        PROGRAM_HASH.trim()
    );
    out += &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    out += "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";
    out += &format!("<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n", escaped(&page.headline));
    out += &format!("<noscript><pre>{}</pre></noscript>\n<div id=\"report\"></div>\n", text(&on_terminal(plain)));
    out += &format!("<script type=\"application/json\" id=\"document\">{document}</script>\n");
    for (index, packed) in samples.iter().enumerate() {
        let Some(packed) = packed else { continue };
        out += &format!("<script type=\"text/plain\" id=\"samples-{index}\">");
        STANDARD.encode_string(&packed.bytes, &mut out);
        out += "</script>\n";
    }
    out += &format!("<script>{PROGRAM}</script>\n</body>\n</html>\n");
    Ok(out)
}

/// Escapes JSON for a script element: nothing in it can end the element or begin a comment.
pub fn script_text(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Escapes text between tags.
fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Numbers of sleeps drawn of a cell: evenly spread over the run, and those with the largest oversleep.
const SPREAD: usize = 400;
const LATEST: usize = 100;

/// Returns the page's data on a traced cell, whose document must list every sleep.
pub fn traced(mut trace: Trace) -> PageTrace {
    let all = trace.sleeps.take().unwrap_or_default();
    let shown = chosen(&all);
    let used = |kind: &PartKind| shown.iter().any(|sleep| sleep.parts.iter().any(|part| part.kind == *kind));
    let kinds: Vec<PartKind> = PartKind::ALL.iter().copied().filter(used).collect();
    let sleeps = shown.iter().map(|sleep| row(sleep, &kinds)).collect();
    PageTrace { trace, parts: kinds.iter().map(|kind| kind.name().to_owned()).collect(), sleeps }
}

fn row(sleep: &Breakdown, kinds: &[PartKind]) -> TracedSleep {
    let longest = sleep.parts.iter().max_by_key(|part| part.time);
    TracedSleep {
        sequence: sleep.sequence,
        oversleep: sleep.oversleep(),
        times_ns: kinds.iter().map(|kind| sleep.total(*kind)).collect(),
        owner: longest.and_then(|part| part.mostly()).map(ToString::to_string),
        incomplete: match &sleep.complete {
            Complete::Complete => None,
            Complete::Partial(why) => Some(why.clone()),
        },
    }
}

/// Returns evenly spread sleeps and those with the largest oversleep, in order.
fn chosen(all: &[Breakdown]) -> Vec<&Breakdown> {
    if all.len() <= SPREAD + LATEST {
        return all.iter().collect();
    }
    let mut latest: Vec<usize> = (0..all.len()).collect();
    latest.sort_unstable_by_key(|index| std::cmp::Reverse(all[*index].oversleep()));
    latest.truncate(LATEST);
    let mut indices: Vec<usize> = (0..SPREAD).map(|step| step * all.len() / SPREAD).chain(latest).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().map(|index| &all[index]).collect()
}

#[cfg(test)]
mod tests;
