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
fn more_columns_than_any_machine_has_threads_are_not_kept() {
    let wide = format!("# Histogram\n000001{}\n", "\t1".repeat(1_000_000));
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
