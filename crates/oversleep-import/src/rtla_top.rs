//! The table of `rtla timerlat top`: of each processor the number of timers, and the least, mean and greatest delay until the
//! interrupt's handler, a kernel thread and, with `-u`, user space. A terminal shows it again and again: the last one counts.

use super::line_reader::{Line, LineFault, by_line};
use super::whole_file::{Builder, cut_off, has};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use std::collections::BTreeMap;

/// Reads such tables.
pub(super) const RTLA_TOP: Importer =
    Importer::new(FORMAT, |start| has(start, "Timer Latency") && has(start, "CPU COUNT"), read);

const FORMAT: &str = "rtla-top";

const CONVENTION: &str = "rtla timerlat: from the time a timer was set for to its handler, a kernel thread and user space; extremes and \
                          a mean alone";

/// What the table's parts between bars hold, in their order.
const PARTS: [Quantity; 3] = [Quantity::TimerInterrupt, Quantity::TimerThread, Quantity::TimerUser];

/// Limit of processors: more than any machine has.
const MOST_CPUS: usize = 1 << 14;

/// The row of a processor.
struct Row {
    count: u64,
    /// Least, mean and greatest delay; `None` where nothing was counted.
    parts: Vec<Option<[i64; 3]>>,
}

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let (mut rows, mut unit) = (BTreeMap::new(), 1_000);
    let contents = by_line(name, FORMAT, input, |line| {
        if line.contains("Timer Latency (ns)") {
            unit = 1;
        }
        let Some((cpu, row)) = parse(line)? else { return Ok(beside(line)) };
        rows.insert(cpu, row);
        if rows.len() > MOST_CPUS { Err(LineFault::TooMuch("more than 16384 processors")) } else { Ok(Line::Value) }
    })?;
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents(contents);
    for (cpu, row) in &rows {
        for (quantity, part) in PARTS.into_iter().zip(&row.parts) {
            let Some([min, mean, max]) = *part else { continue };
            let conditions = Conditions { affinity: Some(vec![*cpu]), ..Conditions::default() };
            let cell = builder.cell("rtla timerlat", None, conditions);
            builder.distribution(Distribution {
                cell,
                quantity,
                count: row.count,
                buckets: Vec::new(),
                outside_from: None,
                min: cut_off(min, unit).map(|(low, _)| low),
                max: cut_off(max, unit).map(|(_, high)| high),
                mean_ns: Some(mean as f64 * unit as f64),
                lost: vec![Loss::Buckets, Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions],
            });
        }
    }
    builder.finish("no processor has counted anything")
}

/// Returns the processor and the figures of a row; `None` of other lines.
fn parse(line: &str) -> Result<Option<(u32, Row)>, LineFault> {
    let mut parts = line.split('|');
    let mut words = parts.next().unwrap_or_default().split_whitespace();
    let (Some(cpu), Some(count)) = (words.next(), words.next().and_then(|word| word.strip_prefix('#'))) else {
        return Ok(None);
    };
    // The sum of all processors.
    let Ok(cpu) = cpu.parse() else { return Ok(None) };
    let count = count.parse().map_err(|_| "a processor and a number of timers")?;
    let parts: Vec<Option<[i64; 3]>> = parts.map(figures).collect::<Result<_, _>>()?;
    if parts.is_empty() || parts.len() > PARTS.len() {
        return Err("one to three parts between bars".into());
    }
    Ok(Some((cpu, Row { count, parts })))
}

fn figures(part: &str) -> Result<Option<[i64; 3]>, LineFault> {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words[..] {
        [_, "-", ..] => Ok(None),
        [_, min, mean, max] => {
            let number = |word: &str| word.parse().map_err(|_| LineFault::Expected("whole numbers"));
            Ok(Some([number(min)?, number(mean)?, number(max)?]))
        }
        _ => Err("cur, min, avg and max of each part".into()),
    }
}

/// Returns whether a line without a processor's figures is one that rtla prints: the heads, and the sums of all processors.
fn beside(line: &str) -> Line {
    let bare = line.trim_start_matches(|letter: char| letter.is_control() || letter.is_whitespace());
    let known = bare.is_empty()
        || bare.contains("Timer Latency")
        || ["CPU COUNT", "ALL ", "---"].iter().any(|start| bare.starts_with(start));
    if known { Line::Other } else { Line::Foreign }
}
