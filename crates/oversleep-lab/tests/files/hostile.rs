//! Files that are cut off, altered, endless or of another kind: one line says what is wrong, and nothing panics.

use crate::importers::data;
use oversleep_lab::import::{self, Ending};
use oversleep_recording::Recording;
use std::io::{self, BufRead, BufReader, Read};

pub(crate) const FILES: [&str; 24] = [
    "cyclictest-2.10-h60.json",
    "cyclictest-2.10-nohist.json",
    "cyclictest-2.4-hist100-us.json",
    "oslat-2.4.json",
    "cyclictest-2.10-h60.txt",
    "cyclictest-2.4-h100.txt",
    "cyclictest-2.4-H20-overflow.histfile",
    "cyclictest-2.4-fifo.txt",
    "cyclictest-2.4-spike.txt",
    "cyclictest-2.4-v.txt",
    "jitterdebugger-results.json",
    "jitterdebugger-samples.csv",
    "jitterdebugger-samples.raw",
    "rtla-timerlat-hist-made-up.txt",
    "rtla-auto-analysis-made-up.txt",
    "jhiccup.hlog",
    "stress-ng-cyclic-clock_ns.txt",
    "hyperfine.json",
    "perf-sched-timehist.txt",
    "perf-script-sched.txt",
    "perf-6.1-timehist-all-columns.txt",
    "perf-6.1-script.txt",
    "ltp-timers.txt",
    "oslat.txt",
];

/// Reads any file; returns its error, which must be one line that names the file.
fn read(input: impl BufRead) -> Option<String> {
    let said = match import::open("the-file", input) {
        Err(error) => error.to_string(),
        Ok(mut source) => {
            let mut recording = Recording::new(source.meta().clone());
            match source.read_into(&mut recording) {
                Ending::Broken(error) => error.to_string(),
                _ => return None,
            }
        }
    };
    assert!(said.contains("the-file") && !said.contains(char::is_control), "{said:?}");
    assert!(said.len() < 600, "{said}");
    Some(said)
}

#[test]
fn what_is_cut_off_anywhere_is_read_or_refused() {
    for file in FILES {
        let bytes = data(file);
        let step = (bytes.len() / 97).max(1);
        (0..bytes.len()).step_by(step).for_each(|end| drop(read(&bytes[..end])));
    }
}

#[test]
fn what_is_changed_anywhere_is_read_or_refused() {
    for file in FILES {
        let bytes = data(file);
        let step = (bytes.len() / 61).max(1);
        for (place, to) in
            (0..bytes.len()).step_by(step).zip([b'9', b'-', 0, 0xFF, b'\n', b':', b' '].into_iter().cycle())
        {
            let mut changed = bytes.clone();
            changed[place] = to;
            drop(read(&changed[..]));
            // A field becomes larger than any number.
            changed.splice(place..=place, *b"99999999999999999999");
            drop(read(&changed[..]));
        }
    }
}

#[test]
fn what_never_ends_is_given_up() {
    for file in FILES {
        let bytes = data(file);
        for forever in [0, b'1', b'\n'] {
            let long = bytes.as_slice().chain(BufReader::new(io::repeat(forever).take(1 << 20)));
            // Text may be read to its end if its lines hold no data; nothing is kept of them.
            drop(read(long));
        }
    }
    for byte in [0, b'1', b'{', b'#', 0xFF] {
        let said = read(BufReader::new(io::repeat(byte)));
        assert!(said.is_some(), "{byte}");
    }
}

#[test]
fn each_kind_of_wrong_says_where_and_what_was_expected() {
    let json = |text: &str| format!("{{\"rt_test_version:\": \"2.10\", \"cmdline:\": \"cyclictest\", {text}}}");
    let histogram = |text: &str| format!("# Histogram\n{text}\n");
    let hlog = |line: &str| format!("#[Histogram log format version 1.3]\n{line}\n");
    let table = |text: &str| format!("requested_ns,start_ns,end_ns,policy,asked_policy\n{text}\n");
    let wide = format!("# Histogram\n000001{}\n", "\t1".repeat(1_000_000));
    for (text, why) in [
        (json("\"thread\": 1"), "it has no object `thread`"),
        (json("\"thread\": {\"0\": {\"histogram\": {\"x\": 1}}}"), "thread 0: `x` is not a bucket"),
        (json("\"thread\": {\"0\": {\"histogram\": {\"1\": -1}}}"), "thread 0: bucket 1 has no count"),
        (json("\"thread\": {\"0\": {\"histogram\": {\"1\": 5}, \"cycles\": 2}}"), "5 values in buckets, and 2 in all"),
        (json("\"thread\": {\"0\": {\"histogram\": {\"99999999999999999\": 5}}}"), "is not a bucket"),
        (json("\"thread\": {\"0\": {\"histogram\": {\"1\": 5, \"1\": 6}}}"), ": the key `1` is there twice"),
        (json("\"num_threads\": 7, \"thread\": {\"0\": {}}"), "`num_threads` is 7, and `thread` holds 1"),
        (
            json("\"resolution_in_ns\": 0, \"thread\": {\"0\": {\"histogram\": {\"1\": 5, \"99\": 1}, \"max\": 5}}"),
            "cyclictest thread 0: its largest value is below 6.00 µs, and values in buckets reach 99.0 µs; they contradict",
        ),
        (
            json("\"resolution_in_ns\": 0, \"thread\": {\"0\": {\"histogram\": {\"1\": 5}, \"min\": -5}}"),
            "its smallest value is -5.00 µs, and its lowest value in buckets 1.00 µs",
        ),
        (
            json("\"resolution_in_ns\": 0, \"thread\": {\"0\": {\"cycles\": 5, \"max\": 5, \"avg\": 1e9}}"),
            "its mean is 1000 s, and its largest value 6.00 µs",
        ),
        ("{\"requested_ns\":1,\"end_ns\":1,\"end_ns\":9}\n".to_owned(), "line 1: the key `end_ns` is there twice"),
        (json("\"thread\": {\"0\": {}}"), "no thread has counted anything"),
        ("{\"rt_test_version:\": \n oops".to_owned(), "line 2, column 2: this is not JSON"),
        (
            histogram("000001 000003\tNaN"),
            "line 2: `000001 000003\\tNaN` where a bucket and a count per thread is expected",
        ),
        (histogram("000001 000003\n000001 000003"), "line 3: `000001 000003` where a bucket above the one before"),
        (histogram("000001 000003\t1\n000002 1"), "line 3: `000002 1` where as many counts as in the rows before"),
        (histogram("000001 -3"), "line 2: `000001 -3` where a bucket and a count per thread"),
        (hlog("0.1,1,2,HIST!"), "line 2: `0.1,1,2,HIST!` where a compressed histogram in base64 is expected"),
        (hlog("0.1,1"), "where [Tag=NAME,]start,length,max,histogram is expected"),
        ("# RTLA timerlat histogram\nIndex IRQ-000\n0 1 2\n".to_owned(), "line 3: `0 1 2` where as many counts"),
        ("# RTLA timerlat histogram\nIndex WHAT\n".to_owned(), "line 2: `Index WHAT` where a column such as IRQ-000"),
        (
            "{\"results\": [{\"command\": \"x\", \"times\": [-1]}]}".to_owned(),
            "result 0: a time is not a number of seconds",
        ),
        ("{\"requested_ns\":1}\n[]\n".to_owned(), "the header lacks `start_ns`"),
        ("{\"requested_ns\":1,\"start_ns\":1,\"end_ns\":9}\noops\n".to_owned(), "line 2: no JSON object"),
        (
            "{\"requested_ns\":1,\"start_ns\":1,\"end_ns\":\"NaN\"}\n".to_owned(),
            "line 1: `NaN` in column end_ns is not",
        ),
        (table("1000,0,2000,sleepy,other"), "line 2: `sleepy` in column policy is not a policy"),
        (table("1000,0,2000,fifo,other"), "line 2: `fifo` in column policy is not enough: a real-time policy needs"),
    ] {
        let said = read(text.as_bytes()).unwrap_or_else(|| panic!("read: {text}"));
        assert!(said.contains(why), "{said}\n  instead of {why}");
    }
    // More columns than any machine has threads are not kept.
    assert!(read(wide.as_bytes()).is_none_or(|said| said.len() < 300));
}

#[test]
fn a_wrong_unit_is_noticed() {
    let rows = |unit: i64| -> String {
        (0..40_i64)
            .map(|row| format!("1000000,{},{}\n", row * 2_000_000 / unit, (row * 2_000_000 + 1_058_000) / unit))
            .collect()
    };
    let head = "requested_ns,start_ns,end_ns\n";
    let said = read(format!("{head}{}", rows(1_000)).as_bytes()).unwrap();
    assert!(said.contains("sleeps last 0.001 times as long as asked") && said.contains("--columns start="), "{said}");
    // What comes on top of the request hides the ratio of short sleeps, but not the growth.
    let asked = |row: i64| [100, 1_000, 10_000][usize::try_from(row % 3).unwrap()];
    let grown: String = (0..60)
        .map(|row| format!("{},{},{}\n", asked(row), row * 20_000_000, row * 20_000_000 + asked(row) * 1_000 + 190_000))
        .collect();
    let said = read(format!("{head}{grown}").as_bytes()).unwrap();
    assert!(said.contains("where requested_ns grows by 1, end_ns minus start_ns grows by 1000"), "{said}");
    // A delay that is the same whatever is asked for does not grow.
    let flat: String =
        (0..60).map(|row| format!("{},{},{}\n", asked(row), row * 20_000_000, row * 20_000_000 + 1_000_000)).collect();
    assert!(read(format!("{head}{flat}").as_bytes()).is_none());
    // A clock that has run for an hour, its starts in microseconds and its ends in nanoseconds.
    let hour = 3_600_000_000_000_i64;
    let mixed: String = (0..40_i64)
        .map(|row| hour + row * 2_000_000)
        .map(|start| format!("1000000,{},{}\n", start / 1_000, start + 1_058_000))
        .collect();
    let said = read(format!("{head}{mixed}").as_bytes()).unwrap();
    assert!(said.contains("end_ns is 1000 times start_ns in nearly every row"), "{said}");
    let text = format!("{head}{}", rows(1));
    let source = import::open("x", text.as_bytes()).unwrap();
    let remark =
        "start_ns and end_ns look like microseconds: 100 % are whole multiples of 1000 ns; nothing finer can be said";
    assert_eq!(source.remarks(), [remark]);
    // Columns whose names have a unit, and columns whose unit is given by a mapping.
    let named = format!("requested_us,start_us,end_us\n{}", rows(1_000).replace("1000000,", "1000,"));
    assert!(read(named.as_bytes()).is_none());
    let options = import::ImportOptions {
        columns: "requested=asked:us,start=t0:us,end=t1:us".parse().unwrap(),
        ..import::ImportOptions::default()
    };
    let other = format!("asked,t0,t1\n{}", rows(1_000).replace("1000000,", "1000,"));
    let mut source = import::open_with("x", other.as_bytes(), &options).unwrap();
    let mut recording = Recording::new(source.meta().clone());
    assert!(matches!(source.read_into(&mut recording), Ending::Complete));
    assert_eq!(recording.samples[0].oversleep().get(), 58_000);
    let missing = import::open_with("x", "a,b\n1,2\n".as_bytes(), &options).err().unwrap().to_string();
    assert_eq!(missing, "x: no column is called `asked`; it has a, b");
}

/// Reads as much of a file as possible; returns the number of sleeps and the error.
fn in_part(bytes: &[u8]) -> (u64, Option<String>) {
    let mut source = import::open("x", bytes).unwrap_or_else(|error| panic!("{error}"));
    let mut recording = Recording::new(source.meta().clone());
    let fault = match source.read_into(&mut recording) {
        Ending::Broken(error) => {
            assert!(error.has_sound_part(), "{error}");
            Some(error.to_string())
        }
        _ => None,
    };
    let distributions = recording.note.distributions.iter().map(|one| one.count).sum::<u64>();
    (distributions + recording.samples.len() as u64, fault)
}

/// Rows are in the order of their values: those before the end would be only the shortest.
#[test]
fn of_a_table_that_breaks_off_nothing_is_used() {
    for (file, end_of, lacks) in [
        ("cyclictest-2.4-h100.txt", "000060 ", "it has no line `# Histogram Overflows`"),
        ("cyclictest-2.10-h60.txt", "# Max Latencies", "it has no line `# Histogram Overflows`"),
        ("rtla-timerlat-hist-made-up.txt", "83  ", "it has no line `count:`"),
        ("oslat.txt", "Minimum", "it has no line `Minimum`"),
    ] {
        let bytes = data(file);
        let text = str::from_utf8(&bytes).unwrap();
        assert_eq!(in_part(&bytes).1, None, "{file}");
        let place = text.find(end_of).unwrap();
        let end = text[..place].rfind('\n').unwrap() + 1;
        let fault = import::open("x", &bytes[..end]).err().unwrap_or_else(|| panic!("{file} is read"));
        assert!(!fault.has_sound_part(), "{file}");
        let fault = fault.to_string();
        assert!(fault.contains("it breaks off") && fault.contains(lacks), "{file}: {fault}");
        assert!(fault.contains("are only the shortest"), "{file}: {fault}");
    }
}

#[test]
fn a_second_table_of_other_threads_is_refused() {
    let mut bytes = data("oslat.txt");
    bytes.extend(b"        Core:\t 0 1 2\n");
    let (_, fault) = in_part(&bytes);
    assert!(fault.as_ref().is_some_and(|fault| fault.contains("one table")), "{fault:?}");
}

#[test]
fn a_last_line_without_its_end_is_left_out() {
    for file in ["ltp-timers.txt", "jitterdebugger-samples.csv", "cyclictest-2.4-v.txt", "jitterdebugger-samples.raw"] {
        let bytes = data(file);
        let (all, fault) = in_part(&bytes);
        assert_eq!(fault, None, "{file}");
        // Digits are missing, which nothing else shows.
        let (count, fault) = in_part(&bytes[..bytes.len() - 2]);
        assert_eq!(count, all - 1, "{file}: {fault:?}");
        let why = fault.unwrap();
        assert!(why.contains("if the file is whole, add a line end") || why.contains("a record of 28 bytes"), "{why}");
    }
}

#[test]
fn columns_are_named_of_tables_alone() {
    let options =
        import::ImportOptions { columns: "requested=asked:us".parse().unwrap(), ..import::ImportOptions::default() };
    let bytes = data("cyclictest-2.4-h100.txt");
    let said = import::open_with("x", &bytes[..], &options).err().unwrap().to_string();
    assert_eq!(said, "x: this is not a table (read as cyclictest-histogram), so it has no columns to name");
}
