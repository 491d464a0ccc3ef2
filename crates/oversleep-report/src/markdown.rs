//! A page as Markdown for an issue tracker: verdict, machine, command, table, causes.

use super::findings::size;
use super::{distributions, periodic, runtimes};
use oversleep_recording::document::late::NamedLateSleep;
use oversleep_recording::document::runtimes::{RuntimeCell, Runtimes};
use oversleep_recording::document::{DistributionFigures, Figures, Finding, PageRecording, Unit};
use oversleep_recording::plan::Kind;
use oversleep_recording::text::visible;
use oversleep_recording::{End, Origin};
use oversleep_sys::units::Nanos;

/// Number of cells shown: the classic experiments have up to 84, and all of them fit into a tenth of what trackers accept.
const CELLS: usize = 100;

/// Returns one page as Markdown; `of_runtimes` is its document if it is one of runtimes.
pub fn text(page: &PageRecording, of_runtimes: Option<&Runtimes>) -> String {
    let mut out = format!("**{}**\n\n", plain(&page.headline));
    if let Some(advice) = &page.advice {
        out += &format!("{}\n\n", plain(advice));
    }
    for warning in &page.warnings {
        out += &format!("> {}\n\n", plain(warning));
    }
    out += &format!("| | |\n| --- | --- |\n| machine | {} |\n", plain(&machine(page)));
    let ended = match page.measured.ended {
        Some(End::Complete) => "complete",
        Some(End::Interrupted) => "interrupted",
        Some(End::TimeOver) => "ended when its time ran out",
        None => "cut off before its end",
    };
    let begun = page.measured.started.as_deref().unwrap_or("date not known");
    out += &format!("| measured | {}, {}, {ended} |\n", plain(begun), page.measured.kind);
    if let Some(repeat) = &page.repeat {
        out += &format!("| command | {} |\n", code(repeat));
    }
    let first = page.cells.first().map_or("default", |cell| cell.conditions.as_str());
    if first != "default" && page.cells.iter().all(|cell| cell.conditions == first) {
        out += &format!("| conditions | {} |\n", plain(first));
    }
    let by = if matches!(page.measured.origin, Origin::Imported { .. }) { "read by" } else { "recorded by" };
    out += &format!("| {by} | {} |\n", plain(&page.measured.tool));
    out += &of_runtimes.map_or_else(|| cells(page), apis);
    out += &counted(&page.measured.distributions);
    out += &late(page);
    if of_runtimes.is_none() {
        out += &causes(page);
    }
    for missing in &page.measured.unavailable {
        out += &format!("- not obtained: {}: {}\n", plain(&missing.what), plain(&missing.why));
    }
    out
}

/// Returns a heading with the name of a page.
pub fn heading(name: &str) -> String {
    format!("## {}\n\n", plain(name))
}

fn machine(page: &PageRecording) -> String {
    let machine = &page.measured.machine;
    match &page.measured.origin {
        Origin::Simulated { model, .. } => return format!("simulated kernel {model}"),
        Origin::Imported { format, file } => return format!("{file}, read as {format}"),
        Origin::Live => {}
    }
    let processors = machine.processor.online.len();
    let parts = [
        Some(format!("{} {}", machine.system, machine.release)),
        machine.preemption.text().map(str::to_owned),
        machine.processor.model.clone(),
        (processors > 0).then(|| format!("{processors} processors")),
        machine.virtualisation.hypervisor.clone(),
        machine.virtualisation.container.clone(),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn cells(page: &PageRecording) -> String {
    let mut rows: Vec<_> = page.cells.iter().zip(&page.measured.cells).filter(|(_, cell)| cell.raw.n > 0).collect();
    if rows.is_empty() {
        return String::new();
    }
    // These are read by request and by load, as planned.
    if !matches!(page.measured.kind, Kind::Sweep | Kind::Load) {
        rows.sort_by_key(|(_, cell)| (cell.raw.p50.is_none(), cell.raw.p50));
    }
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    let p999 = rows.iter().any(|(_, cell)| cell.raw.p999.is_some());
    let (name, rule) = if p999 { (" p99.9 |", " ---: |") } else { ("", "") };
    let mut out = format!(
        "\n| lateness | n | p50 | p50, 95 % interval | p99 |{name} max |\n| --- | ---: | ---: | ---: | ---: |{rule} ---: |\n"
    );
    for (cell, figures) in rows.iter().take(CELLS) {
        let mut row = |name: &str, it: &Figures| {
            let interval =
                it.p50_low.zip(it.p50_high).map_or_else(|| "–".into(), |(low, high)| format!("{low} – {high}"));
            let (p50, p99, max) = (time(it.p50), time(it.p99), time(it.max));
            let rare = if p999 { format!(" {} |", time(it.p999)) } else { String::new() };
            out += &format!("| {} | {} | {p50} | {interval} | {p99} |{rare} {max} |\n", plain(name), it.n);
        };
        row(&cell.label, &figures.raw);
        // Of a schedule, the figures of wake-ups hide the periods that were skipped.
        if let Some(corrected) = &figures.corrected {
            row(&format!("{}, every period", cell.label), corrected);
        }
    }
    for (cell, figures) in rows.iter().take(CELLS) {
        if let Some(periods) = &figures.periods {
            out += &format!(
                "\n{}: {} periods, {} woken in time, {} late, {} skipped.\n",
                plain(&cell.label),
                periods.asked,
                periods.fresh,
                periods.late,
                periods.skipped
            );
        }
        if let Some(left) = figures.time_left.as_ref().and_then(periodic::left) {
            out += &format!("\n{}: {left}.\n", plain(&cell.label));
        }
    }
    if rows.len() > CELLS {
        out += &format!("\n… and {} more.\n", rows.len() - CELLS);
    }
    out
}

/// Returns what runtimes add to a sleep, as a table: an API and a request in each row.
fn apis(found: &Runtimes) -> String {
    if found.apis.is_empty() {
        return "\nNo runtime could be measured.\n\n".to_owned();
    }
    let heading = "| API | request | n | p50 | p99 | early | share | found |";
    let mut out = format!("\n{heading}\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), |time| time.to_string());
    for api in &found.apis {
        let (name, mechanisms) = (plain(&runtimes::name(api)), plain(&runtimes::mechanisms(api)));
        for (index, cell) in api.cells.iter().enumerate() {
            let RuntimeCell { requested, n, early, p50, p99, share, .. } = cell;
            let (p50, p99) = (time(*p50), time(*p99));
            let share = share.map_or_else(
                || "–".to_owned(),
                |share| format!("{} ({} to {})", share.difference.size, share.difference.low, share.difference.high),
            );
            let (name, found) = if index == 0 { (&*name, &*mechanisms) } else { ("", "") };
            out += &format!("| {name} | {requested} | {n} | {p50} | {p99} | {early} of {n} | {share} | {found} |\n");
        }
    }
    out + "\nShare: the runtime's lateness − that of the kernel's primitive it should stand on, with its 95 % interval.\n\n"
}

/// Returns what another program counted, as a table.
fn counted(rows: &[DistributionFigures]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let quantity = rows[0].quantity;
    let what = if rows.iter().all(|row| row.quantity == quantity) { quantity.name() } else { "what" };
    let mut out = format!("\n| {what} | n | p50 | p99 | max |\n| --- | ---: | ---: | ---: | ---: |\n");
    for (row, label) in rows.iter().zip(distributions::labels(rows)).take(CELLS) {
        let (p50, p99) = (distributions::bounds(row.p50), distributions::bounds(row.p99));
        out += &format!("| {} | {} | {p50} | {p99} | {} |\n", plain(&label), row.n, distributions::largest(row.max));
    }
    if rows.len() > CELLS {
        out += &format!("\n… and {} more.\n", rows.len() - CELLS);
    }
    out
}

/// Returns the late sleeps that were examined, a line each.
fn late(page: &PageRecording) -> String {
    let Some(late) = &page.measured.late else { return String::new() };
    let line = |sleep: &NamedLateSleep| format!("- late sleep {}: {}\n", sleep.sequence, plain(&sleep.explanation()));
    let lines: String = late.sleeps.iter().take(CELLS).map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Returns each cause once, where it is largest, and the open questions.
fn causes(page: &PageRecording) -> String {
    let Some(explained) = &page.explained else { return String::new() };
    let found = &explained.diagnosed.found;
    let mut causes: Vec<(&Finding, Option<&str>)> = Vec::new();
    let of_machine = found.findings.iter().map(|finding| (finding, None));
    let labelled = found.measured.cells.iter().zip(&page.cells);
    let of_cells =
        labelled.flat_map(|(cell, page)| cell.findings.iter().map(|found| (found, Some(page.label.as_str()))));
    for (finding, place) in of_machine.chain(of_cells) {
        match causes.iter_mut().find(|(known, _)| known.cause() == finding.cause()) {
            Some(known) if finding.share > known.0.share => *known = (finding, place),
            Some(_) => {}
            None => causes.push((finding, place)),
        }
    }
    causes.retain(|(found, _)| found.unit != Unit::Nanoseconds || Nanos::from_f64(found.size) != Nanos::ZERO);
    let mut out = String::from("\n");
    if causes.is_empty() {
        out += "No cause stands out.\n";
    }
    for (finding, place) in causes {
        out += &format!("- **{}** {}", finding.cause().name().replace('-', " "), size(finding.size, finding.unit));
        if let (Some(low), Some(high)) = (finding.low, finding.high) {
            out += &format!(" ({} to {})", size(low, finding.unit), size(high, finding.unit));
        }
        if let Some(place) = place {
            out += &format!(", most in {}", plain(place));
        }
        out += &format!(", confidence {:.2}: {}", finding.confidence, finding.cause().meaning());
        if let Some(remedy) = finding.remedy_on(&page.measured.machine.system) {
            out += &format!(" Remedy: {}", code(&remedy.command));
        }
        out.push('\n');
    }
    for open in &found.undecided {
        out += &format!("- open: {}: {}\n", plain(&open.question), plain(&open.why));
    }
    out
}

/// Escapes text, so that nothing in it is markup, and puts it on one line; invisible characters become spaces.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            // An unescaped mention would notify people.
            '@' => out += "&#64;",
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns text as inline code, even if it contains backticks, and also within a table.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let room = if longest > 0 { " " } else { "" };
    format!("{fence}{room}{text}{room}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(plain("a|b *c* <img> @me\n[x](y)"), r"a\|b \*c\* &lt;img> &#64;me \[x\](y)");
        assert_eq!(code("a|b"), r"`a\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!([plain("a\u{202E}b\u{FEFF}"), code("a\u{2066}b\u{7}")], ["a b ", "`a b `"]);
    }
}
