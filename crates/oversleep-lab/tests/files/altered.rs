//! Files with figures that cannot be true together, with two runs, or in an unusual form.

use crate::importers::data;
use oversleep_lab::import::{self, Ending, ImportOptions};
use oversleep_recording::plan::{Conditions, Pattern, Policy};
use oversleep_recording::{Quantity, Recording};
use oversleep_sys::units::Nanos;
use std::fmt::Write as _;

/// Reads a file; returns it with the remarks on it, or its error.
fn read(bytes: &[u8]) -> Result<(Recording, Vec<String>), String> {
    read_with(bytes, "")
}

fn read_with(bytes: &[u8], columns: &str) -> Result<(Recording, Vec<String>), String> {
    let columns = if columns.is_empty() { import::csv::Mapping::default() } else { columns.parse().unwrap() };
    let mut source = import::open_with("x", bytes, &ImportOptions { columns, ..ImportOptions::default() })
        .map_err(|error| error.to_string())?;
    let mut recording = Recording::new(source.meta().clone());
    match source.read_into(&mut recording) {
        Ending::Complete => Ok((recording, source.remarks().to_vec())),
        other => Err(format!("{other:?}")),
    }
}

fn text(name: &str) -> String {
    String::from_utf8(data(name)).unwrap()
}

/// Replaces a text that is there.
fn with(name: &str, from: &str, to: &str) -> String {
    let text = text(name);
    assert!(text.contains(from), "{name} has no `{from}`");
    text.replacen(from, to, 1)
}

#[track_caller]
fn refused(bytes: &str, why: &str) {
    let said = read(bytes.as_bytes()).map(|_| "read").unwrap_err();
    assert!(said.contains(why), "{said}");
}

#[test]
fn two_runs_in_one_file_are_refused() {
    refused(&(text("cyclictest-2.4-fifo.txt") + &text("cyclictest-2.4-h100.txt")), "not of one run");
    let line = |cycles: u32, min: u32, max: u32| {
        format!("T: 0 ( 7) P:80 I:1000 C:{cycles} Min: {min} Act:   17 Avg:   23 Max: {max}\n")
    };
    assert!(read((line(10, 9, 90) + &line(20, 8, 91)).as_bytes()).is_ok());
}

const JSON: &str = "cyclictest-2.4-hist100-us.json";

#[test]
fn quotation_marks_in_a_command_line_need_no_escape() {
    let command = "cyclictest -m -p 80 -i 1000 -l 2000 -t 2 -a -h 100 -q --json=cyclictest-2.4-hist100-us.json";
    let (quoted, remarks) = read(with(JSON, command, &format!("{command} \"a b\"")).as_bytes()).unwrap();
    let (plain, _) = read(&data(JSON)).unwrap();
    assert_eq!(quoted.meta.plan.cells, plain.meta.plan.cells);
    let conditions = &plain.meta.plan.cells[0].conditions;
    assert_eq!(conditions.policy, Some(Policy::Fifo { priority: 80 }));
    assert!(remarks.is_empty(), "{remarks:?}");
}

#[test]
fn a_whole_number_may_have_a_decimal_point() {
    assert!(read(with(JSON, "\"cycles\": 2000,", "\"cycles\": 2000.0,").as_bytes()).is_ok());
}

#[test]
fn a_thread_that_never_woke_is_told() {
    let (recording, _) = read(
        with(JSON, "\"cycles\": 2000", "\"cycles\": 0")
            .replacen("\"histogram\": {", "\"histogram\": {}, \"x\": {", 1)
            .as_bytes(),
    )
    .unwrap();
    let missing = &recording.note.unavailable;
    assert!(missing.iter().any(|of| of.what == "cyclictest thread 0" && of.why == "the file has no wake-up of it"));
}

#[test]
fn values_that_seem_to_be_nanoseconds_are_doubted() {
    let line = |min: u64| format!("T: 0 (  812) P:80 I:1000 C:    500 Min:  {min} Act:25000 Avg:26000 Max:   43000\n");
    let doubted =
        |min: u64| read(line(min).as_bytes()).unwrap().1.iter().any(|remark| remark.contains("cyclictest -N"));
    assert!(doubted(11_900) && !doubted(12));
}

#[test]
fn deadlines_in_another_unit_than_ends_are_refused() {
    let header = "requested_ns,start_ns,end_ns,deadline_ns\n".to_owned();
    let table = |unit: i64| {
        (1..40i64).fold(header.clone(), |mut text, at| {
            let start = at * 1_000_000_000;
            writeln!(text, "1000000,{start},{},{}", start + 1_060_000, (start + 1_000_000) / unit).unwrap();
            text
        })
    };
    assert!(read(table(1).as_bytes()).is_ok());
    refused(&table(1_000), "deadline_ns");
}

#[test]
fn numbers_that_are_there_twice_and_oversleeps_that_contradict_the_times_are_said() {
    const HEADER: &str = "requested_ns,start_ns,end_ns,sequence,oversleep_ns\n";
    let said = |rows: &str| read(format!("{HEADER}{rows}").as_bytes()).unwrap().1.join("\n");
    assert_eq!(said("1000,0,1500,0,500\n1000,2000,3600,1,600\n"), "");
    let repeated = said("1000,0,1500,0,500\n1000,2000,3600,0,600\n");
    assert!(repeated.contains("1 of 2 rows have a `sequence` that is not above"), "{repeated}");
    let stated = said("1000,0,1500,0,500\n1000,2000,3600,1,700\n");
    assert!(stated.contains("`oversleep_ns` of 1 of 2 rows is not the oversleep of their times"), "{stated}");
}

/// Lines as editors and spreadsheets of other systems save them.
#[test]
fn marks_blank_lines_and_line_ends_of_others_change_nothing() {
    for file in crate::hostile::FILES.iter().filter(|file| **file != "jitterdebugger-samples.raw") {
        let plain = read(&data(file)).unwrap_or_else(|error| panic!("{error}"));
        let marked = read(&[&[0xEF, 0xBB, 0xBF], &data(file)[..]].concat());
        assert_eq!(marked.as_ref(), Ok(&plain), "{file}");
        let ended = read(text(file).replace('\n', "\r\n").as_bytes());
        assert_eq!(ended.as_ref().map(|(read, _)| read), Ok(&plain.0), "{file}");
    }
    let file = "cyclictest-2.4-h100.txt";
    assert_eq!(read(format!("\n\n{}", text(file)).as_bytes()), read(&data(file)));
    refused(&format!("[{}]", text(JSON).trim()), "this is a list in JSON, which is not read");
}

/// Returns a file of records with 20 wake-ups, a millisecond apart, each late by a little more than the one before.
fn records(unit: i64, count: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..i64::from(count) {
        let late = 40_000 + 1_234 * number;
        let at = 5_000_000_000 + 1_000_000 * number + late;
        bytes.extend(0_u32.to_ne_bytes());
        bytes.extend((at / 1_000_000_000).to_ne_bytes());
        bytes.extend((at % 1_000_000_000).to_ne_bytes());
        bytes.extend((late / unit).to_ne_bytes());
    }
    bytes
}

#[test]
fn the_unit_of_jitterdebugger_s_samples_follows_from_the_deadlines_or_is_said_to_be_assumed() {
    let late = |recording: &Recording| {
        let last = recording.samples.last().unwrap();
        last.end - last.deadline.unwrap()
    };
    let (fine, remarks) = read(&records(1, 20)).unwrap();
    assert_eq!(late(&fine), Nanos::new(40_000 + 19 * 1_234));
    assert_eq!(fine.meta.plan.cells[0].pattern, Pattern::Periodic { period: Nanos::MILLISECOND });
    assert!(remarks[0].starts_with("values are nanoseconds: "), "{remarks:?}");
    let (usual, remarks) = read(&records(1_000, 20)).unwrap();
    assert_eq!(late(&usual), Nanos::from_micros(40 + 23));
    assert!(remarks.is_empty(), "{remarks:?}");
    let (_, remarks) = read(&records(1, 5)).unwrap();
    assert!(remarks[0].starts_with("values are taken to be microseconds"), "{remarks:?}");
}

#[test]
fn wide_rows_of_oslat_are_read_as_wide_as_they_are() {
    let title = "Workload mem: 0 (KiB)\nVersion: 2.80\n Core: 0\n";
    let report = |rows: &[&str], max: &str| {
        let mut text = title.to_owned();
        for row in rows {
            writeln!(text, "  {row} (us): 7").unwrap();
        }
        text + "Minimum: " + rows[0] + " (us)\nAverage: 1 (us)\nMaximum: " + max + " (us)\n"
    };
    let buckets = |text: &str| {
        let (recording, remarks) = read(text.as_bytes()).unwrap();
        let of = &recording.note.distributions[0];
        assert_eq!(of.quantity, Quantity::LoopGap);
        let ends = |(low, high, _): &(Nanos, Nanos, u64)| (low.get(), high.get() + 1);
        (of.buckets.iter().map(ends).collect::<Vec<_>>(), remarks.concat())
    };
    let (wide, remark) = buckets(&report(&["005", "010", "015", "020"], "20"));
    assert_eq!(wide[..2], [(0, 5_000), (5_000, 10_000)]);
    assert!(remark.contains("rows are taken to be 5.00 µs wide"), "{remark}");
    let (fine, _) = buckets(&report(&["0.500", "1.000", "1.500"], "1.5"));
    assert_eq!(fine[..2], [(0, 500), (500, 1_000)]);
    let (usual, remark) = buckets(&report(&["001", "002", "009"], "9"));
    assert_eq!((usual[2].0, remark.as_str()), (8_000, ""));
}

#[test]
fn columns_whose_unit_nothing_states_are_named() {
    let table = "asked,t0,t1\n1000000,0,1058000\n";
    let (_, remarks) = read_with(table.as_bytes(), "requested=asked:ns,start=t0,end=t1").unwrap();
    assert_eq!(remarks, ["taken to be nanoseconds: t0, t1; --columns states another unit as in start=t0:us"]);
    let (_, remarks) = read_with(table.as_bytes(), "requested=asked:ns,start=t0:ns,end=t1:ns").unwrap();
    assert!(remarks.is_empty(), "{remarks:?}");
}

#[test]
fn perf_s_names_with_brackets_are_names_and_runs_without_delay_are_counted() {
    let script = "odd [x] 31 [001] 10.000100: sched:sched_wakeup: odd [x]:42 [120] CPU:001\n\
                  swapper 0 [001] 10.000150: sched:sched_switch: swapper/1:0 [120] R ==> odd [x]:42 [120]\n";
    let (recording, _) = read(script.as_bytes()).unwrap();
    assert_eq!(recording.meta.plan.cells[0].method, "run queue of odd [x][42]");
    assert_eq!(recording.meta.plan.cells[0].conditions, Conditions::default());
    let row = text("perf-sched-timehist.txt");
    let (_, remarks) = read(row.as_bytes()).unwrap();
    assert!(remarks.iter().any(|remark| remark.contains("1 run has a delay of 0.000")), "{remarks:?}");
}
