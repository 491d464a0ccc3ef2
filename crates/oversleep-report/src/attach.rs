//! The waits of another program as text: its calls, its loops, and who made it late.

use super::columns::{self, Column};
use super::headline::Headline;
use super::style::{self, Screen};
use super::table::asked;
use oversleep_figures::CellSummary;
use oversleep_recording::document::Figures;
use oversleep_recording::document::attach::{Attached, Loop};
use oversleep_recording::{AttachTier, AttachedCounts, AttachedProgram};
use oversleep_sys::units::Nanos;

/// Number of culprits shown as text; JSON lists all.
const CULPRITS: usize = 10;
/// Number of threads shown as text in the tier of counters; JSON lists all.
const THREADS: usize = 20;
/// Longest command line shown as text, in characters.
const COMMAND: usize = 60;
/// Number of loops shown as text; JSON lists all.
const LOOPS: usize = 10;

/// Returns the report as text.
pub fn text(attached: &Attached, cells: &[CellSummary], screen: Screen) -> String {
    let mut out = screen.lines(0, &heading(attached, cells)) + "\n";
    if !cells.is_empty() {
        out += &calls(attached, cells, screen);
        out.push('\n');
    }
    // The first is in the verdict.
    for found in attached.loops.iter().take(LOOPS).skip(1) {
        out += &screen.lines(0, &in_words(found));
    }
    if attached.loops.len() > LOOPS {
        out += &screen.lines(0, &screen.aside(&format!("and {} more loops", attached.loops.len() - LOOPS)));
    }
    if attached.loops.len() > 1 {
        out.push('\n');
    }
    out += &counts(&attached.program, screen);
    out += &culprits(attached, screen);
    out + &screen.each_line(&remarks(attached))
}

/// Returns what the loop with most rounds got and what to do about it; without a loop, the latest wait and who made waits late.
pub fn headline(attached: &Attached, cells: &[CellSummary]) -> Headline {
    let latest = cells.iter().filter_map(|cell| Some((cell.raw.max?, cell))).max_by_key(|(max, _)| *max);
    if let Some(counted) = busiest_first(&attached.program).first() {
        let advice = "Which of its waits were late, by how much and who was in the way: run this as root, or start the program by \
                      `oversleep attach -- COMMAND`.";
        return Headline { text: counted_in_words(counted), advice: Some(advice.to_owned()) };
    }
    let text = match (attached.loops.first(), latest) {
        (Some(found), _) => in_words(found),
        (None, Some((max, cell))) => {
            let by = attached.culprits.first().map_or_else(String::new, |who| {
                format!("; {} had the processor for {} while waits were late", who.name, who.time)
            });
            format!("{}: the latest wait ended {max} late ({}){by}", heading(attached, cells), cell.cell.method)
        }
        (None, None) => heading(attached, cells),
    };
    Headline { text: text + ".", advice: attached.remedy() }
}

/// Says how often a thread waited, and whether it had to wait for a processor.
fn counted_in_words(thread: &AttachedCounts) -> String {
    let seconds = thread.watched.as_secs_f64().max(f64::MIN_POSITIVE);
    let percent = |time: Nanos| format!("{:.1} %", 100.0 * time.as_secs_f64() / seconds);
    let each = mean_turn(thread).map_or_else(String::new, |mean| format!(", {mean} each time on average"));
    format!(
        "{} ({}) waited {:.1} times a second, ran {} of the time and stood {} of it in a run queue{each}.",
        thread.name,
        thread.tid,
        thread.waits as f64 / seconds,
        percent(thread.ran),
        percent(thread.queued),
    )
}

/// Returns how long a thread was in a run queue each time that it became ready, on average; `None` if it never did.
fn mean_turn(thread: &AttachedCounts) -> Option<Nanos> {
    let turns = i64::try_from(thread.waits + thread.preempted).ok().filter(|turns| *turns > 0)?;
    Some(Nanos::new(thread.queued.get() / turns))
}

/// Returns what the kernel counted of each thread, that with most waits first.
fn busiest_first(program: &AttachedProgram) -> Vec<&AttachedCounts> {
    let mut all: Vec<&AttachedCounts> = program.counts.iter().collect();
    all.sort_by_key(|thread| std::cmp::Reverse((thread.waits, thread.ran)));
    all
}

fn in_words(found: &Loop) -> String {
    format!("{} ({}), {}: {}", found.name, found.tid, found.call, found.sentence())
}

fn heading(attached: &Attached, cells: &[CellSummary]) -> String {
    let waits: u64 = cells.iter().map(|cell| cell.raw.n).sum();
    let program = &attached.program;
    if program.tier == AttachTier::Counters {
        let command = shortened(&program.command);
        return format!("counters of the threads of {command} ({}) in {}", program.pid, program.recorded);
    }
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
    let values = |f: &dyn Fn(&CellSummary) -> String| -> Vec<String> { cells.iter().map(f).collect() };
    let of_cell = |cell: &CellSummary| {
        let id = cell.cell.id;
        attached.threads.iter().filter(move |thread| thread.cell == id)
    };
    let quantile = |f: fn(&Figures) -> Option<Nanos>| values(&|cell| style::figure(f(&cell.raw)));
    let costs = super::table::costs(&cells.iter().map(|cell| cell.cost).collect::<Vec<_>>());
    let columns: Vec<Column> = [
        Column::words("thread: call", values(&|cell| cell.cell.method.clone())).breakable(),
        Column::figures("asked", asked(cells.iter())),
        Column::figures("threads", values(&|cell| of_cell(cell).count().to_string())).expendable(1),
        Column::figures("waits", values(&|cell| cell.raw.n.to_string())),
        Column::figures(
            "by event",
            values(&|cell| of_cell(cell).map(|thread| thread.by_event).sum::<u64>().to_string()),
        )
        .expendable(3),
        Column::figures(
            "by signal",
            values(&|cell| of_cell(cell).map(|thread| thread.by_signal).sum::<u64>().to_string()),
        )
        .expendable(2),
        Column::figures("late p50", quantile(|raw| raw.p50)),
        Column::figures("p99", quantile(|raw| raw.p99)),
        Column::figures("max", quantile(|raw| raw.max)),
    ]
    .into_iter()
    .chain(costs)
    .collect();
    columns::fitted(&columns, screen)
}

/// Returns a table of what the kernel counted, with a row per thread.
fn counts(program: &AttachedProgram, screen: Screen) -> String {
    let all = busiest_first(program);
    if all.is_empty() {
        return String::new();
    }
    let shown = &all[..all.len().min(THREADS)];
    let values = |f: &dyn Fn(&AttachedCounts) -> String| -> Vec<String> { shown.iter().map(|one| f(one)).collect() };
    let watched = |thread: &AttachedCounts| thread.watched.as_secs_f64();
    let rate = |value: fn(&AttachedCounts) -> f64, unit: f64, digits: usize| {
        values(&|thread| {
            let seconds = watched(thread);
            if seconds > 0.0 { format!("{:.digits$}", value(thread) / seconds * unit) } else { "–".to_owned() }
        })
    };
    let per_wait = values(&|thread| style::figure(mean_turn(thread)));
    let columns = [
        Column::words("thread", values(&|thread| format!("{} ({})", thread.name, thread.tid))).breakable(),
        Column::figures("waits a second", rate(|thread| thread.waits as f64, 1.0, 1)),
        Column::figures("preempted a second", rate(|thread| thread.preempted as f64, 1.0, 1)),
        Column::figures(
            "running",
            rate(|thread| thread.ran.as_secs_f64(), 100.0, 2).into_iter().map(percent).collect(),
        ),
        Column::figures(
            "on run queues",
            rate(|thread| thread.queued.as_secs_f64(), 100.0, 2).into_iter().map(percent).collect(),
        ),
        Column::figures("mean of a turn", per_wait),
        Column::figures(
            "slack",
            values(&|thread| thread.slack.map_or_else(|| "–".to_owned(), |slack| slack.to_string())),
        )
        .expendable(1),
    ];
    let rest = all.len() - shown.len();
    let rest = if rest > 0 { screen.aside(&format!("and {rest} more threads")) + "\n" } else { String::new() };
    format!("{}{rest}\n", columns::fitted(&columns, screen))
}

fn percent(number: String) -> String {
    if number == "–" { number } else { number + " %" }
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

/// Says what a lower tier lacks, why it was taken, and what would give more.
fn tier(program: &AttachedProgram) -> String {
    let why = program.refused.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    match program.tier {
        AttachTier::Events => String::new(),
        AttachTier::Preloaded => {
            let none = "no program loaded the library: the program is static or privileged, or changed its environment variables\n";
            let none = if program.loaded == Some(0) { none } else { "" };
            format!(
                "{none}only calls of the C library, by programs linked to it dynamically: not those of Go and static programs, \
                 nor timers, sockets' time limits and io_uring; why a wait was late is not known{why}\n"
            )
        }
        AttachTier::Counters => format!(
            "only what /proc counts: single waits, their requests and lateness are not known; kernel events show them, and so does the \
             library that `attach -- CMD` preloads{why}\n"
        ),
    }
}

fn remarks(attached: &Attached) -> String {
    let program = &attached.program;
    let mut lines = tier(program);
    let mut say = |count: u64, text: &str| {
        if count > 0 {
            lines += &format!("{text}: {count}\n");
        }
    };
    say(program.untimed, "waits without a time limit of their own, in no figure");
    say(program.under_way, "calls already under way when the recording began: whether they waited is not known");
    say(attached.not_separated, "waits that could not be split into parts, because some events were not seen");
    say(program.lost, "kernel events lost, at least; waits at that time may be missing");
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(program: AttachedProgram) -> String {
        text(&Attached { program, ..Attached::default() }, &[], Screen::PLAIN)
    }

    #[test]
    fn counters_are_rates_and_say_what_they_lack() {
        let thread = AttachedCounts {
            tid: 8,
            name: "worker".to_owned(),
            watched: Nanos::from_secs(2),
            waits: 190,
            preempted: 10,
            ran: Nanos::from_millis(40),
            queued: Nanos::from_millis(20),
            ..AttachedCounts::default()
        };
        let program = AttachedProgram {
            tier: AttachTier::Counters,
            refused: Some("not root".to_owned()),
            counts: vec![thread],
            ..AttachedProgram::default()
        };
        let verdict = headline(&Attached { program: program.clone(), ..Attached::default() }, &[]);
        let said = "worker (8) waited 95.0 times a second, ran 2.0 % of the time and stood 1.0 % of it in a run queue, 100 µs each time on \
                    average.";
        assert_eq!(verdict.text, said);
        assert!(verdict.advice.is_some_and(|advice| advice.contains("as root")));
        let text = shown(program);
        for expected in
            ["worker (8)", "95.0", "5.0", "2.00 %", "1.00 %", "100 µs", "lateness are not known", "(not root)"]
        {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn a_program_without_the_library_is_told_from_one_that_does_not_wait() {
        let program = |loaded| AttachedProgram { tier: AttachTier::Preloaded, loaded, ..AttachedProgram::default() };
        assert!(shown(program(Some(0))).contains("no program loaded the library"));
        let text = shown(program(Some(1)));
        assert!(!text.contains("no program loaded") && text.contains("of the C library"), "{text}");
    }

    #[test]
    fn a_command_line_is_one_short_line() {
        assert_eq!(shortened("a\n  b"), "a b");
        assert_eq!(shortened(&"x".repeat(COMMAND + 1)), "x".repeat(COMMAND) + "…");
    }
}
