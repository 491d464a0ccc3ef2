//! The waits of another program as text: its calls, its loops, and who made it late.

use super::columns::{self, Column};
use super::style::{self, Screen};
use super::table::asked;
use oversleep_figures::CellSummary;
use oversleep_recording::document::Figures;
use oversleep_recording::document::attach::Attached;
use oversleep_sys::units::Nanos;

/// Number of culprits shown as text; JSON lists all.
const CULPRITS: usize = 10;
/// Longest command line shown as text, in characters.
const COMMAND: usize = 60;
/// Number of loops shown as text; JSON lists all.
const LOOPS: usize = 10;

/// Returns the report as text.
pub fn text(attached: &Attached, cells: &[CellSummary], screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.heading(&heading(attached, cells))) + "\n";
    if !cells.is_empty() {
        out += &calls(attached, cells, screen);
        out.push('\n');
    }
    for found in attached.loops.iter().take(LOOPS) {
        let line = format!("{} ({}), {}: {}", found.name, found.tid, found.call, found.sentence());
        out += &screen.lines(0, &line);
    }
    if attached.loops.len() > LOOPS {
        out += &screen.lines(0, &screen.aside(&format!("and {} more loops", attached.loops.len() - LOOPS)));
    }
    if !attached.loops.is_empty() {
        out.push('\n');
    }
    out += &culprits(attached, screen);
    out + &screen.each_line(&remarks(attached))
}

fn heading(attached: &Attached, cells: &[CellSummary]) -> String {
    let waits: u64 = cells.iter().map(|cell| cell.raw.n).sum();
    let program = &attached.program;
    let ended = if program.ended { ", until it ended" } else { "" };
    let plural = if waits == 1 { "" } else { "s" };
    format!(
        "{waits} timed wait{plural} of {} ({}) in {}{ended}",
        shortened(&program.command),
        program.pid,
        program.recorded
    )
}

/// Returns a command line in one line, without its end if it is long; JSON has all of it.
fn shortened(command: &str) -> String {
    let words = command.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(COMMAND) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// Returns a table with a row per thread name and call.
fn calls(attached: &Attached, cells: &[CellSummary], screen: Screen) -> String {
    let each = |of: &dyn Fn(&CellSummary) -> String| -> Vec<String> { cells.iter().map(of).collect() };
    let of_cell = |cell: &CellSummary| {
        let id = cell.cell.id;
        attached.threads.iter().filter(move |thread| thread.cell == id)
    };
    let quantile = |of: fn(&Figures) -> Option<Nanos>| each(&|cell| style::figure(of(&cell.raw)));
    let columns = [
        Column::words("thread: call", each(&|cell| cell.cell.method.clone())).breakable(),
        Column::figures("asked", asked(cells.iter())),
        Column::figures("threads", each(&|cell| of_cell(cell).count().to_string())).expendable(1),
        Column::figures("waits", each(&|cell| cell.raw.n.to_string())),
        Column::figures("by event", each(&|cell| of_cell(cell).map(|thread| thread.by_event).sum::<u64>().to_string()))
            .expendable(3),
        Column::figures(
            "by signal",
            each(&|cell| of_cell(cell).map(|thread| thread.by_signal).sum::<u64>().to_string()),
        )
        .expendable(2),
        Column::figures("late p50", quantile(|raw| raw.p50)),
        Column::figures("p99", quantile(|raw| raw.p99)),
        Column::figures("max", quantile(|raw| raw.max)),
    ];
    columns::fitted(&columns, screen)
}

fn culprits(attached: &Attached, screen: Screen) -> String {
    let shown = &attached.culprits[..attached.culprits.len().min(CULPRITS)];
    if shown.is_empty() {
        return String::new();
    }
    let columns = [
        Column::words(
            "who had the processor while waits were late",
            shown.iter().map(|who| who.name.clone()).collect(),
        )
        .breakable(),
        Column::figures("waits", shown.iter().map(|who| who.waits.to_string()).collect()),
        Column::figures("together", shown.iter().map(|who| who.time.to_string()).collect()),
        Column::figures("worst", shown.iter().map(|who| who.worst.to_string()).collect()),
    ];
    let rest = attached.culprits.len() - shown.len();
    let rest = if rest > 0 { screen.aside(&format!("and {rest} more")) + "\n" } else { String::new() };
    format!("{}{rest}\n", columns::fitted(&columns, screen))
}

fn remarks(attached: &Attached) -> String {
    let program = &attached.program;
    let mut lines = String::new();
    let mut say = |count: u64, text: &str| {
        if count > 0 {
            lines += &format!("{text}: {count}\n");
        }
    };
    say(program.untimed, "waits without a time limit of their own, in no figure");
    say(program.under_way, "calls under way when recording began, of which is not known whether they waited");
    say(attached.not_separated, "waits that could not be split into parts, because some events were not seen");
    say(program.lost, "kernel events lost, at least; waits at that time may be missing");
    lines
}
