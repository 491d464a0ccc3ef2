//! Stalls named from what a recording holds: live, from its file, and in bounded memory.

use crate::stalls::{Stalls, document};
use oversleep_figures::{CellSummary, Summariser};
use oversleep_recording::document::stalls as documents;
use oversleep_recording::file::{Reader, Tail, Writer};
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan};
use oversleep_recording::trace::{
    Event, EventKind, Gap, Interrupt, KernelEvents, ProcessorCounters, Task, ThreadCounters,
};
use oversleep_recording::{Meta, Note, Origin, Sample, Sink, Stall, StallWindow, WatchedCpu, Watcher};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use std::path::Path;

const WATCHER: i32 = 900;

fn us(us: i64) -> Nanos {
    Nanos::from_micros(us)
}

/// Returns a plan for processors 1 and 2, watched by cells 0 and 1.
fn meta() -> Meta {
    let cell = |id: u32| Cell {
        conditions: Conditions { affinity: Some(vec![id + 1]), ..Conditions::default() },
        ..Cell::new(id, "stall-watch", Pattern::fixed(Nanos::ZERO))
    };
    let plan = Plan { kind: Kind::Stalls, cells: vec![cell(0), cell(1)], turns: Vec::new(), seed: 0 };
    Meta::new("test", Origin::Live, plan)
}

fn sample(cell: u32, sequence: u64, start: Nanos, length: Nanos) -> Sample {
    let cpu = u16::try_from(cell).unwrap() + 1;
    let end = start + length;
    Sample { cell, sequence, start, end, cpu_start: cpu, cpu_end: cpu, ..Sample::BLANK }
}

fn task(tid: i32, comm: &str) -> Task {
    Task { tid, comm: comm.to_owned(), prio: 120 }
}

fn switch(cpu: u16, at: Nanos, prev: Task, next: Task) -> Event {
    Event { at, cpu, thread: prev.tid, kind: EventKind::Switch { prev, state: 0, next } }
}

fn watchers() -> Note {
    let watcher = |cell: u32| Watcher { cell, thread_id: WATCHER + i32::try_from(cell).unwrap() };
    Note { watchers: vec![watcher(0), watcher(1)], ..Note::default() }
}

fn account(cell: u32) -> WatchedCpu {
    WatchedCpu { cell, cpu: cell + 1, threshold: us(1), elapsed: us(1_000), ..WatchedCpu::default() }
}

/// Writes three windows: a hog and a stop of both processors by a trace, counters without a trace, a trace with a gap.
fn write_to(sink: &mut dyn Sink) {
    sink.note(&watchers());
    let ms = Nanos::from_millis;
    // The watching thread is switched out 1 µs after the stall's beginning and back in 1 µs before its end.
    let own = || task(WATCHER, "stalls-1");
    let events = vec![
        switch(1, ms(1) + us(1), own(), task(7, "hog")),
        switch(1, ms(1) + us(99), task(7, "hog"), own()),
        Event {
            at: ms(3) + us(5),
            cpu: 2,
            thread: WATCHER + 1,
            kind: EventKind::InterruptEntry { what: Interrupt::Timer },
        },
        Event {
            at: ms(3) + us(9),
            cpu: 2,
            thread: WATCHER + 1,
            kind: EventKind::InterruptExit { what: Interrupt::Timer },
        },
    ];
    sink.samples(&[sample(0, 0, ms(1), us(100)), sample(0, 1, ms(2), us(500))]);
    sink.samples(&[sample(1, 0, ms(2) + us(3), us(499)), sample(1, 1, ms(3), us(10))]);
    let smi = ProcessorCounters { smi: Some(0), ..ProcessorCounters::default() };
    let counted = Stall { cell: 0, sequence: 0, processor: Some(smi), ..Stall::default() };
    let events = Some(KernelEvents { events, gaps: Vec::new() });
    let window = StallWindow { from: Nanos::ZERO, until: ms(4), stalls: vec![counted], events };
    sink.note(&Note { stall_windows: vec![window], watched: vec![account(0), account(1)], ..Note::default() });
    sink.flush();

    let thread = ThreadCounters { preempted: Some(2), run_delay: Some(us(30)), throttled: None };
    let preempted = Stall { cell: 0, sequence: 2, thread: Some(thread), thread_since: 3, ..Stall::default() };
    sink.samples(&[sample(0, 2, ms(11), us(40)), sample(0, 3, ms(12), us(4))]);
    let window = StallWindow { from: ms(10), until: ms(14), stalls: vec![preempted], events: None };
    sink.note(&Note { stall_windows: vec![window], ..Note::default() });
    sink.flush();

    sink.samples(&[sample(0, 4, ms(21), us(60))]);
    let gaps = vec![Gap { cpu: 1, from: ms(20), until: ms(22), records: 0 }];
    let events = Some(KernelEvents { events: Vec::new(), gaps });
    let window = StallWindow { from: ms(20), until: ms(24), stalls: Vec::new(), events };
    sink.note(&Note { stall_windows: vec![window], ..Note::default() });
    sink.flush();
}

fn finished(sink: (Summariser, Stalls)) -> documents::Stalls {
    let (summary, stalls) = sink;
    let note = summary.notes().clone();
    document(&note, &summary.finish(), stalls.finish())
}

fn sink() -> (Summariser, Stalls) {
    (Summariser::new(&meta()), Stalls::new(&meta()))
}

fn read(path: &Path) -> documents::Stalls {
    let mut sink = sink();
    assert_eq!(Reader::open(path).unwrap().read_into(&mut sink).unwrap(), Tail::Closed);
    finished(sink)
}

#[test]
fn facts_are_named() {
    let mut sink = sink();
    write_to(&mut sink);
    let found = finished(sink);
    let of =
        |cell, sequence| found.worst.iter().find(|stall| (stall.cell, stall.sequence) == (cell, sequence)).unwrap();
    let hog = of(0, 0);
    assert_eq!((hog.cause.as_str(), hog.witness.as_str()), ("hog", "trace"));
    assert_eq!(hog.explanation(), "hog (7, nice 0) 98.0 µs, unseen 2.00 µs");
    assert_eq!(of(0, 1).cause, "several processors at once: host or SMI");
    assert_eq!((&of(0, 1).together, &of(1, 0).together), (&vec![2], &vec![1]));
    assert_eq!(
        of(1, 1).explanation(),
        "outside the kernel's sight: host, SMI or hardware; unseen 6.00 µs, timer interrupt 4.00 µs"
    );
    assert_eq!((of(0, 2).cause.as_str(), of(0, 2).witness.as_str()), ("another thread ran", "counters"));
    assert!(
        of(0, 2).explanation().ends_with("counted over this stall and the 3 before it"),
        "{}",
        of(0, 2).explanation()
    );
    let document = serde_json::to_value(&found).unwrap();
    let hog = document["worst"].as_array().unwrap().iter().find(|stall| stall["cause"] == "hog").unwrap();
    assert_eq!(
        (&hog["explanation"], &hog["evidence"]["kind"]),
        (&"hog (7, nice 0) 98.0 µs, unseen 2.00 µs".into(), &"owner".into())
    );
    assert_eq!(hog["evidence"]["owners"][1][0], "sleeper", "{hog:#}");
    assert_eq!(of(0, 3).witness, "none");
    assert_eq!(of(0, 4).witness, "none", "events of that time were lost");
    // The longest comes first, and all time of each stall has a name.
    assert!(found.worst.is_sorted_by_key(|stall| std::cmp::Reverse(stall.length)));
    let took = |cell| -> Nanos { found.took.iter().filter(|took| took.cell == cell).map(|took| took.time).sum() };
    assert_eq!((took(0), took(1)), (us(704), us(509)));
    assert_eq!(found.unnamed, 0);
}

#[test]
fn a_file_says_what_its_run_said_and_says_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stalls.arrows");
    let mut live = (Writer::create(&path, &meta(), false).unwrap(), sink());
    write_to(&mut live);
    let (writer, live) = live;
    assert_eq!(writer.finish().unwrap(), 7);
    let live = finished(live);
    assert_eq!(read(&path), live);
    assert_eq!(read(&path), live);
    let json = |found: &documents::Stalls| serde_json::to_string(found).unwrap();
    assert_eq!(json(&read(&path)), json(&live));
}

/// Returns a window of this many stalls on processor 1, each with its counters, two microseconds apart.
fn window(number: i64, stalls: u32) -> (Vec<Sample>, Note) {
    let at = |index: u32| us(number * 1_000_000 + 2 * i64::from(index));
    let sequence = |index: u32| number.unsigned_abs() * u64::from(stalls) + u64::from(index);
    // All stalls of a window differ in length.
    let length = |index: u32| Nanos::new(100 + i64::from(index * 7919 % stalls));
    let samples: Vec<_> = (0..stalls).map(|index| sample(0, sequence(index), at(index), length(index))).collect();
    let thread = Some(ThreadCounters { preempted: Some(0), ..ThreadCounters::default() });
    let processor = Some(ProcessorCounters { interrupts: Some(Vec::new()), ..ProcessorCounters::default() });
    let counted = |index| {
        let (thread, processor) = (thread, processor.clone());
        Stall { cell: 0, sequence: sequence(index), thread, processor, ..Stall::default() }
    };
    let stall_windows = vec![StallWindow {
        from: at(0),
        until: at(stalls) + us(11),
        stalls: (0..stalls).map(counted).collect(),
        events: None,
    }];
    (samples, Note { stall_windows, ..Note::default() })
}

#[test]
fn of_a_million_stalls_a_hundred_and_the_totals_are_kept() {
    let mut stalls = Stalls::new(&meta());
    stalls.note(&watchers());
    for number in 0..100 {
        let (samples, note) = window(number, 10_000);
        stalls.samples(&samples);
        stalls.note(&note);
        assert!(stalls.held() <= 101, "{}", stalls.held());
    }
    let causes = stalls.finish();
    assert_eq!(causes.took.iter().map(|took| took.stalls).sum::<u64>(), 1_000_000);
    assert_eq!((causes.worst.len(), causes.unnamed), (100, 0));
    // Each window has one stall of the greatest length.
    assert!(causes.worst.iter().all(|stall| stall.length == Nanos::new(10_099)));
}

#[test]
fn stalls_without_the_end_of_their_window_are_counted_and_do_not_pile_up() {
    let mut stalls = Stalls::new(&meta());
    stalls.note(&watchers());
    for number in 0..20 {
        stalls.samples(&window(number, 10_000).0);
    }
    assert_eq!(stalls.held(), StallWindow::MOST);
    assert_eq!(stalls.finish().unnamed, 200_000);
}

#[test]
fn what_single_stalls_were_stays_out_of_the_figures_memory() {
    let mut summary = Summariser::new(&meta());
    summary.note(&window(0, 10).1);
    assert!(summary.notes().is_empty(), "{:?}", summary.notes());
    let cells: Vec<CellSummary> = summary.finish();
    assert_eq!(cells.len(), 2);
}

/// Returns the document of a watch of processor 1 for 40 s, that share of each second, given stalls (start and length, in ms).
fn watched(stalls: &mut [(f64, f64)], share: f64) -> documents::Stalls {
    let (begun, ms) = (us(700_000_000), |ms: f64| Nanos::from_f64(1e6 * ms));
    stalls.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sink = sink();
    sink.note(&watchers());
    let mut number = 0;
    for second in 0..40 {
        let (from, until) = (1e3 * f64::from(second), 1e3 * (f64::from(second) + share));
        let seen = stalls.iter().filter(|stall| stall.0 > from && stall.0 + stall.1 < until);
        let samples: Vec<Sample> =
            seen.zip(number..).map(|((at, length), number)| sample(0, number, begun + ms(*at), ms(*length))).collect();
        number += samples.len() as u64;
        sink.samples(&samples);
        let window = StallWindow { from: begun + ms(from), until: begun + ms(until), ..StallWindow::default() };
        sink.note(&Note { stall_windows: vec![window], ..Note::default() });
    }
    sink.note(&Note { watched: vec![WatchedCpu { begun, ..account(0) }], ..Note::default() });
    finished(sink)
}

/// Ticks, and `per_s` stalls of 0.1 to 20 ms, at random.
fn restless(random: &mut rand_pcg::Pcg64Mcg, per_s: f64) -> Vec<(f64, f64)> {
    let mut stalls: Vec<(f64, f64)> =
        (0..10_000).map(|tick| (4.0 * f64::from(tick), random.random_range(0.002..0.03))).collect();
    let mut at = 0.0;
    while per_s > 0.0 && at < 40_000.0 {
        at -= f64::ln(random.random_range(1e-9..1.0)) * 1_000.0 / per_s;
        stalls.push((at, 0.1 * 200f64.powf(random.random_range(0.0..1.0))));
    }
    stalls
}

#[test]
fn stalls_that_recur_for_a_time_are_found_among_others() {
    for seed in 0..12_usize {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed as u64);
        let (per_s, share) = ([0.0, 1.0, 3.0][seed % 3], [1.0, 0.5][seed / 3 % 2]);
        let mut stalls = restless(&mut random, per_s);
        stalls.extend((129..257).map(|turn| (100.0 * f64::from(turn) + 7.0, random.random_range(2.1..2.7))));
        let found = watched(&mut stalls, share).periodic;
        let [of] = &found[..] else { panic!("seed {seed}: {found:?}") };
        let (from, to) = (of.rhythm.from_s.unwrap(), of.rhythm.to_s.unwrap());
        assert!((of.rhythm.period_s - 0.1).abs() < 2e-4, "seed {seed}: {of:?}");
        // A second of half-time watching has five of them.
        assert!((from - 12.9).abs() < 1.7 && (to - 25.7).abs() < 1.7, "seed {seed}: {of:?}");
        // Of three others a second, some come at such a time.
        let alone = (us(2_000)..us(2_700)).contains(&of.shortest) && of.longest <= us(2_700);
        assert!(alone || per_s > 2.0, "seed {seed}: {of:?}");
    }
}

#[test]
fn stalls_at_random_times_do_not_recur() {
    for seed in 0..40_usize {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed as u64);
        let mut stalls = restless(&mut random, [0.0, 1.0, 5.0, 30.0, 300.0][seed % 5]);
        let share = [1.0, 0.9, 0.5, 0.1][seed / 5 % 4];
        // The opening of a window may stall.
        stalls.extend((0..40).map(|second| (1e3 * f64::from(second) + 2.0, 1.0)));
        assert_eq!(watched(&mut stalls, share).periodic, [], "seed {seed}");
    }
}
