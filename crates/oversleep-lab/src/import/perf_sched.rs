//! perf's reports on the scheduler: `perf sched timehist`, and `perf script` of `sched:*` events.
//!
//! Both say how long a thread waited from its wake-up until it ran, with times; neither says what the thread requested.

use super::whole_file::{Builder, by_line, has};
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
        let mut delays = Delays::new(name, TIMEHIST);
        let contents = by_line(name, TIMEHIST, input, |line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            // Lines that are not rows have no processor in brackets.
            let [time, cpu, .., _, delay, _] = words[..] else { return Ok(()) };
            let Some(cpu) = cpu.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return Ok(()) };
            let task = words[2..words.len() - 3].join(" ");
            let expected = "time [cpu] task wait delay run";
            let ended = TimeUnit::Seconds.read(time).ok_or(expected)?;
            let delay = TimeUnit::Milliseconds.read(delay).ok_or(expected)?;
            let run = words.last().and_then(|run| TimeUnit::Milliseconds.read(run)).ok_or(expected)?;
            let cpu = cpu.parse().map_err(|_| expected)?;
            if task == "<idle>" {
                return Ok(());
            }
            // The row's time is the end of the run, so the thread began to run one run time earlier.
            let began = ended.checked_sub(run).ok_or(expected)?;
            delays.add(&task, began, delay, cpu).ok_or(expected)?;
            Ok(())
        })?;
        delays.builder.contents(contents);
        delays.builder.finish("nobody was woken and then ran")
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
        let mut delays = Delays::new(name, SCRIPT);
        let mut woken: HashMap<u32, i64> = HashMap::new();
        let contents = by_line(name, SCRIPT, input, |line| {
            let Some((head, event)) = line.split_once("sched:sched_") else { return Ok(()) };
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
                if let Some(wakeup) = woken.remove(&pid) {
                    delays.add(&format!("{name}[{pid}]"), time, time - wakeup, cpu).ok_or(expected)?;
                }
            }
            Ok(())
        })?;
        delays.builder.contents(contents);
        delays.builder.finish("nobody was woken and then ran")
    }
}

/// Returns a task's name and number from either of perf's forms: `name:12 [120]` after a mark, or `comm=name pid=12`.
fn task<'a>(text: &'a str, mark: &str, key: &str) -> Option<(&'a str, u32)> {
    let text = text.split_once(mark).filter(|_| !mark.is_empty()).map_or(text, |(_, rest)| rest).trim();
    if let Some((_, rest)) = text.split_once(key) {
        let (name, rest) = rest.split_once("pid=")?;
        let name = name.trim_end().trim_end_matches("next_").trim_end();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        return Some((name, rest[..end].parse().ok()?));
    }
    let before = text.split(" [").next()?;
    let (name, pid) = before.rsplit_once(':')?;
    Some((name, pid.trim().parse().ok()?))
}

/// Scheduling delays by thread.
struct Delays {
    builder: Builder,
    cells: HashMap<String, (u32, u64)>,
}

impl Delays {
    fn new(name: &str, format: &'static str) -> Self {
        let builder = Builder::new(name, format, CONVENTION);
        Self { builder, cells: HashMap::new() }
    }

    /// Adds a delay by its end and duration, in ns; `None` if they are out of range.
    fn add(&mut self, task: &str, ended: i64, delay: i64, cpu: u16) -> Option<()> {
        let start = ended.checked_sub(delay).filter(|start| delay >= 0 && start.unsigned_abs() < 1 << 62)?;
        let known = self.cells.contains_key(task);
        let task = if known || self.cells.len() < MOST_THREADS { task } else { "other threads" };
        if !self.cells.contains_key(task) {
            let cell = self.builder.cell(&format!("run queue of {task}"), None, Conditions::default());
            self.cells.insert(task.to_owned(), (cell, 0));
        }
        let (cell, sequence) = self.cells.get_mut(task)?;
        let (cell, number) = (*cell, *sequence);
        *sequence += 1;
        let (start, end) = (Nanos::new(start), Nanos::new(ended));
        self.builder.sample(Sample { cell, sequence: number, start, end, cpu_end: cpu, ..Sample::BLANK });
        Some(())
    }
}
