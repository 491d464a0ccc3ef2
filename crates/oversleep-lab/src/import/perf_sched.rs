//! perf's reports on the scheduler: `perf sched timehist`, and `perf script` of `sched:*` events.
//!
//! Both say how long a thread waited from its wake-up until it ran, with times; neither says what the thread requested.

use super::lines::{Line, LineFault, Lines, SECOND_RUN, Stop};
use super::streamed::{Samples, streamed};
use super::whole_file::{Builder, has};
use super::{ImportError, ImportOptions, Importer, Records};
use crate::import::csv::TimeUnit;
use oversleep_recording::Sample;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io::BufRead;

/// Reads `perf sched timehist`.
pub(super) struct Timehist;

/// Reads `perf script`.
pub(super) struct SchedScript;

const TIMEHIST: &str = "perf-sched-timehist";
const SCRIPT: &str = "perf-script";

const CONVENTION: &str = "perf: from a thread's wake-up until it ran, by thread; what it had asked for is not known, so this is \
                          a part of its lateness";

/// Number of threads above which the rest are counted as one.
const MOST_THREADS: usize = 1 << 10;

/// Length of a thread's name with its numbers, in bytes, above which a line is refused: the kernel's have 15 letters.
const LONGEST_NAME: usize = 256;

/// Linux' own limit of thread numbers (`PID_MAX_LIMIT`).
const MOST_PIDS: u32 = 1 << 22;

const NOTHING: &str = "nobody was woken and then ran";

impl Importer for Timehist {
    fn name(&self) -> &'static str {
        TIMEHIST
    }

    fn sniff(&self, start: &[u8]) -> bool {
        has(start, "sch delay") && has(start, "run time")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let delays = Delays::of(input, Form::Timehist { titled: false });
        streamed((name, TIMEHIST), Builder::new(name, TIMEHIST, CONVENTION), delays, NOTHING)
    }
}

impl Importer for SchedScript {
    fn name(&self) -> &'static str {
        SCRIPT
    }

    fn sniff(&self, start: &[u8]) -> bool {
        has(start, "sched:sched_switch:") || has(start, "sched:sched_wakeup:") || has(start, "sched:sched_waking:")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let form = Form::Script { woken: HashMap::new() };
        let delays = Delays::of(input, form);
        streamed((name, SCRIPT), Builder::new(name, SCRIPT, CONVENTION), delays, NOTHING)
    }
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
    /// No event.
    NoEvent(Line),
}

/// Returns what a line of `timehist` says. `titled` is whether its title was read.
fn timehist(line: &str, titled: &mut bool) -> Result<PerfLine, LineFault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Lines that are not rows have no processor in brackets.
    let row = match words[..] {
        [time, cpu, .., _, delay, run] => {
            let cpu = cpu.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            cpu.map(|cpu| (time, cpu, delay, run))
        }
        _ => None,
    };
    let Some((time, cpu, delay, run)) = row else {
        if line.contains("sch delay") && std::mem::replace(titled, true) {
            return Err(SECOND_RUN);
        }
        let known = ["sch delay", "[tid/pid]", "-----"].iter().any(|part| line.contains(part));
        return Ok(PerfLine::NoEvent(if known || words.is_empty() { Line::Other } else { Line::Foreign }));
    };
    let task = words[2..words.len() - 3].join(" ");
    let expected = "time [cpu] task wait delay run";
    let ended = TimeUnit::Seconds.read(time).ok_or(expected)?;
    let waited = TimeUnit::Milliseconds.read(delay).ok_or(expected)?;
    let run = TimeUnit::Milliseconds.read(run).ok_or(expected)?;
    let cpu = cpu.parse().map_err(|_| expected)?;
    if task == "<idle>" {
        return Ok(PerfLine::Event(ended, None));
    }
    // The row's time is the end of the run, so the thread began to run one run time earlier.
    Ok(PerfLine::Event(ended, Some(Delay { task, ended: ended.checked_sub(run).ok_or(expected)?, waited, cpu })))
}

/// Returns what a line of `perf script` says. `woken` says since when threads have been waiting.
fn script(line: &str, woken: &mut HashMap<u32, i64>) -> Result<PerfLine, LineFault> {
    let Some((head, event)) = line.split_once("sched:sched_") else {
        let known = line.starts_with('#') || line.trim().is_empty();
        return Ok(PerfLine::NoEvent(if known { Line::Other } else { Line::Foreign }));
    };
    let expected = "task pid [cpu] time: sched:EVENT: what it says";
    let time = head.trim().trim_end_matches(':').split_whitespace().last().ok_or(expected)?;
    let time = TimeUnit::Seconds.read(time).ok_or(expected)?;
    let cpu = head.split('[').next_back().and_then(|rest| rest.split(']').next());
    let cpu = cpu.and_then(|cpu| cpu.parse().ok()).unwrap_or(Sample::NO_CPU);
    if let Some(rest) = event.strip_prefix("wakeup:").or_else(|| event.strip_prefix("wakeup_new:")) {
        let (_, pid) = task(rest, "", "comm=").ok_or(expected)?;
        woken.entry(pid).or_insert(time);
    } else if let Some(rest) = event.strip_prefix("switch:") {
        let (name, pid) = task(rest, "==>", "next_comm=").ok_or(expected)?;
        let delay = woken.remove(&pid).map(|began| Delay {
            task: format!("{name}[{pid}]"),
            ended: time,
            waited: time.saturating_sub(began),
            cpu,
        });
        return Ok(PerfLine::Event(time, delay));
    }
    Ok(PerfLine::Event(time, None))
}

/// Returns a task's name and number from either of perf's forms: `name:12 [120]` after a mark, or `comm=name pid=12`.
fn task<'a>(text: &'a str, mark: &str, key: &str) -> Option<(&'a str, u32)> {
    let text = text.split_once(mark).filter(|_| !mark.is_empty()).map_or(text, |(_, rest)| rest).trim();
    if let Some((_, rest)) = text.split_once(key) {
        let (name, rest) = rest.split_once("pid=")?;
        let name = name.trim_end().trim_end_matches("next_").trim_end();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        return Some((name, number(&rest[..end])?));
    }
    let before = text.split(" [").next()?;
    let (name, pid) = before.rsplit_once(':')?;
    Some((name, number(pid.trim())?))
}

/// Parses the number of a thread.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|pid| *pid < MOST_PIDS)
}

/// Scheduling delays by thread.
struct Delays<R> {
    lines: Lines<R>,
    form: Form,
    /// The cell of each thread, and the number of its delays.
    cells: HashMap<String, (u32, u64)>,
    /// Time of the first event, and the latest time, in ns.
    times: Option<(i64, i64)>,
}

enum Form {
    Timehist {
        /// Whether its title was read.
        titled: bool,
    },
    Script {
        /// When each thread was woken that has not run since, in ns.
        woken: HashMap<u32, i64>,
    },
}

impl<R: BufRead> Delays<R> {
    fn of(input: R, form: Form) -> Self {
        Self { lines: Lines::of_list(input), form, cells: HashMap::new(), times: None }
    }
}

impl<R: BufRead> Samples for Delays<R> {
    fn remark(&self) -> Option<String> {
        self.lines.remark()
    }

    fn next(&mut self, builder: &mut Builder) -> Result<bool, Stop> {
        let Self { lines, form, cells, times } = self;
        lines.next(|line| {
            let said = match form {
                Form::Timehist { titled } => timehist(line, titled)?,
                Form::Script { woken } => script(line, woken)?,
            };
            let (at, delay) = match said {
                PerfLine::Event(at, delay) => (at, delay),
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
