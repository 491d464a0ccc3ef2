//! What rtla says of the latency at which it stopped tracing (`rtla timerlat … --auto-analysis`, `--aa-only`): how long it
//! was and what it was made of.
//!
//! The text stands alone, or after a table of `rtla timerlat hist`.

use super::csv::TimeUnit;
use super::line_reader::{Line, LineFault, SECOND_RUN, by_line};
use super::whole_file::{Builder, Contents, has};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::text::escaped;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashSet};

/// Reads such a text where it stands alone.
pub(super) const RTLA_ANALYSIS: Importer =
    Importer::new(FORMAT, |start| has(start, "hit stop tracing") || has(start, "IRQ handler delay:"), read);

const FORMAT: &str = "rtla-auto-analysis";

const CONVENTION: &str = "rtla timerlat: from the time a timer was set for to its handler and a kernel thread, of the latencies at \
                          which the trace was stopped; others are not in the file";

/// Number of analyses above which a file is refused: rtla has one per processor.
const MOST: usize = 1 << 13;

/// Number of parts above which a latency is refused: rtla has each once.
const MOST_PARTS: usize = PARTS.len();

/// Number of analyses that are described.
const MOST_DESCRIBED: usize = 8;

/// Half of what the last digit stands for: times are rounded to 0.01 µs.
const ROUNDING: Nanos = Nanos::new(5);

/// Names of the parts of a latency, as rtla has them.
const PARTS: [&str; 7] = [
    "IRQ handler delay",
    "Timerlat IRQ duration",
    "Blocking thread",
    "NMI interference",
    "IRQ interference",
    "Softirq interference",
    "Thread interference",
];

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut analyses = Analyses::default();
    let mut contents = by_line(name, FORMAT, input, |line| Ok(analyses.line(line)?.unwrap_or(Line::Foreign)))?;
    analyses.finish(&mut contents);
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents(contents);
    let mut latencies: BTreeMap<(Option<u32>, bool), Vec<Nanos>> = BTreeMap::new();
    for analysis in &analyses.done {
        let Some((quantity, total)) = analysis.total else { continue };
        let is_thread = quantity == Quantity::TimerThread;
        latencies.entry((analysis.cpu, is_thread)).or_default().push(total);
        if let Some(irq) = analysis.irq.filter(|_| is_thread) {
            latencies.entry((analysis.cpu, false)).or_default().push(irq);
        }
    }
    for ((cpu, is_thread), values) in latencies {
        let conditions = Conditions { affinity: cpu.map(|cpu| vec![cpu]), ..Conditions::default() };
        let cell = builder.cell("rtla timerlat", None, conditions);
        let quantity = if is_thread { Quantity::TimerThread } else { Quantity::TimerInterrupt };
        builder.distribution(distribution(cell, quantity, values));
    }
    analyses.describe(&mut builder);
    builder.finish("it has no latency that was analysed")
}

/// The line that ends an analysis.
const TOTAL: &str = "`Thread latency:` or `IRQ latency:` with (100%)";

fn distribution(cell: u32, quantity: Quantity, mut values: Vec<Nanos>) -> Distribution {
    values.sort_unstable();
    let sum: f64 = values.iter().map(|value| value.as_f64()).sum();
    let buckets = values.chunk_by(|a, b| a == b).map(|same| {
        let low = (same[0] - ROUNDING).max(Nanos::ZERO);
        (low, same[0] + ROUNDING, same.len() as u64)
    });
    let buckets: Vec<_> = buckets.collect();
    Distribution {
        cell,
        quantity,
        count: values.len() as u64,
        outside_from: None,
        min: buckets.first().map(|(low, _, _)| *low),
        max: buckets.last().map(|(_, high, _)| *high),
        mean_ns: Some(sum / values.len() as f64),
        buckets,
        lost: vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions],
    }
}

/// The analyses of a file.
#[derive(Default)]
pub(super) struct Analyses {
    done: Vec<Analysis>,
    open: Option<Analysis>,
    /// The processors of those that are done.
    cpus: HashSet<Option<u32>>,
}

/// What rtla says of a latency.
#[derive(Default)]
struct Analysis {
    cpu: Option<u32>,
    /// From the timer's expiry to its handler.
    irq: Option<Nanos>,
    /// The parts, each with what rtla names in it.
    parts: Vec<(&'static str, Nanos, Vec<String>)>,
    /// The whole latency, and where it ended.
    total: Option<(Quantity, Nanos)>,
}

impl Analyses {
    /// Reads a line; `None` if it is not one of an analysis.
    pub(super) fn line(&mut self, line: &str) -> Result<Option<Line>, LineFault> {
        let line = line.trim();
        if let Some(cpu) = line.strip_prefix("## CPU ").and_then(|rest| rest.split(' ').next()) {
            let cpu = cpu.parse().map_err(|_| "## CPU and its number")?;
            if self.open.replace(Analysis { cpu: Some(cpu), ..Analysis::default() }).is_some() {
                return Err(TOTAL.into());
            }
            return Ok(Some(Line::Other));
        }
        // The heading `Blocking thread stacktrace` begins with a part's name and has no time.
        let has_time =
            |rest: &str| rest.starts_with(':') || rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let part = PARTS.into_iter().find(|part| line.strip_prefix(part).is_some_and(has_time));
        let is_irq = line.starts_with("IRQ latency:");
        if part.is_none() && !is_irq && !line.starts_with("Thread latency:") {
            return Ok(self.beside(line).then_some(Line::Other));
        }
        let open = self.open.get_or_insert_default();
        if let Some(part) = part {
            // A latency up to the interrupt has the blocking thread on a line of its own and no time.
            let time = if line == "Blocking thread:" { Nanos::ZERO } else { microseconds(line)? };
            open.parts.push((part, time, Vec::new()));
            if open.parts.len() > MOST_PARTS {
                return Err(TOTAL.into());
            }
            return Ok(Some(Line::Value));
        }
        let time = microseconds(line)?;
        if !line.ends_with("(100%)") {
            open.irq = Some(time);
            return Ok(Some(Line::Value));
        }
        open.total = Some((if is_irq { Quantity::TimerInterrupt } else { Quantity::TimerThread }, time));
        // rtla has one analysis of a processor.
        if !self.cpus.insert(open.cpu) {
            return Err(SECOND_RUN);
        }
        if self.cpus.len() > MOST {
            return Err(LineFault::TooMuch("more analyses than there are processors"));
        }
        self.done.extend(self.open.take());
        Ok(Some(Line::Value))
    }

    /// Reads a line without a part of its own; returns whether it is one that rtla prints in or after an analysis.
    fn beside(&mut self, line: &str) -> bool {
        const KNOWN: [&str; 7] = [
            "rtla timerlat hit stop tracing",
            "Previous IRQ interference:",
            "Max timerlat IRQ latency from idle",
            "The system has exit from idle latency",
            "Saving trace to",
            "Blocking thread stack",
            "->",
        ];
        if line.is_empty() || line.bytes().all(|byte| byte == b'-') || KNOWN.iter().any(|known| line.starts_with(known))
        {
            return true;
        }
        // What interfered: `objtool:49256   3.79 us`, `nmi   1.20 us`.
        let Some((_, _, named)) = self.open.as_mut().and_then(|open| open.parts.last_mut()) else { return false };
        let name = match line.strip_suffix(" us").map(|rest| rest.trim_end().rsplit_once(' ')) {
            Some(Some((name, time))) if TimeUnit::Microseconds.read(time).is_some() => name.trim(),
            None if line.contains(':') && !line.ends_with(':') => line,
            _ => return false,
        };
        if named.len() < 3 {
            named.push(escaped(name, 40));
        }
        true
    }

    /// Sets the error that the last analysis breaks off, if it does.
    pub(super) fn finish(&self, contents: &mut Contents) {
        if self.open.is_some() {
            contents.lacks(TOTAL);
        }
    }

    /// Adds what rtla says of each latency to a recording.
    pub(super) fn describe(&self, builder: &mut Builder) {
        self.done.iter().take(MOST_DESCRIBED).for_each(|analysis| builder.convention(analysis.sentence()));
        if let Some(more @ 1..) = self.done.len().checked_sub(MOST_DESCRIBED) {
            builder.remark(format!("{more} more analyses are not described"));
        }
    }
}

impl Analysis {
    /// Returns what the latency was made of, in rtla's words.
    fn sentence(&self) -> String {
        let (quantity, total) = self.total.unwrap_or((Quantity::TimerThread, Nanos::ZERO));
        let to = if quantity == Quantity::TimerThread { "the thread" } else { "the interrupt's handler" };
        let on = self.cpu.map_or_else(String::new, |cpu| format!(" on CPU {cpu}"));
        let part = |(name, time, named): &(&str, Nanos, Vec<String>)| {
            let time = if *time == Nanos::ZERO { String::new() } else { format!(" {time}") };
            let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
            format!("{name}{time}{named}")
        };
        let mut parts: Vec<String> = self.parts.iter().map(part).collect();
        let known = self.parts.iter().fold(Nanos::ZERO, |sum, (_, time, _)| sum + *time);
        if total > known {
            parts.push(format!("{} of nothing named", total - known));
        }
        format!("rtla's analysis{on}: {total} to {to}: {}", parts.join(", "))
    }
}

/// Returns the time before `us` in a line.
fn microseconds(line: &str) -> Result<Nanos, LineFault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "us").and_then(|at| at.checked_sub(1));
    let time = at.and_then(|at| TimeUnit::Microseconds.read(words[at]));
    Ok(Nanos::new(time.filter(|ns| (0..1 << 50).contains(ns)).ok_or("a time such as 27.49 us")?))
}
