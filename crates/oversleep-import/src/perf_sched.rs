//! perf's reports on the scheduler: `perf sched timehist`, and `perf script` of `sched:*` events.
//!
//! Both say how long a thread waited from its wake-up until it ran, with times; neither says what the thread requested.

use super::line_reader::{Line, LineFault, LineReader, SECOND_RUN, Stop};
use super::streamed::{Samples, streamed};
use super::whole_file::{Builder, has};
use super::{ImportOptions, Importer, Input, Opened};
use crate::csv::TimeUnit;
use oversleep_recording::Sample;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io::BufRead;

/// Reads `perf sched timehist`.
pub(super) const SCHED_TIMEHIST: Importer =
    Importer::new(TIMEHIST, |start| has(start, "sch delay") && has(start, "run time"), read_timehist);

/// Reads `perf script`.
pub(super) const SCHED_SCRIPT: Importer = Importer::new(
    SCRIPT,
    |start| has(start, "sched:sched_switch:") || has(start, "sched:sched_wakeup:") || has(start, "sched:sched_waking:"),
    read_sched_script,
);

const TIMEHIST: &str = "perf-sched-timehist";
const SCRIPT: &str = "perf-script";

const CONVENTION: &str = "perf: from a thread's wake-up until it ran, by thread; runs that no wake-up began are left out; what it \
                          had asked for is not known, so this is a part of its lateness";

/// Number of threads above which the rest are counted as one.
const MOST_THREADS: usize = 1 << 10;

/// Length of a thread's name with its numbers, in bytes, above which a line is refused: the kernel's have 15 letters.
const LONGEST_NAME: usize = 256;

/// Linux' own limit of thread numbers (`PID_MAX_LIMIT`).
const MOST_PIDS: u32 = 1 << 22;

const NOTHING: &str = "nobody was woken and then ran";

fn read_timehist<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let delays = Delays::new(input, PerfSchedOutput::Timehist { title: None });
    streamed((name, TIMEHIST), Builder::new(name, TIMEHIST, CONVENTION), delays, NOTHING)
}

fn read_sched_script<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let output = PerfSchedOutput::Script { woken: HashMap::new() };
    let delays = Delays::new(input, output);
    streamed((name, SCRIPT), Builder::new(name, SCRIPT, CONVENTION), delays, NOTHING)
}

/// A scheduling delay of a thread.
#[derive(Debug, PartialEq)]
struct Delay {
    task: String,
    /// When the thread began to run, in ns.
    ended: i64,
    /// For how long it had waited, in ns.
    waited: i64,
    cpu: u16,
}

/// What a line says.
#[derive(Debug, PartialEq)]
enum PerfLine {
    /// An event at this time, in ns, and the delay that ended with it.
    Event(i64, Option<Delay>),
    /// A run of a thread that no wake-up began, or less than 1 µs after it, which ended at this time: perf prints 0.000
    /// for both.
    WithoutDelay(i64),
    /// No event.
    NoEvent(Line),
}

/// What the title of `timehist` says of its columns.
#[derive(Debug, Clone, Copy)]
struct Title {
    /// Whether a column of marks, one place per processor, stands before the name (`--cpu-visual`).
    has_marks: bool,
}

/// Returns what a line of `timehist` says. `title` is what was read of its title.
fn timehist(line: &str, title: &mut Option<Title>) -> Result<PerfLine, LineFault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Lines that are not rows have no processor in brackets.
    let row = match words[..] {
        [time, cpu, ..] => cpu.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(|cpu| (time, cpu)),
        _ => None,
    };
    let Some((time, cpu)) = row else {
        if line.contains("sch delay") {
            let marks = words.get(2).is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
            return match title.replace(Title { has_marks: marks }) {
                Some(_) => Err(SECOND_RUN),
                None => Ok(PerfLine::NoEvent(Line::Other)),
            };
        }
        let known = ["[tid/pid]", "-----"].iter().any(|part| line.contains(part));
        return Ok(PerfLine::NoEvent(if known || words.is_empty() { Line::Other } else { Line::Foreign }));
    };
    let expected = "time [cpu] task wait delay run";
    let ended = TimeUnit::Seconds.read(time).ok_or(expected)?;
    let cpu = cpu.parse().map_err(|_| expected)?;
    let name_at = if title.is_some_and(|title| title.has_marks) { 3 } else { 2 };
    let words = words.get(name_at..).unwrap_or_default();
    let Some((task, [_, delay, run])) = task_and_times(words) else {
        // Rows of `--wakeups` and `--migrations` have no times of their own.
        let other = words.iter().any(|word| ["awakened:", "migrated:"].contains(word));
        return if other { Ok(PerfLine::Event(ended, None)) } else { Err(expected.into()) };
    };
    let waited = TimeUnit::Milliseconds.read(delay).ok_or(expected)?;
    let run = TimeUnit::Milliseconds.read(run).ok_or(expected)?;
    if task == "<idle>" {
        return Ok(PerfLine::Event(ended, None));
    }
    if waited == 0 {
        return Ok(PerfLine::WithoutDelay(ended));
    }
    // The row's time is the end of the run, so the thread began to run one run time earlier.
    Ok(PerfLine::Event(ended, Some(Delay { task, ended: ended.checked_sub(run).ok_or(expected)?, waited, cpu })))
}

/// Returns the name, and the times of waiting, delay and run that follow it. More can follow those (`--next`, `--state`,
/// a call chain), and newer versions have the priority before them (`--show-prio`).
fn task_and_times<'a>(words: &[&'a str]) -> Option<(String, [&'a str; 3])> {
    let is_name_end = |word: &str| word.ends_with(']') || word == "<idle>";
    let is_priority = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || b"->".contains(&byte));
    let is_time =
        |word: &str| word.split_once('.').is_some_and(|(whole, rest)| [whole, rest].iter().all(|part| is_number(part)));
    let times_at = |at: &usize| words[*at..].iter().take(3).filter(|word| is_time(word)).count() == 3;
    (1..words.len()).filter(times_at).find_map(|at| {
        let end = match words[at - 1] {
            word if is_name_end(word) => at,
            word if at > 1 && is_priority(word) && is_name_end(words[at - 2]) => at - 1,
            _ => return None,
        };
        Some((words[..end].join(" "), [words[at], words[at + 1], words[at + 2]]))
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Since when a thread has been waiting.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Woken {
    /// In ns.
    since: i64,
    /// Whether that is when its wake-up began (`sched_waking`), and not when it was over (`sched_wakeup`).
    is_beginning: bool,
}

/// Returns what a line of `perf script` says. `woken` has the threads that were woken and have not run since.
fn script(line: &str, woken: &mut HashMap<u32, Woken>) -> Result<PerfLine, LineFault> {
    let Some((head, event)) = line.split_once("sched:sched_") else {
        let known = line.starts_with('#') || line.trim().is_empty();
        return Ok(PerfLine::NoEvent(if known { Line::Other } else { Line::Foreign }));
    };
    let expected = "task pid [cpu] time: sched:EVENT: what it says";
    let time = head.trim().trim_end_matches(':').split_whitespace().last().ok_or(expected)?;
    let time = TimeUnit::Seconds.read(time).ok_or(expected)?;
    let cpu = head.split('[').next_back().and_then(|rest| rest.split(']').next());
    let cpu = cpu.and_then(|cpu| cpu.parse().ok()).unwrap_or(Sample::NO_CPU);
    let Some((kind, said)) = event.split_once(':') else { return Err(expected.into()) };
    match kind {
        "waking" | "wakeup" | "wakeup_new" => {
            let (_, pid) = task(said, "", "comm=").ok_or(expected)?;
            let now = Woken { since: time, is_beginning: kind == "waking" };
            // `perf sched record` has only beginnings. Where both are there, the end counts: then the thread is queued.
            let known = woken.entry(pid).or_insert(now);
            if known.is_beginning && !now.is_beginning {
                *known = now;
            }
        }
        "switch" => {
            if let Some(pid) = still_runnable(said) {
                // Its wake-up came before it slept.
                woken.remove(&pid);
            }
            let (name, pid) = task(said, "==>", "next_comm=").ok_or(expected)?;
            let delay = woken.remove(&pid).map(|woken| Delay {
                task: format!("{name}[{pid}]"),
                ended: time,
                waited: time.saturating_sub(woken.since),
                cpu,
            });
            return Ok(PerfLine::Event(time, delay));
        }
        _ => {}
    }
    Ok(PerfLine::Event(time, None))
}

/// Returns the thread that a switch takes the processor from, if it would have run on.
fn still_runnable(switch: &str) -> Option<u32> {
    let (before, _) = switch.split_once("==>")?;
    let state = before.split_whitespace().next_back()?;
    let (_, pid) = task(before, "", "prev_comm=")?;
    state.strip_prefix("prev_state=").unwrap_or(state).starts_with('R').then_some(pid)
}

/// Returns a task's name and number from either of perf's forms: `name:12 [120]` after a mark, or `comm=name pid=12`.
fn task<'a>(text: &'a str, mark: &str, key: &str) -> Option<(&'a str, u32)> {
    let text = text.split_once(mark).filter(|_| !mark.is_empty()).map_or(text, |(_, rest)| rest).trim();
    if let Some((_, rest)) = text.split_once(key) {
        let (name, rest) = rest.split_once("pid=")?;
        let name = name.trim_end();
        let name = name.strip_suffix("next_").or_else(|| name.strip_suffix("prev_")).unwrap_or(name).trim_end();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        return Some((name, number(&rest[..end])?));
    }
    // A name can have brackets and colons of its own; the priority, in brackets, comes last.
    text.rmatch_indices(" [").find_map(|(at, _)| {
        let (name, pid) = text[..at].rsplit_once(':')?;
        Some((name, number(pid.trim())?))
    })
}

/// Parses the number of a thread.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|pid| *pid < MOST_PIDS)
}

/// Scheduling delays by thread.
struct Delays<R> {
    lines: LineReader<R>,
    output: PerfSchedOutput,
    /// The cell of each thread, and the number of its delays.
    cells: HashMap<String, (u32, u64)>,
    /// Time of the first event, and the latest time, in ns.
    times: Option<(i64, i64)>,
    /// Number of runs without a delay.
    without_delay: u64,
}

/// The output of perf that is being read, and what was learned from it so far.
enum PerfSchedOutput {
    Timehist {
        /// What was read of its title.
        title: Option<Title>,
    },
    Script {
        /// The threads that were woken and have not run since.
        woken: HashMap<u32, Woken>,
    },
}

impl<R: BufRead> Delays<R> {
    fn new(input: R, output: PerfSchedOutput) -> Self {
        Self { lines: LineReader::of_list(input), output, cells: HashMap::new(), times: None, without_delay: 0 }
    }
}

impl<R: BufRead> Samples for Delays<R> {
    fn remark(&self) -> Option<String> {
        let left_out = match self.without_delay {
            0 => None,
            1 => Some("1 run has a delay of 0.000, which is none or less than 1 µs, and is left out".to_owned()),
            runs => {
                Some(format!("{runs} runs have a delay of 0.000, which is none or less than 1 µs, and are left out"))
            }
        };
        let remarks: Vec<String> = self.lines.remark().into_iter().chain(left_out).collect();
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }

    fn next(&mut self, builder: &mut Builder) -> Result<bool, Stop> {
        let Self { lines, output, cells, times, without_delay } = self;
        lines.next(|line| {
            let said = match output {
                PerfSchedOutput::Timehist { title } => timehist(line, title)?,
                PerfSchedOutput::Script { woken } => script(line, woken)?,
            };
            let (at, delay) = match said {
                PerfLine::Event(at, delay) => (at, delay),
                PerfLine::WithoutDelay(at) => {
                    *without_delay += 1;
                    (at, None)
                }
                PerfLine::NoEvent(line) => return Ok(line),
            };
            // perf writes events in the order of their times.
            let (first, latest) = *times.get_or_insert((at, at));
            if at <= first && at < latest {
                return Err(SECOND_RUN);
            }
            *times = Some((first, latest.max(at)));
            let Some(delay) = delay else { return Ok(Line::Other) };
            let sample = delay.sample(cells, builder).ok_or("a delay of less than 146 years and a thread's name")?;
            builder.sample(sample);
            Ok(Line::Value)
        })
    }
}

impl Delay {
    /// Returns the delay as a sample, and adds its cell if it is a thread's first one; `None` if it is out of range.
    fn sample(&self, cells: &mut HashMap<String, (u32, u64)>, builder: &mut Builder) -> Option<Sample> {
        let Self { ref task, ended, waited, cpu } = *self;
        let start = ended.checked_sub(waited).filter(|start| waited >= 0 && start.unsigned_abs() < 1 << 62)?;
        if task.len() > LONGEST_NAME {
            return None;
        }
        let known = cells.contains_key(task);
        let task = if known || cells.len() < MOST_THREADS { task.as_str() } else { "other threads" };
        if !cells.contains_key(task) {
            let cell = builder.cell(&format!("run queue of {task}"), None, Conditions::default());
            cells.insert(task.to_owned(), (cell, 0));
        }
        let (cell, next) = cells.get_mut(task)?;
        let (cell, sequence) = (*cell, *next);
        *next += 1;
        Some(Sample { cell, sequence, start: Nanos::new(start), end: Nanos::new(ended), cpu_end: cpu, ..Sample::BLANK })
    }
}
