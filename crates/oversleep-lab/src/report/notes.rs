//! What has to be said beside the figures: what was not possible, what was lost.

use super::style::Look;
use crate::figures::CellSummary;
use oversleep_recording::{Meta, Note, Origin};
use std::collections::BTreeMap;

/// What the figures mean, in one line.
pub fn convention(look: Look) -> String {
    let line = "oversleep = actual − requested, signed; quantiles by nearest rank, – where the samples carry none";
    look.lines(0, &look.aside(line))
}

/// What more a privileged user could measure, in one line; nothing for root.
pub fn privileges(meta: &Meta, look: Look) -> String {
    let limits = &meta.machine.limits;
    if limits.root != Some(false) || meta.origin != Origin::Live {
        return String::new();
    }
    let line = match limits.realtime_priority {
        Some(0) => "root would add: real-time policies (--policy fifo:80), held latency (--latency-hold 0us)",
        _ => "root would add: held latency (--latency-hold 0us); real-time policies you have already",
    };
    look.lines(0, &look.aside(line))
}

/// One line per reason for which something could not be had, naming everything it kept from us.
pub fn unavailable(meta: &Meta, note: &Note, look: Look) -> String {
    let mut reasons: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for missing in meta.unavailable.iter().chain(&note.unavailable) {
        reasons.entry((&missing.kind, &missing.why)).or_default().push(&missing.what);
    }
    reasons
        .into_iter()
        .map(|((kind, why), what)| look.lines(0, &format!("{} {}: {why}", look.warning(kind), what.join(", "))))
        .collect()
}

/// What was seen that the figures alone would hide.
pub fn remarks(note: &Note, cells: &[CellSummary], look: Look) -> String {
    let mut out = String::new();
    let mut say = |text: String| out.push_str(&look.lines(0, &look.warning(&text)));
    if note.lost > 0 {
        say(format!("{} samples were lost: they came faster than they could be kept", note.lost));
    }
    for cell in cells {
        if cell.failed > 0 {
            say(format!("{}: {} calls failed and are not in the figures", cell.cell.method, cell.failed));
        }
        if cell.interrupted > 0 {
            say(format!("{}: {} sleeps were ended by a signal", cell.cell.method, cell.interrupted));
        }
    }
    if let Some(cell) = cells.iter().find(|cell| !cell.raw.exact && cell.raw.n > 0) {
        let n = cell.raw.n;
        say(format!("quantiles of {n} and more samples come from a histogram: right to three digits"));
    }
    out
}
