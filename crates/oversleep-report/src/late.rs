//! Late sleeps of a run that watched for them, as text: their number, the cause of each, and how many sleeps a stop cut off.

use super::style::{self, Screen};
use oversleep_recording::document::breakdown::Owner;
use oversleep_recording::document::late::{BUSY_THREAD, LateSleeps, NamedLateSleep, THIS_PROGRAM};
use oversleep_recording::document::trace::Culprit;
use oversleep_recording::trace::{EventKind, Interrupt, Task, Tier};
use oversleep_recording::{LateAccount, LateSleep};
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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
    for note in unique(sleeps.iter().filter_map(NamedLateSleep::note)) {
        out += &screen.lines(0, note);
    }
    let unseen = late.late - late.found.min(late.late);
    if unseen > 0 {
        out += &screen.lines(0, &screen.aside(&unexamined(late.found, unseen)));
    }
    if sleeps.iter().any(|sleep| sleep.witness == Some(Tier::Events)) {
        let cost = "kernel events were recorded for it, which lengthens each sleep by a few microseconds";
        out += &screen.lines(0, &screen.aside(cost));
        // The load was asked for.
        let is_ours =
            |culprit: &Culprit| culprit.name.0.contains(THIS_PROGRAM) && !culprit.name.0.starts_with(BUSY_THREAD);
        if sleeps.iter().any(|sleep| sleep.culprits.iter().any(is_ours)) {
            let remark = "what is marked as this program reads the events on a thread of its own: compare with a run without --on-late";
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
    format!(
        "{found} {were} examined as the latest until then; {unseen} were only counted (`measure --late-limit` examines more)"
    )
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
    let timed = sleeps.iter().any(|sleep| sleep.wall.is_some());
    if timed {
        column("at (UTC)", false);
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
        row.extend(timed.then(|| sleep.wall.map_or_else(unknown, time_of_day)));
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

/// Returns the time of day, in UTC and to the millisecond, of a time since 1970.
fn time_of_day(since_1970: Nanos) -> String {
    let ms = since_1970.get().div_euclid(1_000_000).rem_euclid(86_400_000);
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000)
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

/// Least time shown before the deadline, and time shown after the end of the sleep.
const BEFORE: Nanos = Nanos::MILLISECOND;
const AFTER: Nanos = Nanos::from_micros(200);
/// Largest number of lines; those nearest to the end are kept.
const MOST_EVENTS: usize = 20_000;

/// Returns the events from a millisecond (or the sleep's lateness, if longer) before the deadline until 200 µs after
/// the end, one per line: time from the deadline in microseconds, processor, running thread, event. `None` if there are
/// none.
pub fn excerpt(late: &LateSleep) -> Option<String> {
    let (due, end) = (late.at.saturating_sub(late.length), late.at);
    let events = &late.events.as_ref()?.events;
    let from = due.saturating_sub(BEFORE.max(late.length));
    let until = end.saturating_add(AFTER);
    let first = events.partition_point(|event| event.at < from);
    let last = events.partition_point(|event| event.at <= until);
    let within = events.get(first..last).filter(|within| !within.is_empty())?;
    let shown = &within[within.len().saturating_sub(MOST_EVENTS)..];
    let mut out = String::new();
    if shown.len() < within.len() {
        let _ = writeln!(out, "# {} earlier events are left out", within.len() - shown.len());
    }
    out.push_str("#    time (µs)  cpu     thread  event\n");
    for event in shown {
        let time = event.at.saturating_sub(due).as_f64() / 1e3;
        let _ = writeln!(out, "{time:+14.3}  {:>3}  {:>9}  {}", event.cpu, event.thread, what(&event.kind, due));
    }
    Some(out)
}

fn what(kind: &EventKind, due: Nanos) -> String {
    let against = |time: &Nanos| format!("{:+.3}", time.saturating_sub(due).as_f64() / 1e3);
    match kind {
        EventKind::TimerStart { timer, soft, hard } => {
            format!("timer {timer:x} armed for {} to {}", against(soft), against(hard))
        }
        EventKind::TimerExpire { timer, now } => format!("timer {timer:x} expires; its clock reads {}", against(now)),
        EventKind::TimerCancel { timer } => format!("timer {timer:x} leaves its queue"),
        EventKind::CallEntry { call, .. } => format!("enters {call}"),
        EventKind::CallExit { result } => format!("returns {result}"),
        EventKind::TimerInterrupt => "timer interrupt".to_owned(),
        EventKind::InterruptEntry { what } => format!("{} begins", interrupt(what)),
        EventKind::InterruptExit { what } => format!("{} ends", interrupt(what)),
        EventKind::Waking { tid } => format!("about to wake {tid}"),
        EventKind::Wakeup { tid, queue: Some(cpu) } => format!("{tid} is on the run queue of processor {cpu}"),
        EventKind::Wakeup { tid, queue: None } => format!("{tid} is on a run queue"),
        EventKind::Moved { tid, queue } => format!("{tid} is moved to the run queue of processor {queue}"),
        EventKind::Switch { prev, state, next } => {
            format!("switch from {} (state {state}) to {}", task(prev), task(next))
        }
        EventKind::Idle { state: Some(state) } => format!("idle, state {state}"),
        EventKind::Idle { state: None } => "leaves idle".to_owned(),
    }
}

fn interrupt(what: &Interrupt) -> String {
    match what {
        Interrupt::Timer => "timer interrupt".to_owned(),
        Interrupt::Device { irq, name } => format!("interrupt {irq} {name}").trim_end().to_owned(),
        Interrupt::Softirq(vector) => Owner::Softirq(*vector).to_string(),
        Interrupt::Vector(name) => format!("{name} interrupt"),
    }
}

fn task(task: &Task) -> String {
    if task.tid == 0 { "idle".to_owned() } else { format!("{} {}", task.comm, task.tid) }
}

#[cfg(test)]
mod tests;
