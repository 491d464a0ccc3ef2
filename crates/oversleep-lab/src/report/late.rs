//! Late sleeps of a run that watched for them: how many, what is known of each, what a stop cut off.

use super::style::{self, Look};
use oversleep_recording::{Late, Mark, Note};
use serde_json::{Value, json};

/// As text; nothing for a run that did not watch.
pub fn text(note: &Note, method: impl Fn(&Mark) -> String, look: Look) -> String {
    let Some(late) = &note.late else { return String::new() };
    let mut out = format!("\n{}\n", look.heading(&heading(late)));
    if late.stopped {
        let after = match late.after_stop {
            0 => String::new(),
            after => format!(" ({after} more were slept until the stop was heard)"),
        };
        out += &format!(
            "The run was stopped there{after}; {} of {} planned sleeps were cut off.\n",
            late.cut, late.planned
        );
    }
    if !note.marks.is_empty() {
        out += &table(note, &method, look);
    }
    let unseen = late.late - late.found.min(late.late);
    if unseen > 0 {
        out += &format!("{}\n", look.aside(&format!("{unseen} late sleeps were counted and not looked into")));
    }
    if note.marks.iter().any(|mark| mark.witness == "events") {
        let cost = "kernel events were recorded for it, which lengthens each sleep by a few microseconds";
        out += &format!("{}\n", look.aside(cost));
    }
    let mut reasons: Vec<&str> = note.marks.iter().flat_map(|mark| &mark.refused).map(String::as_str).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        out += &format!("{}\n", look.aside(reason));
    }
    out
}

fn heading(late: &Late) -> String {
    match late.late {
        0 => format!("None of {} sleeps was later than {}", late.slept, late.threshold),
        1 => format!("1 of {} sleeps was later than {}", late.slept, late.threshold),
        many => format!("{many} of {} sleeps were later than {}", late.slept, late.threshold),
    }
}

fn table(note: &Note, method: &impl Fn(&Mark) -> String, look: Look) -> String {
    let mut table = style::table(&["late", "method", "sleep", "processor", "by", "what is known"], look);
    for mark in &note.marks {
        let row = [
            mark.length.to_string(),
            method(mark),
            mark.sequence.to_string(),
            mark.cpu.map_or_else(|| "–".to_owned(), |cpu| cpu.to_string()),
            mark.witness.clone(),
            mark.explanation.split_once(" late: ").map_or(mark.explanation.as_str(), |(_, parts)| parts).to_owned(),
        ];
        table.add_row(row.map(|cell| style::firm(&cell)));
    }
    style::align(&mut table, &[1, 4, 5]);
    style::fit(&mut table, look);
    let files: Vec<&str> = note.marks.iter().filter_map(|mark| mark.trace.as_deref()).collect();
    let files = match files.as_slice() {
        [] => String::new(),
        [file] => format!("trace around it in {file}\n"),
        [first, .., last] => format!("traces around them in {first} to {last}\n"),
    };
    style::text(&table) + &files
}

/// As JSON; null for a run that did not watch.
pub fn json(note: &Note) -> Value {
    note.late.map_or(Value::Null, |late| json!({"account": late, "sleeps": note.marks}))
}
