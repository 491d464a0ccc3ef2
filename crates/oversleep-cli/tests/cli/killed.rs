//! After kill −9 at any moment, the file is readable and has every flushed sample.

use crate::support::{
    found, grows_beyond, holds_samples, is_released, name, of_the_machine, oversleep, rows_for_arrow, run, series,
};
use oversleep_recording::Sample;
use oversleep_recording::file::{ReadError, Reader, Tail};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Arguments of runs that go on until killed. They are flushed every few milliseconds rather than every second, so that
/// a short run has many flushes.
const SLEEPS: [&str; 8] = ["measure", "-m", "nanosleep,select", "-r", "20us", "-n", "100000000", "--threads=2"];
const SCHEDULE: [&str; 6] = ["measure", "-eperiodic", "--interval=100us", "-n", "100000000", "--threads=2"];

/// Files without a head, files that break off within a batch, and samples, of one killed run or of all.
#[derive(Default)]
struct Left {
    headless: u32,
    torn: u32,
    samples: usize,
}

/// A hundred times, or as often as `OVERSLEEP_KILLS` says.
#[test]
fn killed_a_hundred_times_it_never_loses_a_flushed_sample() {
    let kills = std::env::var("OVERSLEEP_KILLS").map_or(100, |text| text.parse().expect("a number of kills"));
    let folder = tempfile::tempdir().unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(9);
    let mut all = Left::default();
    let mut with_samples = 0;
    for number in 0..kills {
        let path = folder.path().join(format!("{number}.arrows"));
        let plan = if number % 2 == 0 { &SLEEPS[..] } else { &SCHEDULE[..] };
        // Every fifth run is killed soon after its start, perhaps in the middle of the file's head.
        let early = number % 5 == 0;
        let flushed = kill(&path, plan, early, &mut random);
        let left = read_back(&path, plan);
        assert!(left.samples >= flushed, "{} of the {flushed} samples flushed before the kill", left.samples);
        std::fs::remove_file(&path).ok();
        with_samples += u32::from(left.samples > 0);
        all.headless += left.headless;
        all.torn += left.torn;
        all.samples += left.samples;
    }
    println!(
        "{kills} killed: {with_samples} left samples ({} in all), {} broke off within a batch, {} had no head yet",
        all.samples, all.torn, all.headless
    );
    assert!(with_samples > 0, "no run lived to its first flush: the test has tested nothing");
}

/// Runs a plan and kills it; returns how many samples were in the file just before.
fn kill(path: &Path, plan: &[&str], early: bool, random: &mut Pcg64Mcg) -> usize {
    let flush = format!("--flush-every={}us", random.random_range(1_000..10_000));
    let mut child = oversleep()
        .args(plan)
        .args(["-q", &flush, "--out"])
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if early {
        sleep(Duration::from_micros(random.random_range(0..40_000)));
    } else {
        assert!(grows_beyond(0, path, &mut child), "the run began no file");
        sleep(Duration::from_micros(random.random_range(0..150_000)));
    }
    let flushed = rows_for_arrow(path).unwrap_or(0);
    child.kill().unwrap();
    child.wait().unwrap();
    flushed
}

fn read_back(path: &Path, plan: &[&str]) -> Left {
    if !path.exists() {
        return Left { headless: 1, ..Left::default() };
    }
    match Reader::open(path) {
        Ok(_) => {}
        Err(ReadError::Foreign { why, .. }) if why.contains("ends before its description") => {
            return Left { headless: 1, ..Left::default() };
        }
        Err(error) => panic!("{error}"),
    }
    let (series, tail) = series(path);
    assert_ne!(tail, Tail::Closed, "it was killed");
    for ((cell, thread), samples) in &series {
        let whole = if plan == SCHEDULE { keeps_the_schedule(samples) } else { follows_without_gap(samples) };
        assert!(whole, "{}: cell {cell} thread {thread} has a gap", path.display());
        assert!(samples.iter().all(|sample| sample.start <= sample.end && sample.oversleep() >= Nanos::ZERO));
    }
    let samples = series.values().map(Vec::len).sum();
    assert_eq!(rows_for_arrow(path), Some(samples), "Arrow's own reader sees the same");
    Left { samples, torn: u32::from(matches!(tail, Tail::Torn { .. })), headless: 0 }
}

fn follows_without_gap(samples: &[Sample]) -> bool {
    samples.iter().zip(0..).all(|(sample, number)| sample.sequence == number)
}

/// Returns whether each period's number exceeds its predecessor's by one and the periods that the predecessor's
/// lateness covers.
fn keeps_the_schedule(samples: &[Sample]) -> bool {
    let next =
        |sample: &Sample| sample.sequence + 1 + (sample.oversleep().get() / sample.requested.get()).unsigned_abs();
    samples.first().is_none_or(|first| first.sequence == 0)
        && samples.windows(2).all(|pair| pair[1].sequence == next(&pair[0]))
}

#[test]
fn what_a_killed_run_left_can_be_reported_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.arrows");
    let mut child = oversleep()
        .args(SLEEPS)
        .args(["-q", "--flush-every=2ms", "--out"])
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    child.kill().unwrap();
    child.wait().unwrap();
    let (series, _) = series(&path);
    let samples: usize = series.values().map(Vec::len).sum();
    let cut = name(folder.path(), "cut.arrows");
    let report = run(&["report", &cut]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert!(report.err.contains("did not end properly") || report.err.contains("breaks off"), "{}", report.err);
    let export = run(&["export", &cut]);
    assert_eq!(export.code, Some(0), "{}", export.err);
    assert_eq!(export.out.lines().count(), samples + 1);
}

#[test]
fn kill_minus_nine_in_the_middle_of_every_condition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let (before, found_before) = (of_the_machine(), found());
    let mut child = oversleep()
        .args(["measure", "-q", "-e", "periodic", "-n", "100000000", "--flush-every=2ms", "--slack=1ns", "--nice=3"])
        .args(["-p", "fifo:2", "-a", "0", "--mlock", "--latency-hold=7us", "--load=1", "--out"])
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    // If no other process holds a lower latency, the machine's value is the one of this run.
    match (&before, of_the_machine()) {
        (Ok(before), Ok(held)) if *before > Nanos::from_micros(7) => assert_eq!(held, Nanos::from_micros(7)),
        (before, held) => println!("the latency hold could not be seen: {before:?} before, {held:?} during the run"),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_released(&before), "{before:?} before, {:?} after", of_the_machine());
    assert_eq!(found(), found_before);
}
