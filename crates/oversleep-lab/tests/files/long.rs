//! Lists of any length are read piece by piece, and what goes on without a value is given up.

use crate::importers::data;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use oversleep_lab::import::{self, Ending};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Note, Sample, Sink};
use std::fmt::Write as _;
use std::io::{self, BufReader, Read};

/// More than is read of a table or of lines without a value.
const LONG: u64 = 80 << 20;

/// A text over and over.
struct Again<'a> {
    text: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Again<'a> {
    fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), rest: &[] }
    }
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.text;
        }
        self.rest.read(buffer)
    }
}

/// Texts that follow each other, made from their numbers.
struct Numbered<'a> {
    make: &'a dyn Fn(u64) -> String,
    numbers: std::ops::Range<u64>,
    text: io::Cursor<Vec<u8>>,
}

impl Read for Numbered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let Some(number) = self.numbers.next() else { return Ok(0) };
        self.text = io::Cursor::new((self.make)(number).into_bytes());
        self.text.read(buffer)
    }
}

/// What came, without the samples themselves.
#[derive(Default)]
struct Counted {
    samples: u64,
    cells: usize,
    largest_batch: usize,
    counts: u64,
}

impl Sink for Counted {
    fn samples(&mut self, batch: &[Sample]) {
        assert!(batch.iter().all(|sample| (sample.cell as usize) < self.cells), "cells come before their samples");
        self.samples += batch.len() as u64;
        self.largest_batch = self.largest_batch.max(batch.len());
    }

    fn cell(&mut self, cell: &Cell) {
        assert_eq!(cell.id as usize, self.cells);
        self.cells += 1;
    }

    fn note(&mut self, note: &Note) {
        self.counts += note.distributions.iter().map(|one| one.count).sum::<u64>();
    }
}

fn read(input: impl Read) -> (Counted, Option<String>) {
    let mut source = match import::open("x", BufReader::new(input)) {
        Ok(source) => source,
        Err(error) => return (Counted::default(), Some(error.to_string())),
    };
    let mut counted = Counted { cells: source.meta().plan.cells.len(), ..Counted::default() };
    let error = match source.read_into(&mut counted) {
        Ending::Broken(error) => Some(error.to_string()),
        _ => None,
    };
    assert_eq!(counted.cells, source.meta().plan.cells.len());
    (counted, error)
}

/// Reads a list as long as more than is read of a table: `head`, and then the lines that `make` returns for each number, which
/// have `values`.
fn long(head: &str, make: &dyn Fn(u64) -> String, values: u64) -> Counted {
    let times = LONG / make(0).len() as u64;
    let lines = Numbered { make, numbers: 0..times, text: io::Cursor::default() };
    let (counted, error) = read(head.as_bytes().chain(lines));
    assert_eq!(error, None, "{head}");
    assert_eq!(counted.samples + counted.counts, times * values, "{head}");
    counted
}

#[test]
fn lists_are_read_whatever_their_length() {
    let head = String::from_utf8(data("perf-sched-timehist.txt")).unwrap();
    let head: String = head.split_inclusive('\n').take(3).collect();
    let row = |task: usize, blanks: &str| {
        format!("{blanks}103032.736716 [0001]  task{task}[47229/47207]  10.664   9.231   0.039\n")
    };
    let rows: String = (0..100).map(|task| row(task, " ")).collect();
    let counted = long(&head, &|_| rows.clone(), 100);
    assert!(counted.largest_batch < 1 << 16 && counted.cells == 100);
    // A thread that appears late has a cell of its own.
    let many = rows.repeat(3_000);
    let (counted, error) = read(format!("{head}{many}{}", row(100, " ")).as_bytes());
    assert_eq!((counted.samples, counted.cells, error), (300_001, 101, None));

    let script = |number: u64| {
        let second = 2_660 + number;
        format!(
            "nap 1 [001] {second}.100000: sched:sched_wakeup: nap:812 [120]<CPU:001>\n\
             swapper 0 [001] {second}.100042: sched:sched_switch: swapper/1:0 [120] R ==> nap:812 [120]\n"
        )
    };
    long("", &script, 1);
    let verbose = "Max CPUs = 2\nOnline CPUs = 2\nThread 0 Interval: 1500\n";
    long(verbose, &|number| format!("       0: {number:7}:      17\n"), 1);
    let wakes = |number: u64| {
        let (second, nano) = (2_660 + number / 1_000, number % 1_000 * 1_000_000);
        format!("0;{second}.{nano:09};43\n1;{second}.{nano:09};44\n")
    };
    assert_eq!(long("", &wakes, 2).cells, 2);
}

#[test]
fn what_goes_on_without_a_value_is_given_up() {
    let row = "103032.8 [0001] task[1] 10.664 9.231 0.039\n";
    let timehist = String::from_utf8(data("perf-sched-timehist.txt")).unwrap();
    let noise = format!("{}\n", "n".repeat(5_000));
    let (counted, error) = read(timehist.as_bytes().chain(row.as_bytes()).chain(Again::new(&noise)));
    assert!(counted.samples > 0);
    let error = error.unwrap();
    assert!(error.contains(": no value in the last 64 MiB; remove lines that are of something else"), "{error}");
    // A table has an end; its length is bounded.
    let table = data("cyclictest-2.4-h100.txt");
    let comment = format!("# {noise}");
    let (counted, error) = read(table.as_slice().chain(Again::new(&comment)));
    assert!(counted.counts > 0);
    let error = error.unwrap();
    assert!(error.starts_with("x: longer than 64 MiB, the most that is read of this format; record for"), "{error}");
    // Lines have an end, too.
    let (_, error) = read(timehist.as_bytes().chain(io::repeat(b'1')));
    assert!(error.unwrap().contains(": longer than 8 MiB, so this is not a line of this format"));
}

#[test]
fn what_grows_with_each_line_is_bounded() {
    let head = "Max CPUs = 2\nOnline CPUs = 2\n";
    let verbose = |lines: u64, line: &dyn Fn(u64) -> String| {
        let text = (0..lines).fold(head.to_owned(), |mut text, number| {
            text += &line(number);
            text
        });
        read(text.as_bytes()).1.unwrap_or_default()
    };
    let threads = verbose(10_000, &|number| format!("{number}: 1: 1\n"));
    assert!(threads.contains("line 4099: a thread's number of 4096 or more"), "{threads}");
    let values = verbose(4_500_000, &|number| format!("{}: {number}: {number}\n", number % 4));
    assert!(values.contains("line 4194307: more than 4194304 different values up to here"), "{values}");
    // Numbers of threads that are never seen to run.
    let mut woken = String::new();
    let pids = [812, 1 << 22];
    for pid in &pids {
        writeln!(woken, "a 0 [001] 1.0: sched:sched_wakeup: a:{pid} [120]").unwrap();
    }
    let error = read(woken.as_bytes()).1.unwrap();
    assert!(error.contains("x: line 2: `a 0 [001]"), "{error}");
    // One line can name a million processors.
    let oslat = format!("Version: 2\nWorkload mem:\n Core: {}\n", "0 ".repeat(1 << 20));
    let error = read(oslat.as_bytes()).1.unwrap();
    assert!(error.contains("where a number per thread is expected"), "{error}");
    let columns = "\t1".repeat(4_000);
    let histogram = (0..1_100).fold("# Histogram\n".to_owned(), |text, row| text + &format!("{row} {columns}\n"));
    let error = read(histogram.as_bytes()).1.unwrap();
    assert!(error.contains("line 1050: more than 4194304 counts that are not zero"), "{error}");
    // A short line after a first one with many keys would be a long row.
    let keys: Vec<String> = (0..2_000).map(|key| format!("\"k{key}\":1")).collect();
    let lines = format!("{{\"requested_ns\":1,{}}}\n{}", keys.join(","), "{}\n".repeat(1_000));
    assert_eq!(read(lines.as_bytes()).1.unwrap(), "x: line 1: more than 1024 keys");
}

/// An hour of an `.hlog` with a line a second, each of a thousand values.
#[test]
fn a_log_of_an_hour_is_read() {
    let mut histogram = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3).unwrap();
    let mut log = "#[Histogram log format version 1.3]\n".to_owned();
    for second in 0..3_600_u64 {
        histogram.reset();
        for value in 0..1_000 {
            histogram.record(50_000 + (second + 7) * (value + 11) % 40_000).unwrap();
        }
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram, &mut bytes).unwrap();
        writeln!(log, "{second}.0,1.0,0.1,{}", STANDARD.encode(&bytes)).unwrap();
    }
    let (counted, error) = read(log.as_bytes());
    assert_eq!((counted.counts, error), (3_600_000, None));
}
