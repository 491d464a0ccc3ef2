//! Output of cyclictest's `-v`: one line per wake-up, with thread, number and value, but no time.

use super::line_reader::{Line, LineFault, SECOND_RUN, by_value};
use super::values::{LONG, MANY, Values};
use super::whole_file::{Builder, has, refused};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Loss, Quantity};
use std::collections::BTreeMap;

/// Reads such output.
pub(super) const CYCLICTEST_VERBOSE: Importer =
    Importer::new(FORMAT, |start| has(start, "Max CPUs = ") && has(start, "Online CPUs = "), read);

const FORMAT: &str = "cyclictest-verbose";

const CONVENTION: &str = "cyclictest -v: wake-up minus absolute deadline, in whole microseconds, cut off; its values are not \
                          to be relied on if whatever read them was ever slow";

/// Limit of threads: more than any machine runs.
const MOST_THREADS: u32 = 1 << 12;

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut threads: BTreeMap<u32, (Values, Option<u64>)> = BTreeMap::new();
    let (mut gaps, mut kept) = (0_u64, 0);
    let contents = by_value(name, FORMAT, input, |line| {
        let fields: Vec<&str> = line.split(':').map(str::trim).collect();
        let [thread, cycle, value] = fields[..] else { return Ok(beside(line)) };
        let Ok(thread) = thread.parse::<u32>() else { return Ok(beside(line)) };
        let expected = "thread : cycle : value";
        let cycle: u64 = cycle.parse().map_err(|_| expected)?;
        // With `--smi` a number follows the value, separated only by blanks.
        let value = value.split_whitespace().next().and_then(|value| value.parse::<i64>().ok()).ok_or(expected)?;
        if thread >= MOST_THREADS {
            return Err(LineFault::TooMuch("a thread's number of 4096 or more"));
        }
        let (values, last) = threads.entry(thread).or_default();
        if last.is_some_and(|last| cycle <= last) {
            return Err(SECOND_RUN);
        }
        if !values.add(value, &mut kept) {
            return Err(LineFault::TooMuch(MANY));
        }
        gaps += last.map_or(0, |last| cycle.saturating_sub(last.saturating_add(1)));
        *last = Some(cycle);
        Ok(Line::Value)
    })?;
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents(contents);
    if gaps > 0 {
        builder.remark(format!("{gaps} wake-ups are not listed between those that are"));
    }
    let lost = vec![Loss::Times, Loss::Requests, Loss::Unit, Loss::Conditions, Loss::SkippedPeriods];
    for (thread, (values, _)) in &threads {
        let cell = builder.cell(&format!("cyclictest thread {thread}"), None, Conditions::default());
        let distribution = values.distribution(cell, Quantity::Oversleep, 1_000, lost.clone());
        let long = || refused(name, FORMAT, format!("thread {thread}: {LONG}"));
        builder.distribution(distribution.ok_or_else(long)?);
    }
    builder.finish("no thread has counted anything")
}

/// Returns whether a line without a value is one that cyclictest prints at its start.
fn beside(line: &str) -> Line {
    const KNOWN: [&str; 3] = ["Max CPUs = ", "Online CPUs = ", "# /dev/cpu_dma_latency"];
    let interval = line.starts_with("Thread ") && line.contains(" Interval: ");
    let known = interval || line.trim().is_empty() || KNOWN.iter().any(|start| line.starts_with(start));
    if known { Line::Other } else { Line::Foreign }
}
