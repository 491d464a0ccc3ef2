//! Every format is recognised by its content, and its figures agree with those of the program that wrote it.

use oversleep_lab::import::{self, Ending};
use oversleep_lab::report::Screen;
use oversleep_lab::session::{Explainer, FiguresOnly};
use oversleep_recording::document::{Bounds, Measured};
use oversleep_recording::plan::{Conditions, Pattern, Policy};
use oversleep_recording::{Loss, Quantity, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::PathBuf;

pub(crate) fn data(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", "imports", name].iter().collect();
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(name: &str) -> (String, Recording, Vec<String>) {
    let bytes = data(name);
    let mut source = import::open(name, &bytes[..]).unwrap_or_else(|error| panic!("{error}"));
    let mut recording = Recording::new(source.meta().clone());
    let ending = source.read_into(&mut recording);
    assert!(matches!(ending, Ending::Complete), "{ending:?}");
    (source.format().to_owned(), recording, source.remarks().to_vec())
}

fn figures(name: &str) -> Measured {
    let bytes = data(name);
    let mut source = import::open(name, &bytes[..]).unwrap();
    let mut figures = FiguresOnly::new(source.meta());
    source.read_into(&mut figures);
    figures.finish().document()
}

fn us(value: i64) -> Nanos {
    Nanos::from_micros(value)
}

/// Returns the bounds of a value that was cut off to whole microseconds.
fn cut(value: i64) -> Bounds {
    Bounds { low: Some(us(value)), high: Some(us(value + 1) - Nanos::new(1)) }
}

#[test]
fn formats_are_recognised_from_what_is_in_them() {
    for (file, format) in [
        ("cyclictest-2.10-h60.json", "rt-tests-json"),
        ("cyclictest-2.10-nohist.json", "rt-tests-json"),
        ("cyclictest-2.4-hist100-us.json", "rt-tests-json"),
        ("oslat-2.4.json", "rt-tests-json"),
        ("ptsematest-2.4.json", "rt-tests-json"),
        ("cyclictest-2.10-h60.txt", "cyclictest-histogram"),
        ("cyclictest-2.4-h100.txt", "cyclictest-histogram"),
        ("cyclictest-2.4-H20-overflow.histfile", "cyclictest-histogram"),
        ("cyclictest-2.4-fifo.txt", "cyclictest-summary"),
        ("cyclictest-2.4-h100-display.txt", "cyclictest-summary"),
        ("cyclictest-2.4-spike.txt", "cyclictest-summary"),
        ("cyclictest-2.4-v.txt", "cyclictest-verbose"),
        ("jitterdebugger-results.json", "jitterdebugger-results"),
        ("jitterdebugger-samples.csv", "jitterdebugger-csv"),
        ("jitterdebugger-samples.raw", "jitterdebugger-samples"),
        ("rtla-timerlat-hist-made-up.txt", "rtla-histogram"),
        ("rtla-auto-analysis-made-up.txt", "rtla-auto-analysis"),
        ("jhiccup.hlog", "hdrhistogram-log"),
        ("stress-ng-cyclic-clock_ns.txt", "stress-ng-cyclic"),
        ("hyperfine.json", "hyperfine"),
        ("perf-sched-timehist.txt", "perf-sched-timehist"),
        ("perf-script-sched.txt", "perf-script"),
        ("perf-6.1-timehist.txt", "perf-sched-timehist"),
        ("perf-6.1-timehist-all-columns.txt", "perf-sched-timehist"),
        ("perf-6.1-script.txt", "perf-script"),
        ("ltp-timers.txt", "ltp-timers"),
        ("oslat.txt", "oslat"),
    ] {
        let (found, recording, _) = read(file);
        assert_eq!(found, format, "{file}");
        let analyses = recording.note.conventions.iter().filter(|one| one.starts_with("rtla's analysis")).count();
        assert_eq!(recording.note.conventions.len() - analyses, 1, "{file}: what its figures mean");
        let plan = &recording.meta.plan;
        assert!(plan.cells.iter().zip(0..).all(|(cell, id)| cell.id == id), "{file}");
    }
}

#[test]
fn cyclictest_s_overflow_is_what_its_buckets_lack() {
    let measured = figures("cyclictest-2.4-hist100-us.json");
    assert_eq!(measured.machine.release, "6.18.44-fc-v657");
    let [first, second] = &measured.distributions[..] else { panic!("{:?}", measured.distributions) };
    assert_eq!((first.n, second.n), (2_000, 2_000));
    assert_eq!((&*first.method, &*second.method), ("cyclictest thread 0", "cyclictest thread 1"));
    assert_eq!(first.requested_ns, Some(Nanos::MILLISECOND));
    assert_eq!(first.conditions.policy, Some(Policy::Fifo { priority: 80 }));
    assert_eq!((&first.conditions.affinity, &second.conditions.affinity), (&Some(vec![0]), &Some(vec![1])));
    assert_eq!(first.quantity, Quantity::Oversleep);
    let kept: u64 = read("cyclictest-2.4-hist100-us.json").1.note.distributions[0].in_buckets();
    assert_eq!(first.outside, 2_000 - kept);
    assert!(first.lost.contains(&Loss::Overflow) && first.lost.contains(&Loss::SkippedPeriods));
    // The text of the same run agrees.
    let text = figures("cyclictest-2.4-h100.txt");
    assert_eq!(text.distributions[0].n, first.n);
    assert_eq!((text.distributions[0].p50, text.distributions[0].p99), (first.p50, first.p99));
    assert_eq!(text.distributions[0].requested_ns, None, "the file does not say what was asked for");
    // Without -q the display stands before the buckets, and tells what these do not.
    let shown = figures("cyclictest-2.4-h100-display.txt");
    let [only] = &shown.distributions[..] else { panic!("{:?}", shown.distributions) };
    assert_eq!((only.n, only.outside, only.p50), (300, 2, Some(cut(26))));
    assert_eq!(only.requested_ns, Some(Nanos::MILLISECOND));
    assert_eq!(only.conditions.policy, Some(Policy::Fifo { priority: 80 }));
    // More than half of the values are beyond the last bucket, so no bucket holds the median.
    let cut_short = figures("cyclictest-2.4-H20-overflow.histfile");
    let beyond = Bounds { low: Some(us(20)), high: Some(us(243) - Nanos::new(1)) };
    assert_eq!((cut_short.distributions.len(), cut_short.distributions[0].n), (2, 1_000));
    assert_eq!(cut_short.distributions[0].p50, Some(beyond));
}

#[test]
fn without_a_histogram_extremes_are_all_there_is() {
    for (file, n, max) in [("cyclictest-2.10-nohist.json", 500, 672), ("cyclictest-2.4-fifo.txt", 981, 2_064)] {
        let measured = figures(file);
        let only = &measured.distributions[0];
        assert_eq!((only.n, only.outside, only.max), (n, n, Some(us(max + 1) - Nanos::new(1))), "{file}");
        let min = only.min;
        assert_eq!(only.p50, Some(Bounds { low: min, high: only.max }), "{file}: somewhere between");
        assert!(only.lost.contains(&Loss::Buckets));
    }
    let (_, _, remarks) = read("cyclictest-2.4-spike.txt");
    assert_eq!(remarks, ["10 spikes are listed, the first ones alone; figures are not made of them"]);
}

#[test]
fn a_handover_is_counted_where_it_arrives() {
    let measured = figures("ptsematest-2.4.json");
    let only = &measured.distributions[0];
    assert_eq!((only.n, only.min, only.max), (913, Some(us(14)), Some(us(932) - Nanos::new(1))));
    assert_eq!((only.quantity, only.conditions.affinity.as_deref()), (Quantity::Handover, Some(&[1][..])));
    assert!(only.lost.contains(&Loss::Buckets) && only.corrected.is_none());
}

#[test]
fn skipped_periods_are_put_back_where_they_are_lacking() {
    let known = figures("cyclictest-2.4-hist100-us.json");
    let corrected = known.distributions[0].corrected.as_ref().unwrap();
    assert!(corrected.n_low >= 2_000 && corrected.n_high > Some(corrected.n_low), "{corrected:?}");
    // The text of the same run does not state the interval: its bounds hold for any, so also for this one.
    let text = figures("cyclictest-2.4-h100.txt");
    let unknown = text.distributions[0].corrected.as_ref().unwrap();
    assert_eq!(unknown.n_high, None);
    for (known, unknown) in [(corrected.p50, unknown.p50), (corrected.p99, unknown.p99)] {
        let (known, unknown) = (known.unwrap(), unknown.unwrap());
        assert!(unknown.low <= known.low && known.high <= unknown.high, "{known:?} in {unknown:?}");
    }
    // These have a value for each period already.
    for file in ["jitterdebugger-results.json", "jhiccup.hlog"] {
        assert!(figures(file).distributions.iter().all(|one| one.corrected.is_none()), "{file}");
    }
}

#[test]
fn lists_without_times_are_counted_and_no_sample_is_invented() {
    for file in ["cyclictest-2.4-v.txt", "hyperfine.json", "ltp-timers.txt"] {
        let (_, recording, _) = read(file);
        assert!(recording.samples.is_empty(), "{file}");
        assert!(recording.note.distributions.iter().all(|one| one.outside() == 0), "{file}");
    }
    let measured = figures("ltp-timers.txt");
    assert_eq!((measured.distributions[0].n, measured.distributions[0].p50), (6, Some(cut(1_059))));
    assert_eq!(figures("hyperfine.json").distributions[0].quantity, Quantity::RunTime);
}

#[test]
fn jitterdebugger_s_samples_have_their_times_and_deadlines() {
    let (_, lines, _) = read("jitterdebugger-samples.csv");
    let (_, records, _) = read("jitterdebugger-samples.raw");
    assert_eq!(lines.samples, records.samples);
    assert_eq!(lines.samples.len(), 600);
    let first = lines.samples[0];
    assert_eq!((first.oversleep(), first.end), (us(43), Nanos::new(2_660_549_886_797)));
    let pattern = |cell: usize| lines.meta.plan.cells[cell].pattern;
    assert_eq!(pattern(0), Pattern::Periodic { period: Nanos::MILLISECOND });
    assert_eq!(lines.meta.plan.cells.len(), 2);
    let measured = figures("jitterdebugger-results.json");
    assert_eq!(measured.distributions[1].n, 2_970);
    assert!(measured.distributions[1].outside > 0 && measured.distributions[1].max > Some(Nanos::MILLISECOND));
}

#[test]
fn rtla_s_three_kinds_are_told_apart() {
    let measured = figures("rtla-timerlat-hist-made-up.txt");
    let kinds: Vec<Quantity> = measured.distributions.iter().map(|one| one.quantity).collect();
    let three = [Quantity::TimerInterrupt, Quantity::TimerThread, Quantity::TimerUser];
    assert_eq!(kinds, [three, three].concat());
    assert!(measured.distributions.iter().all(|one| one.n == 5_000 && one.outside == 0));
    assert_eq!(measured.distributions[3].conditions, Conditions { affinity: Some(vec![1]), ..Conditions::default() });
    assert_eq!(measured.distributions[0].p50, Some(cut(1)));
}

#[test]
fn rtla_s_analysis_is_told_with_the_latency() {
    let measured = figures("rtla-auto-analysis-made-up.txt");
    let near = |ns: i64| (Some(Nanos::new(ns - 5)), Some(Nanos::new(ns + 5)));
    let found: Vec<_> =
        measured.distributions.iter().map(|one| (&one.conditions.affinity, one.quantity, (one.min, one.max))).collect();
    let cpus = [1, 3, 5].map(|cpu| Some(vec![cpu]));
    let wanted = [
        (&cpus[0], Quantity::TimerInterrupt, near(28_130)),
        (&cpus[0], Quantity::TimerThread, near(41_960)),
        (&cpus[1], Quantity::TimerInterrupt, near(1_900)),
        (&cpus[1], Quantity::TimerThread, near(1_235_470)),
        (&cpus[2], Quantity::TimerInterrupt, near(81_000)),
    ];
    assert_eq!(found, wanted);
    let told = [
        "rtla's analysis on CPU 1: 42.0 µs to the thread: IRQ handler delay 27.5 µs, Timerlat IRQ duration 9.59 µs, \
         Blocking thread 3.79 µs (objtool:49256), 1.09 µs of nothing named",
        "rtla's analysis on CPU 3: 1.24 ms to the thread: IRQ handler delay 1.30 µs, Timerlat IRQ duration 3.00 µs, \
         Blocking thread 1.22 ms (my daemon:4048), IRQ interference 4.93 µs (local_timer:236), 3.08 µs of nothing named",
        "rtla's analysis on CPU 5: 81.0 µs to the interrupt's handler: IRQ handler delay 80.2 µs, \
         Blocking thread (kworker/5:1:777), 750 ns of nothing named",
    ];
    assert_eq!(measured.conventions[1..], told);
    // After a table, whose figures have these latencies already.
    let both = [data("rtla-timerlat-hist-made-up.txt"), data("rtla-auto-analysis-made-up.txt")].concat();
    let mut source = import::open("both", &both[..]).unwrap();
    let mut recording = Recording::new(source.meta().clone());
    assert!(matches!(source.read_into(&mut recording), Ending::Complete));
    assert_eq!((recording.note.distributions.len(), recording.note.conventions[1..].len()), (6, 3));
    assert!(source.remarks().is_empty(), "{:?}", source.remarks());
}

#[test]
fn the_minimum_of_nothing_is_none() {
    // As rtla printed it until 6.10, where a processor has no sample.
    let table = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\nIndex   IRQ-000   Thr-000\n\
                 4  1 0\nover:  0 0\ncount: 1 0\nmin: 4 18446744073709551615\navg: 4 -\nmax: 4 0\n";
    let source = import::open("old", table.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(source.meta().plan.cells.len(), 2);
}

#[test]
fn hiccups_are_called_that_and_counted_as_their_maker_counts() {
    let measured = figures("jhiccup.hlog");
    let only = &measured.distributions[0];
    // The Java original's HistogramLogProcessor prints 5469 for the same file.
    assert_eq!((only.n, only.quantity, only.method.as_str()), (5_469, Quantity::Hiccup, "jHiccup"));
    let p50 = only.p50.unwrap();
    assert!(p50.low <= Some(us(82)) && p50.high >= Some(us(81)), "{p50:?}");
    assert!(measured.conventions[0].contains("not corrected again"));
}

#[test]
fn other_programs_figures_are_theirs() {
    let stress = figures("stress-ng-cyclic-clock_ns.txt");
    let only = &stress.distributions[0];
    assert_eq!(
        (only.n, only.outside, only.min, only.max),
        (2_000, 0, Some(Nanos::new(20_984)), Some(Nanos::new(452_359)))
    );
    assert_eq!(only.p50, Some(Bounds { low: Some(us(40)), high: Some(us(60) - Nanos::new(1)) }));
    let oslat = figures("oslat-2.4.json");
    assert_eq!((oslat.distributions[0].quantity, oslat.distributions[0].p50), (Quantity::LoopGap, Some(cut(0))));
    let text = figures("oslat.txt");
    assert_eq!((text.distributions[0].p50, text.distributions[0].max), (Some(cut(0)), Some(us(32_413))));
    let (_, hist, _) = read("perf-sched-timehist.txt");
    // perf itself ran and was not woken: the first thread that was is the migration thread.
    let late: Vec<Nanos> = hist.of_cell(1).map(Sample::oversleep).collect();
    assert_eq!((hist.samples.len(), late), (3, vec![us(9_231), us(12)]), "{:?}", hist.meta.plan.cells);
    let (_, script, _) = read("perf-script-sched.txt");
    assert_eq!(script.samples.iter().map(Sample::oversleep).collect::<Vec<_>>(), [us(42), us(7)]);
}

/// The files are of one `perf sched record` (6.1), which has beginnings of wake-ups and not their ends: perf itself works
/// out the delays of the first, with `-wMn --state -V` those of the second, and the third has the events.
#[test]
fn perf_s_own_delays_are_those_of_its_events() {
    let delays = |file: &str| {
        let (_, recording, remarks) = read(file);
        let without_delay = |remark: &String| remark.contains("a delay of 0.000");
        assert!(remarks.iter().all(without_delay), "{file}: {remarks:?}");
        let cells = recording.meta.plan.cells.iter().map(|cell| cell.method.clone()).collect::<Vec<_>>();
        (recording.samples, cells)
    };
    let (perf, threads) = delays("perf-6.1-timehist.txt");
    let known = [(0, us(10)), (1, us(90)), (2, us(8_760)), (3, us(19_184))];
    assert_eq!(perf.iter().map(|one| (one.cell, one.oversleep())).take(4).collect::<Vec<_>>(), known);
    assert_eq!(threads[..2], ["run queue of migration/0[18]", "run queue of perf-exec[28815]"]);
    assert_eq!(delays("perf-6.1-timehist-all-columns.txt"), (perf.clone(), threads));
    let mut perf: Vec<Sample> = perf;
    perf.sort_by_key(|one| one.end);
    let (events, _) = delays("perf-6.1-script.txt");
    assert_eq!(events.len(), perf.len());
    // Both are cut off to microseconds.
    let near = |a: Nanos, b: Nanos| (a - b).get().abs() <= 1_000;
    for (event, own) in events.iter().zip(&perf) {
        assert!(near(event.end, own.end) && near(event.oversleep(), own.oversleep()), "{event:?} is {own:?}");
    }
}

#[test]
fn what_buckets_cannot_tell_is_open() {
    let bytes = data("cyclictest-2.4-hist100-us.json");
    let mut source = import::open("run.json", &bytes[..]).unwrap();
    let mut explainer = Explainer::new(source.meta());
    source.read_into(&mut explainer);
    let explanation = explainer.finish().expect("buckets speak");
    let text = explanation.text(Screen::PLAIN);
    let document = explanation.document().unwrap();
    let found = &document.diagnosed.found;
    assert!(found.findings.is_empty() && found.undecided.len() == 1, "{text}");
    assert!(text.contains("Undecided: what makes up the oversleep of cyclictest"), "{text}");
    assert!(text.contains("the file does not say when each value was, nor which value came after which"), "{text}");
    assert!(text.contains("a period missed is not counted"), "{text}");
}
