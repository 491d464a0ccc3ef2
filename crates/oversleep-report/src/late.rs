//! Late sleeps of a run that watched for them, as text: their number, the cause of each, and how many sleeps a stop cut off.

mod excerpt;

pub use excerpt::excerpt;

use super::style::{self, Screen};
use oversleep_recording::LateAccount;
use oversleep_recording::document::late::{LateSleeps, NamedLateSleep};
use oversleep_recording::document::trace::Culprit;
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Number of late sleeps that are shown as text by a measurement.
pub const MOST: usize = 20;
/// Number of them where they are one thing among others.
pub const FEW: usize = 3;

/// Returns the late sleeps as text, the latest first and at most `most` of them; empty for a run that did not watch for them.
pub fn text(named: Option<&LateSleeps>, most: usize, screen: Screen) -> String {
    let Some(LateSleeps { account: late, sleeps }) = named else { return String::new() };
    let mut out = format!("\n{}\n", screen.heading(&heading(late)));
    if late.stopped {
        let after = match late.after_stop {
            0 => String::new(),
            1 => " (one more sleep ended before the stop took effect)".to_owned(),
            after => format!(" ({after} more sleeps ended before the stop took effect)"),
        };
        out += &screen.lines(
            0,
            &format!("The run was stopped there{after}; {} of {} planned sleeps were cut off.", late.cut, late.planned),
        );
    }
    if late.late == 0 && late.slept > 0 {
        out += &screen.lines(0, &screen.aside("a threshold below the largest lateness (max) examines that sleep"));
    }
    let mut latest: Vec<&NamedLateSleep> = sleeps.iter().collect();
    latest.sort_by_key(|sleep| Reverse(sleep.length));
    let shown = &latest[..latest.len().min(most)];
    if !shown.is_empty() {
        out += &screen.lines(0, &causes(sleeps));
        out += &table(shown, screen);
    }
    if shown.len() < latest.len() {
        let line = format!(
            "the {} latest of {} that were examined; `oversleep report` shows up to {MOST}, --json all",
            shown.len(),
            latest.len()
        );
        out += &screen.lines(0, &screen.aside(&line));
    }
    let (notes, advice) =
        (sleeps.iter().filter_map(NamedLateSleep::note), sleeps.iter().filter_map(NamedLateSleep::advice));
    for note in unique(notes.chain(advice)) {
        out += &screen.lines(0, note);
    }
    let unseen = late.late - late.found.min(late.late);
    if unseen > 0 {
        out += &screen.lines(0, &screen.aside(&unexamined(late.found, unseen)));
    }
    if sleeps.iter().any(|sleep| sleep.witness == Some(Tier::Events)) {
        let cost = "kernel events were recorded for it, which lengthens each sleep by a few microseconds";
        out += &screen.lines(0, &screen.aside(cost));
        let is_ours = |culprit: &Culprit| {
            let name = &culprit.name.0;
            name == "oversleep" || name.starts_with("oversleep (")
        };
        if sleeps.iter().flat_map(|sleep| &sleep.culprits).any(is_ours) {
            let remark = "`oversleep` among them may be this program, which reads the events on a thread of its own: compare \
                       with a run without --on-late";
            out += &screen.lines(0, &screen.aside(remark));
        }
    }
    for reason in unique(sleeps.iter().flat_map(|sleep| &sleep.refused).map(String::as_str)) {
        out += &screen.lines(0, &screen.aside(reason));
    }
    out
}

/// Returns each text once, in alphabetical order.
fn unique<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    texts.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Says which late sleeps were examined. Those of a stop are the first.
fn unexamined(found: u64, unseen: u64) -> String {
    let were = if found == 1 { "was" } else { "were" };
    format!("{found} {were} examined as the latest until then; {unseen} were only counted (--late-limit examines more)")
}

/// Counts the examined sleeps by cause, the most frequent first: `largest part of the lateness: run queue: hog (4), timer slack (1)`.
fn causes(sleeps: &[NamedLateSleep]) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for sleep in sleeps {
        *counts.entry(&sleep.cause).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let counts: Vec<String> = counts.iter().map(|(cause, count)| format!("{cause} ({count})")).collect();
    format!("largest part of the lateness: {}", counts.join(", "))
}

fn heading(late: &LateAccount) -> String {
    match late.late {
        0 => format!("None of {} sleeps was later than {}", late.slept, late.threshold),
        1 => format!("1 of {} sleeps was later than {}", late.slept, late.threshold),
        many => format!("{many} of {} sleeps were later than {}", late.slept, late.threshold),
    }
}

fn table(sleeps: &[&NamedLateSleep], screen: Screen) -> String {
    // A column that says the same in each row says nothing.
    let methods_differ = sleeps.windows(2).any(|two| two[0].method != two[1].method);
    let files: Vec<&str> = sleeps.iter().filter_map(|sleep| sleep.trace.as_deref()).collect();
    let numbered = files.len() > 1;
    let (mut header, mut left) = (vec!["late"], Vec::new());
    let mut column = |name, is_text: bool| {
        left.extend(is_text.then_some(header.len()));
        header.push(name);
    };
    if methods_differ {
        column("method", true);
    }
    column("sleep", false);
    column("processor", false);
    column("by", true);
    if numbered {
        column("trace", false);
    }
    column("what is known", true);
    let mut table = style::table(&header, screen);
    let unknown = || "–".to_owned();
    for sleep in sleeps {
        let mut row = vec![sleep.length.to_string()];
        row.extend(methods_differ.then(|| sleep.method.clone()));
        row.push(sleep.sequence.to_string());
        row.push(sleep.cpu.map_or_else(unknown, |cpu| cpu.to_string()));
        row.push(sleep.witness_name().to_owned());
        let number =
            || sleep.trace.as_deref().and_then(file_number).map_or_else(unknown, |(_, number)| number.to_string());
        row.extend(numbered.then(number));
        row.push(sleep.parts());
        table.add_row(row.iter().map(|cell| style::firm(cell)));
    }
    style::align(&mut table, &left);
    style::fit(&mut table, screen);
    style::table_text(&table) + &where_traces_are(&files)
}

/// Returns the path of a trace's file up to its number, and the number.
fn file_number(path: &str) -> Option<(&str, u32)> {
    let stem = path.strip_suffix(".txt")?;
    let (before, number) = stem.rsplit_once('-')?;
    Some((before, number.parse().ok()?))
}

/// Says in which files the traces around the sleeps are, the latest sleep's first.
fn where_traces_are(files: &[&str]) -> String {
    match files {
        [] => String::new(),
        [file] => format!("trace around it in {file}\n"),
        [first, ..] => match file_number(first) {
            Some((before, number)) => {
                format!("the number under `trace` is that of its file, such as {before}-{number}.txt of the latest\n")
            }
            None => format!("traces around them in files such as {first}, the one of the latest\n"),
        },
    }
}

/// Returns a late sleep as environment variables of a command: names and values.
pub fn environment(sleep: &NamedLateSleep) -> Vec<(&'static str, String)> {
    let number = |time: Nanos| time.get().to_string();
    vec![
        ("OVERSLEEP_METHOD", sleep.method.clone()),
        ("OVERSLEEP_REQUESTED_NS", number(sleep.requested)),
        ("OVERSLEEP_DEADLINE_NS", number(sleep.due())),
        ("OVERSLEEP_END_NS", number(sleep.at)),
        ("OVERSLEEP_LATE_NS", number(sleep.length)),
        ("OVERSLEEP_CELL", sleep.cell.to_string()),
        ("OVERSLEEP_THREAD", sleep.thread.to_string()),
        ("OVERSLEEP_SEQUENCE", sleep.sequence.to_string()),
        ("OVERSLEEP_CPU", sleep.cpu.map_or_else(String::new, |cpu| cpu.to_string())),
        ("OVERSLEEP_CAUSE", sleep.cause.clone()),
        ("OVERSLEEP_EXPLANATION", sleep.explanation()),
        ("OVERSLEEP_WITNESS", sleep.witness_name().to_owned()),
        ("OVERSLEEP_WITNESS_REFUSED", sleep.refused.join("; ")),
        ("OVERSLEEP_TRACE_FILE", sleep.trace.clone().unwrap_or_default()),
    ]
}

#[cfg(test)]
mod tests;
