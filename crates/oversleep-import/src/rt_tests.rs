//! `--json` output of the programs of rt-tests: cyclictest, oslat, signaltest, ptsematest, cyclicdeadline and others.
//!
//! Two keys end in a colon, `resolution_in_ns` says whether values are nanoseconds, and values beyond the histogram are absent
//! (oslat counts them in its last bucket instead).

use super::json_figures::{JsonFigures, counted, shown};
use super::rt_command::Command;
use super::whole_file::{Builder, has, object, refused, text, times};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::{Conditions, Pattern};
use oversleep_recording::text::escaped;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};

/// Reads such output.
pub(super) const RT_TESTS: Importer =
    Importer::new(FORMAT, |start| start.trim_ascii_start().starts_with(b"{") && has(start, "\"rt_test_version"), read);

const FORMAT: &str = "rt-tests-json";

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let text = text(name, FORMAT, input)?;
    let refuse = |why| refused(name, FORMAT, why);
    let (document, command) = parse(&text).map_err(refuse)?;
    let threads = threads(&document).map_err(refuse)?;
    let quantity = quantity(&command).map_err(refuse)?;
    let unit = unit(&document).map_err(refuse)?;
    let mut builder = Builder::new(name, FORMAT, convention(&command, quantity));
    facts(&document, &mut builder);
    for (number, thread) in threads {
        let wrong = |what: &str| refused(name, FORMAT, format!("thread {number}: {what}"));
        let thread = thread.as_object().ok_or_else(|| wrong("it is not an object"))?;
        let received = received(thread);
        let thread = received.as_ref().unwrap_or(thread);
        let named_by_upper_end = quantity == Quantity::LoopGap;
        let figures = JsonFigures { told: thread, unit, named_by_upper_end, end: command.buckets };
        let cpu = figures.integer("cpu").map_err(|why| wrong(&why))?;
        let conditions = Conditions {
            // Without affinity it is -1.
            affinity: cpu.and_then(|cpu| u32::try_from(cpu).ok()).map(|cpu| vec![cpu]),
            ..command.conditions.clone()
        };
        let method = &command.program;
        let origin = Origin::read(thread).filter(|_| command.program == "oversleep").unwrap_or_default();
        let of_command = command.interval(number.parse().unwrap_or(0)).filter(|_| quantity == Quantity::Oversleep);
        let period = origin.period.or(of_command);
        // As the text forms call it: a name of its own, without which threads are rows that look alike.
        let name = origin.row.unwrap_or_else(|| format!("{method} thread {number}"));
        let cell = builder.cell(&name, period, conditions);
        let is_known = period.or(origin.requested).is_some();
        if let Some(requested) = origin.requested.or(period.filter(|_| command.is_relative)) {
            builder.meta().plan.cells[cell as usize].pattern = Pattern::Fixed { requested };
        }
        if let Some(early) = figures.count("early").map_err(|why| wrong(&why))?.filter(|early| *early > 0) {
            builder.remark(format!("{method} thread {number}: {early} early wake-ups are in no figure of this file"));
        }
        let mut distribution = distribution(cell, &figures, quantity, &command).map_err(|why| wrong(&why))?;
        distribution.lost.retain(|loss| *loss != Loss::Requests || !is_known);
        builder.distribution(distribution);
    }
    builder.finish("no thread has counted anything")
}

/// Which row of our recording a thread of our export is of.
#[derive(Default)]
struct Origin {
    row: Option<String>,
    period: Option<Nanos>,
    requested: Option<Nanos>,
}

impl Origin {
    /// Reads it from the keys that our export adds; `None` if they are absent.
    fn read(thread: &Map<String, Value>) -> Option<Self> {
        let time = |key| thread.get(key)?.as_i64().and_then(|ns| times(ns, 1)).filter(|time| *time > Nanos::ZERO);
        let row = thread.get("row")?.as_str()?.to_owned();
        Some(Self { row: Some(row), period: time("period_ns"), requested: time("requested_ns") })
    }
}

fn convention(command: &Command, quantity: Quantity) -> &'static str {
    match quantity {
        _ if command.is_relative => {
            "cyclictest --relative: how much longer than the interval a relative sleep took, in whole units, cut off; no period \
             is missed"
        }
        // Seen with version 2.4: after ten stops of 800 ms its largest value was 7.9 s.
        _ if command.program == "cyclicdeadline" => {
            "cyclicdeadline: wake-up minus deadline, in whole units, cut off; its deadlines are one period apart and so are \
             its wake-ups, so after a late one the next are late as well"
        }
        Quantity::LoopGap => {
            "oslat: gaps in a busy loop, in whole microseconds rounded up; its last bucket holds all that are longer"
        }
        Quantity::Handover => "rt-tests: from sending to arrival, in whole units, cut off",
        _ => {
            "cyclictest: wake-up minus absolute deadline, in whole units, cut off; a period missed is not counted, so \
             figures are of wake-ups, not of periods"
        }
    }
}

/// Returns what the figures of a program are.
fn quantity(command: &Command) -> Result<Quantity, String> {
    match command.program.as_str() {
        "oslat" if command.bucket_width.is_some() => Err(
            "with `--bucket-width`, how the document names buckets is not known; measure without it, or keep the text \
                 that oslat prints"
                .to_owned(),
        ),
        "oslat" if command.is_biased => {
            Err("oslat's --bias shifts its buckets, which is not read; measure without it".to_owned())
        }
        "oslat" => Ok(Quantity::LoopGap),
        "signaltest" | "ptsematest" | "sigwaittest" | "svsematest" | "pmqtest" => Ok(Quantity::Handover),
        // We export the form of cyclictest.
        "cyclictest" | "cyclicdeadline" | "oversleep" => Ok(Quantity::Oversleep),
        "" => Err("it has no command line (`cmdline`), so which program it is of is not known".to_owned()),
        other => Err(format!("its command line is of `{}`, whose figures are not known", escaped(other, 40))),
    }
}

/// Returns the unit of values, in ns.
fn unit(document: &Map<String, Value>) -> Result<i64, String> {
    match document.get("resolution_in_ns") {
        None => Ok(1_000),
        Some(flag) if *flag == 0 => Ok(1_000),
        Some(flag) if *flag == 1 => Ok(1),
        Some(other) => Err(format!("`resolution_in_ns` is {}, and 0 or 1 is expected", shown(other))),
    }
}

/// Returns the threads by number.
fn threads(document: &Map<String, Value>) -> Result<&Map<String, Value>, String> {
    let threads = document.get("thread").and_then(Value::as_object).ok_or("it has no object `thread`")?;
    match document.get("num_threads") {
        Some(stated) if *stated != threads.len() => {
            Err(format!("`num_threads` is {}, and `thread` holds {}", shown(stated), threads.len()))
        }
        _ => Ok(threads),
    }
}

/// Parses the document and its command line. If the command line breaks the JSON (quotation marks are not escaped), the
/// document is parsed without it, and the command line is taken as it stands.
fn parse(text: &str) -> Result<(Map<String, Value>, Command), String> {
    // printf writes NaN for a thread that never ran.
    let mended: String = text.replace(": -nan", ": null").replace(": nan", ": null");
    let first = match object(&mended) {
        Ok(document) => {
            let command = Command::parse(get(&document, "cmdline").and_then(Value::as_str).unwrap_or_default());
            return Ok((document, command));
        }
        Err(why) => why,
    };
    let is_command = |line: &str| line.trim_start().starts_with("\"cmdline");
    // The command's line stays, empty, so that line numbers remain right.
    let without: String = mended
        .lines()
        .map(|line| if is_command(line) { "\n" } else { line })
        .fold(String::new(), |text, line| text + line.trim_end() + "\n");
    let line = mended.lines().find(|line| is_command(line)).unwrap_or_default();
    let words = line.split_once("\": \"").map_or("", |(_, rest)| rest.trim_end().trim_end_matches(','));
    let command = Command::parse(words.strip_suffix('"').unwrap_or(words));
    object(&without).map(|document| (document, command)).map_err(|_| first)
}

/// Returns a value by its key, with or without the colon that two of the keys end in.
fn get<'a>(document: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    document.get(key).or_else(|| document.get(&format!("{key}:")))
}

/// Returns the figures of a pair of threads, for which ptsematest and its like have an object each: the receiver's
/// extremes, and the sender's number of values.
fn received(pair: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut figures = pair.get("receiver")?.as_object()?.clone();
    figures.insert("cycles".to_owned(), pair.get("sender")?.get("samples")?.clone());
    Some(figures)
}

/// Copies what the document says about the machine.
fn facts(document: &Map<String, Value>, builder: &mut Builder) {
    let told = |key: &str| document.get("sysinfo")?.get(key)?.as_str().map(str::to_owned);
    let meta = builder.meta();
    let machine = &mut meta.machine;
    machine.system = told("sysname").unwrap_or_default();
    machine.release = told("release").unwrap_or_default();
    machine.version = told("version").unwrap_or_default();
    machine.architecture = told("machine").unwrap_or_default();
    let begun = document.get("start_time").and_then(Value::as_str);
    let begun = begun.and_then(|text| jiff::fmt::rfc2822::parse(text).ok());
    meta.started = begun.map(|time| time.timestamp().to_string());
}

/// Returns the distribution of a thread.
fn distribution(
    cell: u32,
    figures: &JsonFigures,
    quantity: Quantity,
    command: &Command,
) -> Result<Distribution, String> {
    let mut buckets = figures.buckets()?;
    let max = figures.extreme("max")?.map(|(_, high)| high);
    let counted = counted(&buckets)?;
    if let (Quantity::LoopGap, Some(last), Some(max)) = (quantity, buckets.last_mut(), max) {
        last.1 = last.1.max(max);
    }
    let count = figures.count("cycles")?.unwrap_or(counted);
    if count < counted {
        return Err(format!("{counted} values in buckets, and {count} in all"));
    }
    let asked = command.buckets.and_then(|buckets| times(buckets, figures.unit));
    let beyond = asked.or_else(|| buckets.last().map(|(_, high, _)| *high + Nanos::new(1)));
    let mut lost = vec![Loss::Times, Loss::Order];
    let periodic = quantity == Quantity::Oversleep;
    let skips = periodic && !command.is_relative && command.program != "cyclicdeadline";
    lost.extend(skips.then_some(Loss::SkippedPeriods));
    lost.extend((periodic && command.interval(0).is_none()).then_some(Loss::Requests));
    lost.extend(buckets.is_empty().then_some(Loss::Buckets));
    lost.extend((!buckets.is_empty() && count > counted).then_some(Loss::Overflow));
    Ok(Distribution {
        cell,
        quantity,
        count,
        outside_from: if buckets.is_empty() { None } else { beyond },
        buckets,
        min: figures.extreme("min")?.map(|(low, _)| low),
        max,
        mean_ns: figures.mean_ns()?,
        lost,
    })
}
