//! jitterdebugger's samples: packed records (`samples.raw`), or lines of `thread;seconds;value`. Both include times.
//!
//! A file of records has no header. Each record has the thread's number, seconds, nanoseconds and value, in native byte
//! order: 28 bytes on a 64-bit system, 20 where seconds have 32 bits. The time is that of the wake-up on the monotonic
//! clock.

use super::jitterdebugger::CONVENTION;
use super::line_reader::{Line, LineReader, SECOND_RUN, SECOND_RUN_TEXT, Stop};
use super::streamed::{Samples, streamed};
use super::whole_file::{Builder, whole_lines};
use super::{ImportError, ImportOptions, Importer, Input, Opened, Records};
use oversleep_recording::plan::{Conditions, Pattern};
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Cursor, Read};

/// Reads packed records.
/// Accepts valid records if not all bytes are zeros: `/dev/zero` is refused.
pub(super) const JITTERDEBUGGER_RAW: Importer = Importer::new(
    RAW,
    |start| start.iter().any(|byte| *byte != 0) && record_length(start).is_some(),
    read_jitterdebugger_raw,
);

/// Reads lines of text.
pub(super) const JITTERDEBUGGER_CSV: Importer = Importer::new(CSV, sniff_jitterdebugger_csv, read_jitterdebugger_csv);

const RAW: &str = "jitterdebugger-samples";
const CSV: &str = "jitterdebugger-csv";

/// Default unit of the values, in ns. With `--nsec` it is nanoseconds, which these files do not state: it is inferred.
const MICROSECONDS: i64 = 1_000;

/// Number of records that are read at a time. A thread's period is inferred from those of its first time.
const PART: usize = 1 << 18;

/// Limit of thread numbers; a record with a larger one is refused.
const MOST_THREADS: u32 = 1 << 12;

/// One wake-up: time in ns of the monotonic clock, value in the unit of the file.
#[derive(Debug, Clone, Copy)]
struct Woke {
    thread: u32,
    at: i64,
    value: i64,
}

impl Woke {
    /// Reads a record of 28 or 20 bytes; `None` if it cannot be one.
    fn read(record: &[u8]) -> Option<Self> {
        let four = |at: usize| record.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes);
        let eight = |at: usize| record.get(at..at + 8)?.try_into().ok().map(u64::from_ne_bytes);
        let (seconds, nanos, value) = match record.len() {
            28 => (eight(4)?, eight(12)?, eight(20)?),
            20 => (u64::from(four(4)?), u64::from(four(8)?), eight(12)?),
            _ => return None,
        };
        Self::sound(four(0)?, i64::try_from(seconds).ok()?, i64::try_from(nanos).ok()?, i64::try_from(value).ok()?)
    }

    fn sound(thread: u32, seconds: i64, nanos: i64, value: i64) -> Option<Self> {
        // Time since boot and values are limited to ten years.
        const LONGEST: i64 = 10 * 366 * 86_400;
        let sane = thread < MOST_THREADS
            && (0..LONGEST).contains(&seconds)
            && (0..1_000_000_000).contains(&nanos)
            && (0..LONGEST * 1_000_000).contains(&value);
        sane.then(|| Self { thread, at: seconds * 1_000_000_000 + nanos, value })
    }
}

/// Returns the length of a record in bytes, if at least two valid records of that length are at the beginning.
fn record_length(start: &[u8]) -> Option<usize> {
    [28, 20].into_iter().find(|length| {
        let records: Vec<_> = start.chunks_exact(*length).take(8).map(Woke::read).collect();
        records.len() > 1 && records.iter().all(Option::is_some)
    })
}

fn read_jitterdebugger_raw<'a>(name: &str, mut input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut start = Vec::new();
    let read = input.by_ref().take(8 * 28).read_to_end(&mut start);
    read.map_err(|source| ImportError::Read { name: name.to_owned(), source })?;
    let length = record_length(&start).unwrap_or(28);
    let records = PackedRecords { input: Cursor::new(start).chain(input), length, place: 0 };
    recording((name, RAW), records)
}

fn sniff_jitterdebugger_csv(start: &[u8]) -> bool {
    let lines = whole_lines(start).map(|lines| lines.take(8).collect::<Vec<_>>());
    lines.is_some_and(|lines| !lines.is_empty() && lines.into_iter().all(|line| line_of(line).is_some()))
}

fn read_jitterdebugger_csv<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    recording((name, CSV), LineReader::of_list(input))
}

/// Parses a line such as `0;2660.549886797;43`.
fn line_of(line: &str) -> Option<Woke> {
    let fields: Vec<&str> = line.trim().split(';').collect();
    let [thread, time, value] = fields[..] else { return None };
    let (seconds, nanos) = time.split_once('.')?;
    if nanos.len() != 9 {
        return None;
    }
    Woke::sound(thread.parse().ok()?, seconds.parse().ok()?, nanos.parse().ok()?, value.parse().ok()?)
}

/// Time of each thread's last wake-up, in ns.
#[derive(Default)]
struct LastWakes(HashMap<u32, i64>);

impl LastWakes {
    /// Takes the next wake-up; `false` if it is not after the thread's last one, so that it is of another run or is there
    /// twice.
    fn take(&mut self, woke: &Woke) -> bool {
        self.0.insert(woke.thread, woke.at).is_none_or(|last| last < woke.at)
    }
}

/// Where wake-ups come from.
trait Wakes {
    /// Adds the next wake-up, if there is one; `false` at the end.
    fn next(&mut self, last: &mut LastWakes, woke: &mut Vec<Woke>) -> Result<bool, Stop>;
}

/// Packed records of a known length.
struct PackedRecords<R> {
    input: R,
    length: usize,
    /// Number of bytes before the next record.
    place: u64,
}

impl<R: Read> Wakes for PackedRecords<R> {
    fn next(&mut self, last: &mut LastWakes, woke: &mut Vec<Woke>) -> Result<bool, Stop> {
        let Self { input, length, place } = self;
        let mut record = Vec::with_capacity(*length);
        input.take(*length as u64).read_to_end(&mut record).map_err(Stop::Read)?;
        if record.is_empty() {
            return Ok(false);
        }
        let expected = || format!("byte {place}: a record of {length} bytes (thread, time, value) is expected");
        let read = Some(&record).filter(|record| record.len() == *length).and_then(|record| Woke::read(record));
        let read = read.ok_or_else(|| Stop::Wrong(expected()))?;
        if !last.take(&read) {
            return Err(Stop::Wrong(format!("byte {place}: {SECOND_RUN_TEXT}")));
        }
        woke.push(read);
        *place += *length as u64;
        Ok(true)
    }
}

impl<R: BufRead> Wakes for LineReader<R> {
    fn next(&mut self, last: &mut LastWakes, woke: &mut Vec<Woke>) -> Result<bool, Stop> {
        Self::next(self, |line| {
            if line.trim().is_empty() {
                return Ok(Line::Other);
            }
            let read = line_of(line).ok_or("thread;seconds;value")?;
            if !last.take(&read) {
                return Err(SECOND_RUN);
            }
            woke.push(read);
            Ok(Line::Value)
        })
    }
}

fn recording<'a>(
    (name, format): (&str, &'static str),
    wakes: impl Wakes + 'a,
) -> Result<Box<dyn Records + 'a>, ImportError> {
    let builder = Builder::new(name, format, CONVENTION);
    let sleeps = Sleeps { wakes, last: LastWakes::default(), unit: None, threads: BTreeMap::new(), stop: None };
    streamed((name, format), builder, sleeps, "it has no record")
}

/// The sleeps between wake-ups.
struct Sleeps<W> {
    wakes: W,
    last: LastWakes,
    /// Unit of the values, in ns, once the first were read.
    unit: Option<i64>,
    threads: BTreeMap<u32, Thread>,
    /// Why there are no more wake-ups, if that is an error.
    stop: Option<Stop>,
}

/// What is known of a thread.
struct Thread {
    cell: u32,
    period: Option<Nanos>,
    /// Time of the last wake-up, and number of wake-ups.
    last: Option<i64>,
    count: u64,
}

impl<W: Wakes> Samples for Sleeps<W> {
    fn next(&mut self, builder: &mut Builder) -> Result<bool, Stop> {
        if let Some(stop) = self.stop.take() {
            return Err(stop);
        }
        let mut woke = Vec::new();
        let mut more = true;
        while more && woke.len() < PART {
            match self.wakes.next(&mut self.last, &mut woke) {
                Ok(next) => more = next,
                Err(stop) => {
                    self.stop = Some(stop);
                    break;
                }
            }
        }
        self.add(&woke, builder);
        Ok(more)
    }
}

impl<W> Sleeps<W> {
    fn add(&mut self, woke: &[Woke], builder: &mut Builder) {
        let mut threads: BTreeMap<u32, Vec<Woke>> = BTreeMap::new();
        for one in woke {
            threads.entry(one.thread).or_default().push(*one);
        }
        for woke in threads.values_mut() {
            woke.sort_by_key(|one| one.at);
        }
        let unit = *self.unit.get_or_insert_with(|| infer_unit(&threads, builder));
        let mut samples = Vec::with_capacity(woke.len());
        for (number, woke) in threads {
            let thread = self.threads.entry(number).or_insert_with(|| Thread::new(number, &woke, unit, builder));
            samples.extend(woke.iter().map(|woke| thread.slept(woke, unit)));
        }
        samples.sort_by_key(|sample: &Sample| sample.end);
        for sample in samples {
            builder.sample(sample);
        }
    }
}

/// Returns the unit of the values, and remarks on how it is known.
fn infer_unit(threads: &BTreeMap<u32, Vec<Woke>>, builder: &mut Builder) -> i64 {
    match unit(threads) {
        // The default; anything else would not have the deadlines a period apart.
        Some(MICROSECONDS) => MICROSECONDS,
        Some(unit) => {
            builder.remark("values are nanoseconds: with them, deadlines are exactly a period apart".to_owned());
            unit
        }
        None => {
            let taken = "values are taken to be microseconds, which these few cannot show; they are nanoseconds if \
                         results.json has \"resolution_in_ns\": 1";
            builder.remark(taken.to_owned());
            MICROSECONDS
        }
    }
}

impl Thread {
    /// Adds the cell of a thread with these first wake-ups.
    fn new(number: u32, woke: &[Woke], unit: i64, builder: &mut Builder) -> Self {
        let period = period(woke, unit);
        let cell = builder.cell(&format!("jitterdebugger thread {number}"), period, Conditions::default());
        if period.is_none() {
            builder.meta().plan.cells[cell as usize].pattern = range(woke, unit);
        }
        Self { cell, period, last: None, count: 0 }
    }

    /// Returns a wake-up as a sleep that began at the previous one. No period is skipped: late wake-ups follow at once.
    fn slept(&mut self, woke: &Woke, unit: i64) -> Sample {
        let due = deadline(woke, unit);
        let start = self.last.unwrap_or(due).min(woke.at);
        let sequence = self.count;
        (self.last, self.count) = (Some(woke.at), sequence + 1);
        Sample {
            cell: self.cell,
            sequence,
            requested: self.period.unwrap_or(Nanos::new((due - start).max(0))),
            deadline: Some(Nanos::new(due)),
            start: Nanos::new(start),
            end: Nanos::new(woke.at),
            flags: if sequence == 0 { Flags::FIRST } else { Flags::default() },
            ..Sample::BLANK
        }
    }
}

fn deadline(woke: &Woke, unit: i64) -> i64 {
    woke.at - woke.value * unit
}

/// Returns the distances between the deadlines of a thread, sorted.
fn distances(woke: &[Woke], unit: i64) -> Vec<i64> {
    let mut distances: Vec<i64> =
        woke.windows(2).map(|two| deadline(&two[1], unit) - deadline(&two[0], unit)).collect();
    distances.sort_unstable();
    distances
}

/// Number of distances from which a unit and a period are inferred.
const ENOUGH: usize = 8;

/// Returns the unit of the values, if the wake-ups decide it: deadlines are a whole period apart, exactly in nanoseconds,
/// within a microsecond in microseconds.
fn unit(threads: &BTreeMap<u32, Vec<Woke>>) -> Option<i64> {
    let exact = |woke: &Vec<Woke>| {
        let distances = distances(woke, 1);
        let usual = distances.get(distances.len() / 2)?;
        let same = distances.iter().filter(|distance| *distance == usual).count();
        (distances.len() >= ENOUGH).then_some(same * 10 >= distances.len() * 9)
    };
    if threads.values().any(|woke| exact(woke) == Some(true)) {
        return Some(1);
    }
    threads.values().any(|woke| period(woke, MICROSECONDS).is_some()).then_some(MICROSECONDS)
}

/// Returns the period, if nearly all distances between deadlines are the same. Values are cut off to their unit.
fn period(woke: &[Woke], unit: i64) -> Option<Nanos> {
    let distances = distances(woke, unit);
    if distances.len() < ENOUGH {
        return None;
    }
    let usual = (distances[distances.len() / 2] + unit / 2) / unit * unit;
    let near = distances.iter().filter(|distance| (*distance - usual).abs() <= 2 * unit).count();
    (usual > 0 && near * 10 >= distances.len() * 9).then_some(Nanos::new(usual))
}

/// Returns the range of requests, for deadlines without a period.
fn range(woke: &[Woke], unit: i64) -> Pattern {
    let asked = woke.windows(2).map(|two| (deadline(&two[1], unit) - two[0].at).max(0));
    let (from, to) = asked.fold((i64::MAX, 0), |(from, to), asked| (from.min(asked), to.max(asked)));
    Pattern::Random { from: Nanos::new(from.min(to)), to: Nanos::new(to) }
}
