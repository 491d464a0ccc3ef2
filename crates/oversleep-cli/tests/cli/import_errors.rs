//! Errors of files that another program wrote and that are broken, compared completely with those committed: each is a
//! sound file with one change. `report` says what is wrong, in which place, and exits with 3.

use crate::shown::same;
use crate::support::{name, run};
use std::fs;
use std::path::Path;

/// A change of a sound file.
enum Change {
    /// The first occurrence of a text becomes another one.
    Text(&'static str, &'static str),
    /// The rest from a text on is missing.
    CutAt(&'static str),
    /// The last bytes are missing.
    CutOff(usize),
    /// Something follows.
    Added(&'static [u8]),
    /// All of it is there twice.
    Twice,
}

use Change::{Added, CutAt, CutOff, Text, Twice};

impl Change {
    fn apply(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let find = |bytes: &[u8], text: &str| {
            let found = bytes.windows(text.len()).position(|window| window == text.as_bytes());
            found.unwrap_or_else(|| panic!("the file has no {text:?}"))
        };
        match *self {
            Text(from, to) => {
                let at = find(&bytes, from);
                bytes.splice(at..at + from.len(), to.bytes());
            }
            CutAt(text) => bytes.truncate(find(&bytes, text)),
            CutOff(count) => bytes.truncate(bytes.len() - count),
            Added(more) => bytes.extend_from_slice(more),
            Twice => bytes.extend_from_within(..),
        }
        bytes
    }

    fn describe(&self) -> String {
        match self {
            Text(from, to) => format!("{from:?} is {to:?}"),
            CutAt(text) => format!("cut off at {text:?}"),
            CutOff(count) => format!("cut off {count} bytes before its end"),
            Added(more) => format!("then {:?}", String::from_utf8_lossy(more)),
            Twice => "twice".to_owned(),
        }
    }
}

/// Returns each change of a sound file with what `report` says of it.
fn changed(folder: &Path, file: &str, changes: &[Change]) -> String {
    let imports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oversleep-lab/tests/data/imports");
    let sound = fs::read(imports.join(file)).unwrap();
    let said = changes.iter().map(|change| {
        fs::write(folder.join(file), change.apply(sound.clone())).unwrap();
        refused(folder, file, &format!("{file}, {}", change.describe()))
    });
    said.collect()
}

/// Returns a heading and what `report` says of a file that cannot be read.
fn refused(folder: &Path, file: &str, heading: &str) -> String {
    let ran = run(&["report", &name(folder, file)]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{heading}: {}", ran.err);
    format!("{heading}\n{}\n", ran.err.replace(&folder.display().to_string(), "FOLDER"))
}

/// Returns each text with what `report` says of a file that holds it.
fn written(folder: &Path, file: &str, texts: &[&[u8]]) -> String {
    let said = texts.iter().map(|text| {
        fs::write(folder.join(file), text).unwrap();
        let shown = String::from_utf8_lossy(&text[..text.len().min(160)]).into_owned();
        refused(folder, file, &format!("{shown:?}"))
    });
    said.collect()
}

#[test]
fn errors_of_rt_tests() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let json = [
        CutOff(400),
        Twice,
        Text("\"17\": 16", "\"16\": 16"),
        Text("\"thread\": {", "\"threads\": {"),
        Text("\"num_threads\": 2", "\"num_threads\": 3"),
        Text("\"16\": 10", "\"16\": \"ten\""),
        Text("\"16\": 10", "\"soon\": 10"),
        Text("\"16\": 10", "\"16\": 18446744073709551615"),
        Text("\"cycles\": 2000", "\"cycles\": 5"),
        Text("\"min\": 16", "\"min\": 999"),
        Text("\"min\": 16", "\"min\": 12"),
        Text("\"max\": 474", "\"max\": 20"),
        Text("\"avg\": 35.88", "\"avg\": 5e6"),
    ];
    let histogram = [
        CutAt("# Histogram Overflows"),
        CutOff(3),
        Twice,
        Text("000016 000010\t000012", "000016 000010"),
        Text("000016 000010\t000012", "000016 ten\t000012"),
        Text("000016 000010\t000012", "000014 000010\t000012"),
        Text("# Min Latencies: 00016", "# Min Latencies: soon"),
        Text("# Min Latencies: 00016", "# Min Latencies: 00099"),
    ];
    let text = [
        changed(folder, "cyclictest-2.10-h60.json", &json),
        written(
            folder,
            "empty.json",
            &[b"{\"rt_test_version\": \"2.10\", \"thread\": {}}\n", b"{\"rt_test_version\": \"2.10\", \xFF}\n"],
        ),
        changed(folder, "cyclictest-2.10-h60.txt", &histogram),
        written(folder, "none.txt", &[b"# Histogram\n# Histogram Overflows: 00000\n"]),
        changed(
            folder,
            "cyclictest-2.4-fifo.txt",
            &[
                Text("Avg:   81", "Avg: ?"),
                Text("T: 0", "T: 5000"),
                Text("C:    981", "C:      0"),
                Added(b"T: 0 (11543) P:80 I:1000 C:      9 Min:     15 Act:   64 Avg:   81 Max:    2064\n"),
            ],
        ),
        changed(
            folder,
            "cyclictest-2.4-v.txt",
            &[
                Text("0:       1:      37", "0:       1:       x"),
                Text("0:       1:      37", "0:       0:      37"),
                Text("0:       1:      37", "9999:    1:      37"),
                Text("0:       1:      37", "0:       1:      9223372036854775807"),
            ],
        ),
        changed(
            folder,
            "oslat.txt",
            &[
                CutAt("     Minimum:"),
                Twice,
                Text("Core:\t 0 1", "Cores:\t 0 1"),
                Text("001 (us):\t 121413506 120000000", "001 (us):\t 121413506"),
                Text("003 (us)", "002 (us)"),
                Text("Maximum:\t 32413 2", "Maximum:\t much"),
            ],
        ),
    ];
    same("errors-imports-rt-tests", &text.concat());
}

#[test]
fn errors_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = [
        changed(
            folder,
            "jitterdebugger-results.json",
            &[
                Text("\"resolution_in_ns\": 1000", "\"resolution_in_ns\": 7"),
                Text("\"cpu\": {", "\"cpu\": 5, \"more\": {"),
                Text("\"0\": {", "\"9\": 5, \"0\": {"),
                Text("\"histogram\": {", "\"histograms\": {"),
                Text("\"10\": 1", "\"10\": \"one\""),
                Text("\"10\": 1", "\"ten\": 1"),
                Text("\"10\": 1", "\"10\": 18446744073709551615"),
                Text("\"count\": ", "\"count\": 1, \"counts\": "),
            ],
        ),
        changed(folder, "jitterdebugger-samples.csv", &[CutOff(1), Twice, Text("0;2660.551883829;40", "0;x;40")]),
        changed(folder, "jitterdebugger-samples.raw", &[CutOff(3), Twice]),
        changed(
            folder,
            "rtla-timerlat-hist-made-up.txt",
            &[
                CutAt("max:"),
                Twice,
                Text("Index", "Number"),
                Text("IRQ-000", "ABC-000"),
                Text("Index   IRQ-000   Thr-000   Usr-000   IRQ-001   Thr-001   Usr-001", "Index"),
                Text("3           609       195", "3           609"),
                Text("3           609", "3           six"),
                Text("3           609", "1           609"),
                Text("count:     5000", "count:"),
                Text("min:          0", "min:       none"),
            ],
        ),
        changed(
            folder,
            "jhiccup.hlog",
            &[
                Twice,
                Text("1.261,1.000", "soon,1.000"),
                Text("1.261,1.000,10.224,HIST", "1.261,1.000,10.224,????"),
                Text("1.261,1.000,10.224,HIST", "0.200,1.000,10.224,HIST"),
            ],
        ),
        written(folder, "none.hlog", &[b"#[Histogram log format version 1.3]\n"]),
        changed(
            folder,
            "stress-ng-cyclic-clock_ns.txt",
            &[
                Twice,
                Text("2000 samples", "some samples"),
                Text("cyclic:       240000", "cyclic:       200000"),
                Text("cyclic:       240000          1", "cyclic:       240000          one"),
            ],
        ),
        written(folder, "none.txt", &[b"stress-ng: info:  [12299] dispatching hogs: 1 cyclic:\n"]),
        changed(
            folder,
            "hyperfine.json",
            &[
                Text("\"results\": [", "\"results\": 5, \"more\": ["),
                Text("\"times\"", "\"time\""),
                Text("0.0121", "\"fast\""),
                Text("0.0121", "-1"),
            ],
        ),
        written(folder, "none.json", &[b"{\"results\": []}\n"]),
        changed(
            folder,
            "perf-sched-timehist.txt",
            &[
                Twice,
                Text("9.231      0.039", "much       0.039"),
                Text("103032.736716", "soon"),
                Text("9.231      0.039", "-1.0       0.039"),
            ],
        ),
        changed(
            folder,
            "perf-script-sched.txt",
            &[Twice, Text("2660.100042", "soon"), Text("nap:812 [120]<", "<"), CutOff(1)],
        ),
        changed(folder, "ltp-timers.txt", &[Twice, Added(b"12.5\n"), Added(b"\n12")]),
    ];
    same("errors-imports-others", &text.concat());
}

#[test]
fn errors_of_kinds_that_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let texts: [&[u8]; 11] = [
        b"",
        b"\x1F\x8B rest",
        b"\x28\xB5\x2F\xFD rest",
        b"PK\x03\x04 rest",
        b"PAR1 rest",
        b"\x89PNG rest",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"   Value  Percentile TotalCount 1/(1-Percentile)\n",
        b"# HELP oversleep_late How late\n",
        b"r\0e\0q\0",
        b"# nothing but a comment\n",
    ];
    same("errors-imports-not-read", &written(folder.path(), "file", &texts));
}
