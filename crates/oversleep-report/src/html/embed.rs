//! The HTML file: style, script, document and samples in one.

use super::pack::Packed;
use crate::escape_markup::escaped;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oversleep_recording::document::Page;
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
