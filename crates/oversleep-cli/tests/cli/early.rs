//! Early wake-ups are signed and counted in every figure and output.

use crate::support::{name, read, run};
use oversleep_lab::figures::Summariser;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::file::{Tail, Writer};
use oversleep_recording::plan::{Conditions, Plan, build};
use oversleep_recording::{End, Flags, Meta, Note, Origin, Periods, Recording, Sample, Sink};
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::path::Path;

const N: u64 = 400;
const PERIOD: Nanos = Nanos::MILLISECOND;

/// Returns the oversleep of the sleep with this number: 100 µs early every fourth time, otherwise 60 µs late.
fn oversleep(sequence: u64) -> Nanos {
    if sequence.is_multiple_of(4) { Nanos::from_micros(-100) } else { Nanos::from_micros(60) }
}

/// Returns whether a mean is 20 µs (a quarter of −100 µs, three quarters of 60 µs), but for the rounding of a running
/// mean.
fn is_20_us(mean_ns: f64) -> bool {
    (mean_ns - 20_000.0).abs() < 1e-6
}

fn plan() -> Plan {
    let (rows, none) = ([MethodId::Nanosleep.row()], [Conditions::default()]);
    let mut plan = build::measure(
        &build::Grid { rows: &rows, requests: &[oversleep_recording::plan::Pattern::fixed(PERIOD)], conditions: &none },
        N,
        1,
    );
    let mut schedule = build::periodic(MethodId::ClockNanosleepAbs.row(), PERIOD, N, &none[0], 1);
    schedule.cells[0].id = 1;
    plan.cells.append(&mut schedule.cells);
    plan
}

/// Writes samples to a sink: a cell of relative sleeps and a schedule, then the schedule's count of periods.
fn write_to(sink: &mut dyn Sink) {
    let blank = Sample { requested: PERIOD, ..Sample::BLANK };
    for sequence in 0..N {
        let flags = if sequence == 0 { Flags::FIRST } else { Flags::default() };
        let start = Nanos::SECOND * sequence.cast_signed();
        let relative = Sample { sequence, start, end: start + PERIOD + oversleep(sequence), flags, ..blank };
        let deadline = PERIOD * (sequence.cast_signed() + 1);
        let end = deadline + oversleep(sequence);
        let periodic =
            Sample { cell: 1, sequence, deadline: Some(deadline), start: deadline - PERIOD, end, flags, ..blank };
        sink.samples(&[relative, periodic]);
    }
    let account = Periods { cell: 1, asked: N, fresh: N, early: N / 4, ..Periods::default() };
    sink.note(&Note { periods: vec![account], end: Some(End::Complete), ..Note::default() });
    sink.flush();
}

fn meta() -> Meta {
    let origin = Origin::Imported { format: "test".to_owned(), file: "none".to_owned() };
    Meta::new("a test that wakes early", origin, plan())
}

fn file(folder: &Path) -> String {
    let path = folder.join("early.arrows");
    let mut writer = Writer::create(&path, &meta(), false).unwrap();
    write_to(&mut writer);
    assert_eq!(writer.finish().unwrap(), 2 * N);
    name(folder, "early.arrows")
}

#[test]
fn every_statistic_is_signed_and_counts_them() {
    let mut summary = Summariser::new(&meta());
    write_to(&mut summary);
    for cell in summary.finish() {
        let raw = &cell.raw;
        assert_eq!((raw.n, raw.early), (N, N / 4));
        assert_eq!((raw.min, raw.max), (Some(Nanos::from_micros(-100)), Some(Nanos::from_micros(60))));
        assert!(raw.mean_ns.is_some_and(is_20_us));
        assert_eq!((raw.p50, raw.p99), (Some(Nanos::from_micros(60)), Some(Nanos::from_micros(60))));
        assert_eq!(cell.first, [Nanos::from_micros(-100)]);
        if let Some(corrected) = cell.corrected {
            assert_eq!((corrected.n, corrected.early, corrected.min), (N, N / 4, raw.min));
        }
    }
}

#[test]
fn the_file_gives_back_what_went_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let (back, tail) = read(Path::new(&path));
    let mut expected = Recording::new(meta());
    write_to(&mut expected);
    assert_eq!((back, tail), (expected, Tail::Closed));
}

#[test]
fn table_json_and_csv_show_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let table = run(&["report", &path]).out;
    assert!(table.lines().any(|header| header.starts_with("method ") && header.contains(" early ")), "{table}");
    let row: Vec<_> = table.lines().find(|line| line.starts_with("nanosleep")).unwrap().split_whitespace().collect();
    assert_eq!(row[..5], ["nanosleep", "1.00", "ms", "400", "100"], "{table}");
    assert!(table.contains("-100 µs") || table.contains("−100 µs"), "{table}");

    let document: Value = serde_json::from_str(&run(&["report", "--json", &path]).out).unwrap();
    let cells = document["cells"].as_array().unwrap();
    for cell in cells {
        assert_eq!((&cell["early"], &cell["min_ns"]), (&100.into(), &(-100_000).into()), "{cell:#}");
        assert!(cell["mean_ns"].as_f64().is_some_and(is_20_us), "{cell:#}");
        assert_eq!(cell["first_ns"][0], -100_000);
    }
    assert_eq!(cells[1]["periods"]["early"], 100);
    assert_eq!((&cells[1]["corrected"]["early"], &cells[1]["corrected"]["min_ns"]), (&100.into(), &(-100_000).into()));

    let csv = run(&["export", &path]).out;
    let early = csv.lines().skip(1).filter(|line| line.split(',').nth(10) == Some("-100000")).count() as u64;
    assert_eq!(early, 2 * N / 4);

    assert_eq!(run(&["report", &path, "--fail-if", "min<0ns"]).code, Some(1));
}

/// Three of four sleeps of each row are 60 µs late.
#[test]
fn sleeps_beyond_a_limit_are_counted_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let shown = run(&["report", &path, "--over", "59us"]).out;
    assert_eq!(shown.matches("300 of 400, 75% (70% to 79%)").count(), 2, "{shown}");
    let document: Value = serde_json::from_str(&run(&["report", "--json", &path, "--over", "60us"]).out).unwrap();
    let over = &document["cells"][1]["over"];
    assert_eq!((&over["limit_ns"], &over["count"], &over["of"]), (&60_000.into(), &0.into(), &400.into()));
    assert_eq!((&over["share_low"], &over["count_exact"]), (&0.0.into(), &true.into()));
    assert!(over["share_high"].as_f64().is_some_and(|high| (high - 0.009_18).abs() < 1e-5), "{over}");

    let passes = run(&["report", &path, "--fail-if", "over 60us>1%"]);
    assert_eq!(passes.code, Some(0), "{}", passes.err);
    let said = "check passed: nanosleep 1.00 ms: over 60µs 0 of 400 sleeps, 0% (at most 0.92%), not > 1%; of 2 rows this is \
                nearest to the limit";
    assert!(passes.err.contains(said), "{}", passes.err);
    assert_eq!(run(&["report", &path, "--fail-if", "over 59us>75%"]).code, Some(0));
    assert_eq!(run(&["report", &path, "--fail-if", "over 59us>74.9%"]).code, Some(1));
    assert_eq!(run(&["report", &path, "--fail-if", "over 60us>0.1%"]).code, Some(3));
}
