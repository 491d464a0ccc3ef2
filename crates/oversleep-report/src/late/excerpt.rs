//! An excerpt of a trace around one sleep, as text.

use oversleep_recording::LateSleep;
use oversleep_recording::document::breakdown::Owner;
use oversleep_recording::trace::{EventKind, Interrupt, Task};
use oversleep_sys::units::Nanos;
use std::fmt::Write;

/// Least time shown before the deadline, and time shown after the end of the sleep.
const BEFORE: Nanos = Nanos::MILLISECOND;
const AFTER: Nanos = Nanos::from_micros(200);
/// Largest number of lines; those nearest to the end are kept.
const MOST: usize = 20_000;

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
    let shown = &within[within.len().saturating_sub(MOST)..];
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
