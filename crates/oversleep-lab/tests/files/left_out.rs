//! Nothing in a file is left out or counted twice unsaid: it is read, refused with its line, or a remark tells it.

use crate::hostile::FILES;
use crate::importers::data;
use oversleep_lab::import::{self, Ending};
use oversleep_recording::Recording;

/// What was read of a file: how many values, its error, and its remarks.
struct Read {
    count: u64,
    error: Option<String>,
    remarks: Vec<String>,
}

fn read(bytes: &[u8]) -> Read {
    let mut source = match import::open("the-file", bytes) {
        Ok(source) => source,
        Err(error) => return Read { count: 0, error: Some(error.to_string()), remarks: Vec::new() },
    };
    let mut recording = Recording::new(source.meta().clone());
    let error = match source.read_into(&mut recording) {
        Ending::Broken(error) => Some(error.to_string()),
        _ => None,
    };
    let counted: u64 = recording.note.distributions.iter().map(|one| one.count).sum();
    Read { count: counted + recording.samples.len() as u64, error, remarks: source.remarks().to_vec() }
}

/// Returns the number of a file's lines; of records, the number of bytes.
fn ends_at(bytes: &[u8], error: &str) -> usize {
    let records = error.contains("byte ");
    if records { bytes.len() } else { bytes.split(|byte| *byte == b'\n').count() - 1 }
}

#[test]
fn the_same_contents_twice_are_not_counted_twice() {
    for file in FILES {
        let once = data(file);
        let before = read(&once);
        assert_eq!(before.error, None, "{file}");
        let twice = read(&[&once[..], &once[..]].concat());
        match twice.error {
            // Lines that follow each other for a thread have its latest figures, so that the last ones count.
            None => {
                let lines = ["cyclictest-2.4-fifo.txt", "cyclictest-2.4-spike.txt"];
                assert!(twice.count == before.count && lines.contains(&file), "{file}: {}", twice.count);
            }
            Some(error) => {
                let named: Vec<usize> =
                    error.split(|letter: char| !letter.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
                let end = ends_at(&once, &error);
                assert!(named.iter().any(|place| (end..=2 * end).contains(place)), "{file}: {error}");
                assert!(twice.count <= before.count, "{file}: {} of {}", twice.count, before.count);
            }
        }
    }
}

#[test]
fn a_second_run_of_other_values_is_refused() {
    let text = |file: &str| String::from_utf8(data(file)).unwrap();
    for (file, from, to) in [
        ("cyclictest-2.4-fifo.txt", "11543", "11600"),
        ("cyclictest-2.4-fifo.txt", "981", "980"),
        ("cyclictest-2.4-fifo.txt", "I:1000", "I:2000"),
        ("perf-script-sched.txt", ".20000", ".10000"),
    ] {
        let first = text(file);
        let read = read((first.clone() + &first.replace(from, to)).as_bytes());
        assert!(
            read.error.as_ref().is_some_and(|error| error.contains("a second run begins")),
            "{file}: {:?}",
            read.error
        );
    }
    // A later run of perf has later times: these are more samples, not the same ones.
    let first = text("perf-script-sched.txt");
    let later = read((first.clone() + &first.replace("2660.", "2670.")).as_bytes());
    assert_eq!((later.count, later.error), (2 * read(first.as_bytes()).count, None));
    // The figures of all processors are the end of rtla's table.
    let rtla = text("rtla-timerlat-hist-made-up.txt");
    for more in [
        "Index   IRQ-000\n",
        "ALL:        IRQ\n",
        "count:    10000     10000     10000 \n",
        "3  1 2 3 4 5 6\n",
        "# RTLA timerlat histogram\n",
    ] {
        let error = read((rtla.clone() + more).as_bytes()).error.unwrap_or_default();
        assert!(error.contains("line 90: a second table begins"), "{more}: {error}");
    }
    let rows = text("oslat.txt") + "    004 (us):\t 1 1\n";
    assert!(read(rows.as_bytes()).error.unwrap().contains("a second table begins"));
    let odd = text("oslat.txt").replace("002 (us)", "two (us)");
    assert!(read(odd.as_bytes()).error.unwrap().contains("where a bucket and a count per thread is expected"));
}

#[test]
fn foreign_text_is_told_with_its_line() {
    const TEXT: &str = "and now for something else";
    for file in FILES {
        let bytes = data(file);
        let read = read(&[&bytes[..], TEXT.as_bytes(), b"\n", b"twice\n"].concat());
        if ["ltp-timers.txt", "jitterdebugger-samples.raw"].contains(&file) {
            // The first is too short to be known with text in it; the second has no lines.
            assert!(read.error.is_some(), "{file}");
            continue;
        }
        let line = bytes.split(|byte| *byte == b'\n').count();
        let told = read.error.into_iter().chain(read.remarks).find(|told| told.contains(&format!("line {line}")));
        let told = told.unwrap_or_else(|| panic!("{file}: nothing is said of line {line}"));
        let json = told.contains("more text after the end of the JSON");
        assert!(told.contains(TEXT) || json, "{file}: {told}");
        assert!(told.contains("1 other line") || told.contains("expected") || json, "{file}: {told}");
    }
    // Nothing is said of what the programs themselves print.
    for file in FILES {
        let remarks = read(&data(file)).remarks;
        let of_text = |remark: &String| remark.contains("left out") && !remark.contains("a delay of 0.000");
        assert!(!remarks.iter().any(of_text), "{file}: {remarks:?}");
    }
}

#[test]
fn rows_of_a_long_table_that_are_there_twice_are_remarked_on() {
    // More rows than those from which the head is made.
    let rows: String = (0..300_000).map(|row| format!("1000,{},{}\n", row * 2_000, row * 2_000 + 1_050)).collect();
    let head = "requested_ns,start_ns,end_ns\n";
    assert!(read(format!("{head}{rows}").as_bytes()).remarks.is_empty());
    let twice = read(format!("{head}{rows}{rows}").as_bytes());
    assert!(twice.remarks[0].starts_with("300000 of 600000 rows start before"), "{:?}", twice.remarks);
    // With its header.
    let error = read(format!("{head}1000,0,1050\n{head}1000,0,1050\n").as_bytes()).error.unwrap();
    assert!(error.contains("line 3: `requested_ns` in column requested_ns is not"), "{error}");
}

#[test]
fn columns_and_keys_that_are_not_read_are_named() {
    let table = "requested_ns,start_ns,end_ns,deadlin_ns,oversleep_ns,colour\n1000,0,1050,1000,50,red\n";
    assert_eq!(read(table.as_bytes()).remarks, ["columns that are not read: deadlin_ns, colour"]);
    let line = "{\"requested_ns\":1,\"start_ns\":1,\"end_ns\":9}\n";
    assert_eq!(read(line.as_bytes()).error, None);
    let late = "{\"requested_ns\":1,\"start_ns\":11,\"end_ns\":19,\"method\":\"nap\"}\n";
    let error = read(format!("{line}{late}").as_bytes()).error.unwrap();
    assert!(error.contains("line 2: the key `method` is not in the first line, whose keys are the columns"), "{error}");
    let nested = "{\"requested_ns\":1,\"start_ns\":1,\"end_ns\":9,\"cpus\":[0,1]}\n";
    let error = read(nested.as_bytes()).error.unwrap();
    assert!(error.contains("line 1: `cpus` is a list or an object, where a number or text is expected"), "{error}");
}

#[test]
fn percentiles_without_a_distribution_are_told() {
    let text = String::from_utf8(data("stress-ng-cyclic-clock_ns.txt")).unwrap();
    let cut: Vec<&str> = text.lines().take_while(|line| !line.contains("latency distribution")).collect();
    let read = read((cut.join("\n") + "\n").as_bytes());
    assert_eq!(read.remarks, ["its percentiles are left out; with --cyclic-dist NS it writes a distribution too"]);
}

#[test]
fn a_recording_after_the_end_of_another_is_refused() {
    let recording = crate::round_trip::four();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.arrows");
    let mut writer = oversleep_recording::file::Writer::create(&path, &recording.meta, false).unwrap();
    crate::round_trip::write_to(&recording, &mut writer);
    writer.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(read(&bytes).error, None);
    let error = read(&[&bytes[..], &bytes[..]].concat()).error.unwrap();
    assert!(error.contains("bytes follow the end of the recording"), "{error}");
}
