//! Reading of CSV files from any program.

use oversleep_lab::import::csv::{CsvError, read};
use oversleep_lab::import::{self, Ending, ImportError};
use oversleep_recording::Recording;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::fmt::Write;

#[test]
fn repeated_requests_make_a_cell_each() {
    let table = "method,thread,cpu,load,requested_ns,start_ns,end_ns\n\
                 nanosleep,1,3,2,1000,0,1500\nnanosleep,1,3,2,2000,1500,4000\nnanosleep,1,3,2,1000,4000,5500\n\
                 poll,0,,,1000,5500,6600\nnanosleep,1,3,2,2000,7000,9001\n";
    let recording = read(table.as_bytes(), "x.csv").unwrap();
    let plan = &recording.meta.plan;
    assert_eq!(plan.cells.len(), 3);
    assert_eq!(plan.cells[0].pattern, Pattern::Fixed { requested: Nanos::new(1000) });
    assert_eq!(plan.cells[0].conditions.load.unwrap().threads, 2);
    assert_eq!(plan.cells[2].method, "poll");
    assert_eq!(recording.of_cell(0).map(|sample| sample.sequence).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(recording.samples[4].oversleep(), Nanos::new(1));
    assert_eq!((recording.samples[0].thread, recording.samples[0].cpu_end), (1, 3));
    assert!(recording.note.brackets.is_empty());
}

#[test]
fn requests_that_all_differ_make_one_random_cell() {
    let mut table = String::from("requested_ns,start_ns,end_ns\n");
    for i in 0..20 {
        writeln!(table, "{},{},{}", 1000 + 37 * i, 10_000 * i, 10_000 * i + 2_000).unwrap();
    }
    let recording = read(table.as_bytes(), "x.csv").unwrap();
    let pattern = recording.meta.plan.cells[0].pattern;
    assert_eq!(pattern, Pattern::Random { from: Nanos::new(1000), to: Nanos::new(1000 + 37 * 19) });
    assert_eq!(recording.samples.len(), 20);
}

#[test]
fn sleeps_due_at_whole_seconds_are_aligned_and_pairs_become_brackets() {
    let mut table = String::from("requested_ns,start_mono_ns,start_real_ns,end_mono_ns,end_real_ns\n");
    for i in 0..10i64 {
        let start = 7_000_000_000 + i * 1_000_000_000 + 3_000_000 + i * 10_000;
        let requested = 997_000_000 - i * 10_000;
        let end = start + requested + 3_000_000;
        writeln!(table, "{requested},{},{start},{},{end}", start - 5_000_000_000, end - 5_000_000_000).unwrap();
    }
    let recording = read(table.as_bytes(), "x.csv").unwrap();
    assert_eq!(recording.meta.plan.cells[0].pattern, Pattern::Aligned { to: Nanos::SECOND });
    assert_eq!(recording.note.brackets.len(), 20);
    assert_eq!(recording.note.brackets[1].reading - recording.note.brackets[1].monotonic, Nanos::from_secs(5));
}

#[test]
fn bad_tables_say_where() {
    let error = |text: &str| read(text.as_bytes(), "x.csv").unwrap_err();
    assert!(matches!(error("a,b\n1,2\n"), CsvError::Column { column: "requested_ns", .. }));
    assert!(matches!(error("requested_ns,start_ns,end_ns\n"), CsvError::Empty));
    assert!(matches!(error("requested_ns,start_ns,end_ns\n1,2,x\n"), CsvError::Number { line: 2, .. }));
    assert!(matches!(error("requested_ns,start_ns,end_ns\n1,9,2\n"), CsvError::Row { line: 2, .. }));
    assert!(matches!(error("requested_ns,start_ns,end_ns\n1,2,9223372036854775807\n"), CsvError::Row { .. }));
    assert!(matches!(error("requested_ns,start_ns,end_ns,load\n1,2,3,70000\n"), CsvError::Conditions { line: 2, .. }));
    assert!(matches!(error("requested_ns,start_ns,end_ns\n1,2\n"), CsvError::Fields { line: 2, expected: 3, .. }));
}

#[test]
fn bad_tables_say_what_to_mend() {
    let head = "requested_ns,start_ns,end_ns\n";
    for (table, why) in [
        (
            "time,sleep\n1,2\n".to_owned(),
            "lacks `requested_ns` (a table needs requested_ns, start_ns and end_ns; --columns takes other names and units; \
             without starts, requested_ms and took_ms; `explain --asked 5ms` takes one request for all rows); it has time, sleep",
        ),
        ("1000000,5,1000100\n".to_owned(), "the first line is numbers, where the columns' names belong"),
        ("requested_ns start_ns end_ns\n1 2 3\n".to_owned(), "separated by commas, semicolons or tabs"),
        (format!("{head}1,2,3\n1,2\n"), "line 3: 2 fields where the header has 3"),
        (format!("{head}1\n"), "line 2: 1 field where the header has 3"),
        (format!("{head}1,2,3\n\"{}", "x\n".repeat(1 << 20)), "line 3 does not end within 1 MiB"),
    ] {
        let error = read(table.as_bytes(), "x.csv").unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains("CSV error"), "{error}");
    }
    let error = read(&b"requested_ns,start_ns,end_ns,method\n1,2,3,a\n1,2,3,\xff\n"[..], "x.csv").unwrap_err();
    assert_eq!(error.to_string(), "line 3: this is not text in UTF-8");
    assert!(matches!(read(std::io::repeat(0), "/dev/zero").unwrap_err(), CsvError::Long { line: 1 }));
}

#[test]
fn a_table_of_semicolons_or_tabs_says_the_same() {
    let table = "# mine\nmethod,requested_ns,start_ns,end_ns\nnanosleep,1000,0,1500\nnanosleep,1000,2000,3600\n";
    let usual = read(table.as_bytes(), "x").unwrap();
    for separator in [";", "\t", " ; "] {
        assert_eq!(read(table.replace(',', separator).as_bytes(), "x").unwrap().samples, usual.samples);
    }
}

#[test]
fn what_stands_before_the_damage_can_be_had() {
    let table = "requested_ns,start_ns,end_ns\n1000,0,1500\n1000,2000,x\n1000,4000,5500\n";
    let mut source = import::open("x.csv", table.as_bytes()).unwrap();
    let mut recording = Recording::new(source.meta().clone());
    let ending = source.read_into(&mut recording);
    assert_eq!(recording.samples.len(), 1);
    let Ending::Broken(ImportError::Table { why, rows: 1, .. }) = ending else { panic!("{ending:?}") };
    assert!(matches!(*why, CsvError::Number { line: 3, .. }), "{why}");
    // The first row cannot be read, so nothing is left.
    assert!(import::open("x.csv", &b"requested_ns,start_ns,end_ns\nx,0,1\n"[..]).is_err());
}
