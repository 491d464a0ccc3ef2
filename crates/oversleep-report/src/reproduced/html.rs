//! Reproduced publications as an HTML page: one file without script, with its pictures as inline SVG.

use super::{number, numbered, summary};
use crate::escape_markup::escaped;
use crate::picture;
use oversleep_recording::document::{Agreement, Claim, Publication, Reproduced, ReproducedTable};
use std::fmt::Write;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#16191d;--quiet:#5b636d;--paper:#fff;--line:#e2e5e9;--differs:#b34700;--agrees:#00674b}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a0a8b2;--paper:#14171b;--line:#2c3239;--differs:#ff9d5c;--agrees:#5cc4a5}}
@media print{:root{--ink:#000;--quiet:#444;--paper:#fff;--line:#ccc;--differs:#b34700;--agrees:#00674b}nav{display:none}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.2}h2{margin-top:3rem;font-size:1.3rem}h3{margin:2rem 0 .3rem;font-size:1rem}
p{margin:.4rem 0;max-width:46rem}.quiet,figcaption{color:var(--quiet)}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5rem 0}
th,td{padding:.15rem .9rem .15rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--quiet)}.n{text-align:right;white-space:nowrap}.differs{color:var(--differs);font-weight:600}
.exact,.agrees{color:var(--agrees)}figure{margin:1.5rem 0;break-inside:avoid}figure svg{width:100%;height:auto}section{break-inside:avoid}
td{min-width:4rem}td:first-child,td:nth-child(2):not(.n){min-width:8rem}
@media screen{figure{overflow-x:auto}figure svg{min-width:42rem}}
";

/// Returns the page as HTML.
pub fn page(doc: &Reproduced) -> String {
    let title = match doc.publications.as_slice() {
        [only] => format!("{}, reproduced", only.title),
        _ => "Five publications on sleep, reproduced".to_owned(),
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"quiet\">{1}",
        escaped(&title),
        escaped(&doc.tool)
    );
    if let Some(machine) = &doc.machine {
        let _ = write!(out, "; here: {}, {}", escaped(machine), escaped(doc.measured.as_deref().unwrap_or_default()));
    }
    out += "</p>\n";
    if doc.publications.len() > 1 {
        let link = |one: &Publication| format!("<a href=\"#{0}\">{0}</a>", escaped(&one.name));
        let links: Vec<String> = doc.publications.iter().map(link).collect();
        let _ = writeln!(out, "<nav>{}</nav>", links.join(" · "));
    }
    for one in &doc.publications {
        out += &publication(one, doc.machine.is_some());
    }
    out + "</main>\n</body>\n</html>\n"
}

fn publication(publication: &Publication, here: bool) -> String {
    let mut out = format!(
        "<h2 id=\"{}\">{}</h2>\n<p class=\"quiet\">{}</p>\n<p>{}</p>\n",
        escaped(&publication.name),
        escaped(&publication.title),
        escaped(&publication.by),
        escaped(&summary(&publication.claims))
    );
    for (number, chart) in publication.charts.iter().enumerate() {
        let picture = picture::chart_inline(chart, &format!("{}-{number}", publication.name));
        let _ = writeln!(out, "<figure>{picture}</figure>");
    }
    for one in &publication.claims {
        out += &claim(one, here);
    }
    for one in &publication.tables {
        out += &table(one);
    }
    out
}

fn claim(claim: &Claim, here: bool) -> String {
    let verdict = claim.verdict();
    let mut out = format!(
        "<section>\n<h3>{}. {}</h3>\n<p><span class=\"{}\">{}</span> <span class=\"quiet\">({})</span></p>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th scope=\"col\">what</th><th scope=\"col\">published</th><th scope=\"col\" class=\"n\">simulated</th>",
        escaped(&numbered(claim)),
        escaped(&claim.about),
        class(verdict),
        verdict.name(),
        claim.basis.name()
    );
    if here {
        out += "<th scope=\"col\" class=\"n\">here</th>";
    }
    out += "<th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n";
    for figure in &claim.figures {
        let published = figure.published.as_deref().unwrap_or("–");
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td>",
            escaped(&figure.name),
            escaped(published),
            escaped(&number(figure, figure.simulated))
        );
        if here {
            let _ = write!(out, "<td class=\"n\">{}</td>", escaped(&number(figure, figure.here)));
        }
        let _ = writeln!(out, "<td class=\"{}\">{}</td></tr>", class(figure.verdict), figure.verdict.name());
    }
    out += "</tbody></table></div>\n";
    if let Some(why) = &claim.why {
        let _ = writeln!(out, "<p>{}</p>", escaped(why));
    }
    if let Some(command) = &claim.command {
        let _ = writeln!(out, "<p><code>{}</code></p>", escaped(command));
    }
    out + "</section>\n"
}

fn table(table: &ReproducedTable) -> String {
    let mut out = format!("<section>\n<h3>{}</h3>\n<div class=\"scroll\"><table>\n<thead><tr>", escaped(&table.title));
    for (place, column) in table.columns.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", aligned(place), escaped(column));
    }
    out += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        out += "<tr>";
        for (place, text) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{}</td>", aligned(place), escaped(text));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div>\n</section>\n"
}

const fn aligned(place: usize) -> &'static str {
    if place == 0 { "" } else { " class=\"n\"" }
}

const fn class(verdict: Agreement) -> &'static str {
    match verdict {
        Agreement::Exact => "exact",
        Agreement::Agrees => "agrees",
        Agreement::Differs => "differs",
        Agreement::NotSimulated | Agreement::NotPublished => "quiet",
    }
}
