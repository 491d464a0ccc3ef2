//! Detection of late sleeps among samples that are made up, and among sleeps of this machine.

use super::{LateRule, Watch};
use crate::sleeps::{self, SleepRunSettings};
use oversleep_os::settings::affinity;
use oversleep_os::trace::Readings;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan, Policy, Turn, build};
use oversleep_recording::trace::Tier;
use oversleep_recording::{Flags, LateSleep, Note, Periods, Sample, Sink, Unobtained};
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn us(us: i64) -> Nanos {
    Nanos::from_micros(us)
}

fn rule(threshold: i64, stop: bool, most: u64) -> LateRule {
    LateRule { threshold: us(threshold), stop, most, best: None }
}

/// Returns a plan of `planned` sleeps of 1 ms on two threads.
fn plan(planned: u64) -> Plan {
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    let cell = Cell { conditions, ..Cell::new(0, "nanosleep", Pattern::fixed(Nanos::MILLISECOND)) };
    Plan { kind: Kind::Measure, cells: vec![cell], turns: vec![Turn { cell: 0, sleeps: planned }], seed: 1 }
}

/// Returns consecutive sleeps with these oversleeps, in microseconds.
fn samples(late: &[i64]) -> Vec<Sample> {
    let one = |(sequence, late): (u64, &i64)| Sample {
        sequence,
        requested: Nanos::MILLISECOND,
        start: Nanos::SECOND,
        end: Nanos::SECOND + Nanos::MILLISECOND + us(*late),
        cpu_end: 3,
        ..Sample::BLANK
    };
    (0..).zip(late).map(one).collect()
}

#[test]
fn later_than_allowed_is_late_and_exactly_as_late_is_not() {
    let mut watch = Watch::new(rule(50, false, 10), &plan(3));
    let found = watch.samples(&samples(&[49, 50, 51, -900]));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].sequence, found[0].length), (2, us(51)));
    assert!(!found[0].watched && found[0].refused[0].to_string().contains("a simulated kernel keeps no trace"));
    let account = watch.finish();
    assert_eq!((account.slept, account.late, account.found, account.stopped), (4, 1, 1, false));
    assert_eq!((account.planned, account.cut), (6, 2), "three on each of two threads");
}

#[test]
fn a_stop_is_at_the_first_and_what_follows_is_counted() {
    let mut watch = Watch::new(rule(50, true, 10), &plan(10));
    let found = watch.samples(&samples(&[10, 60, 70, 10]));
    assert_eq!(found.iter().map(|late| late.sequence).collect::<Vec<_>>(), [1]);
    assert!(watch.stopped());
    assert!(watch.samples(&samples(&[80])).is_empty());
    let account = watch.finish();
    assert_eq!((account.slept, account.late, account.after_stop), (5, 3, 3));
    assert_eq!((account.planned, account.cut), (20, 15));
}

#[test]
fn beyond_the_most_late_sleeps_are_counted_only() {
    let mut watch = Watch::new(rule(1, false, 2), &plan(5));
    assert_eq!(watch.samples(&samples(&[9, 9, 9, 9])).len(), 2);
    let account = watch.finish();
    assert_eq!((account.late, account.found), (4, 2));
}

/// Evidence is gone when the run is over, so a sleep is examined when it is one of the latest so far.
#[test]
fn the_latest_are_examined_whenever_they_come() {
    let mut watch = Watch::new(rule(1, false, 2), &plan(10));
    let mut examined =
        |late: &[i64]| watch.samples(&samples(late)).iter().map(|late| late.length.get() / 1_000).collect::<Vec<_>>();
    assert_eq!(examined(&[5, 3, 2, 4, 4, 3]), [5, 3, 4]);
    assert_eq!(examined(&[1, 4, 90, 80, 6]), [90, 80]);
    let account = watch.finish();
    assert_eq!((account.late, account.found), (10, 5));
}

#[test]
fn failed_calls_are_not_late() {
    let mut failed = samples(&[5_000]);
    failed[0].flags = Flags::FAILED;
    let mut watch = Watch::new(rule(1, true, 1), &plan(1));
    assert!(watch.samples(&failed).is_empty() && !watch.stopped());
}

#[test]
fn what_a_schedule_skipped_or_a_method_lacks_was_not_cut_off() {
    let mut periodic = plan(10);
    periodic.cells[0].pattern = Pattern::Periodic { period: Nanos::MILLISECOND };
    let mut watch = Watch::new(rule(1_000_000, false, 1), &periodic);
    watch.samples(&samples(&[1, 2, 3]));
    let account = |thread, skipped| Periods { thread, asked: 5 + skipped, skipped, ..Periods::default() };
    watch.learn(&Note { periods: vec![account(0, 4), account(1, 1)], ..Note::default() });
    assert_eq!((watch.finish().planned, watch.finish().cut), (20, 12));
    let missing = Unobtained { what: "nanosleep".into(), kind: "unavailable".into(), why: String::new() };
    watch.learn(&Note { unavailable: vec![missing], ..Note::default() });
    assert_eq!((watch.finish().planned, watch.finish().cut), (0, 0));
}

/// The kernel's buffer has room for the switches of some 1350 sleeps, and drops the newest once it is full.
#[test]
fn a_late_sleep_after_thousands_on_time_still_has_its_switches() {
    use std::sync::mpsc::channel;
    let (go, begins) = channel();
    let (gives, samples) = channel();
    let (done, ends) = channel::<()>();
    let (named, ready) = channel();
    let sleeps = move || {
        // Threads are found by their names, which a thread gets as it begins.
        named.send(()).unwrap();
        for batch in 0..20_u64 {
            // One batch at a time: a buffer has room for the switches of several, however slow the watch is.
            begins.recv().unwrap();
            let one = |number| {
                let start = monotonic();
                std::thread::sleep(std::time::Duration::from_micros(1));
                // Only the very last one is later than requested.
                let last = batch == 19 && number == 199;
                let requested = if last { Nanos::ZERO } else { Nanos::from_secs(1_000) };
                Sample { sequence: batch * 200 + number, requested, start, end: monotonic(), ..Sample::BLANK }
            };
            gives.send((0..200).map(one).collect::<Vec<_>>()).unwrap();
        }
        // The thread's switches are recorded as long as it lives.
        let _ = ends.recv();
    };
    let thread = std::thread::Builder::new().name("sleeper-0".to_owned()).spawn(sleeps).unwrap();
    let mut watch = Watch::new(LateRule { best: Some(Tier::Switches), ..rule(0, false, 10) }, &plan(4_000));
    ready.recv().unwrap();
    watch.learn(&Note::default());
    let mut batch = || {
        go.send(()).unwrap();
        watch.samples(&samples.recv().unwrap())
    };
    let found: Vec<_> = (0..20).flat_map(|_| batch()).collect();
    drop(done);
    thread.join().unwrap();
    let [late] = &found[..] else { panic!("{} late sleeps", found.len()) };
    if late.refused.iter().any(|refused| refused.tier == Tier::Switches) {
        return println!("skipped: the system does not let a process record its own switches");
    }
    let within = |at: Nanos| late.start <= at && at <= late.at;
    assert!(
        late.own.switches.iter().any(|switch| within(switch.at)),
        "{:?}, lost {}",
        late.own.switches,
        late.own.lost
    );
}

/// Passes samples and notes to a watch.
struct Watched {
    watch: Watch,
    found: Vec<LateSleep>,
}

impl Sink for Watched {
    fn samples(&mut self, batch: &[Sample]) {
        self.found.extend(self.watch.samples(batch));
    }

    fn note(&mut self, note: &Note) {
        self.watch.learn(note);
    }
}

/// Returns the late sleeps of a plan, of which none has kernel events or switch records, and how long it all took.
fn counted(plan: &Plan) -> (Vec<LateSleep>, Nanos) {
    let rule = LateRule { best: Some(Tier::Counters), ..rule(0, false, 1_000) };
    let mut watched = Watched { watch: Watch::new(rule, plan), found: Vec::new() };
    let settings = SleepRunSettings { counting: watched.watch.counting(), ..SleepRunSettings::default() };
    let begun = monotonic();
    sleeps::run(plan, &settings, &mut watched, &mut ()).expect("threads can be started");
    (watched.found, monotonic() - begun)
}

/// Number of runs of which one must have seen a thread wait.
const RUNS: usize = 5;

/// Returns the time for which the sleeper of a plan waited in all, by the count that each late sleep has.
fn time_waited(plan: &Plan) -> Nanos {
    let (found, elapsed) = counted(plan);
    assert!(!found.is_empty() && found.iter().all(|late| late.events.is_none() && late.own.is_empty()));
    let waited: Vec<Nanos> = found.iter().filter_map(|late| late.counted.run_delay).collect();
    assert_eq!(waited.len(), found.len(), "each has its count: {:?}", found.last());
    let sum: Nanos = waited.iter().copied().sum();
    assert!(waited.iter().all(|waited| *waited >= Nanos::ZERO) && sum <= elapsed, "{sum} of {elapsed}");
    sum
}

/// A thread of the lowest policy sleeps while another is busy on the same processor, and has to wait for it after nearly every sleep. Of
/// policies above it, the scheduler lets the sleeper go first as long as it has slept more than it ran.
#[test]
fn a_late_sleep_has_the_time_for_which_its_thread_waited() {
    let Some(cpu) = affinity::read().ok().and_then(|cpus| cpus.last().copied()) else {
        return println!("skipped: this system has no affinity");
    };
    if Readings::open().ok().and_then(|mut readings| readings.now().run_delay).is_none() {
        return println!("skipped: this system does not count how long a thread waits");
    }
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    let busy = std::thread::spawn(move || {
        let _tied = affinity::apply(&[cpu]);
        while !seen.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    });
    let conditions = Conditions { affinity: Some(vec![cpu]), policy: Some(Policy::Idle), ..Conditions::default() };
    let schedule = |id: MethodId| build::periodic(id.row(), Nanos::from_millis(2), 40, &conditions, 1);
    let rows = [MethodId::Nanosleep.row()];
    let requests = [Pattern::fixed(Nanos::MILLISECOND)];
    let grid = build::Grid { rows: &rows, requests: &requests, conditions: std::slice::from_ref(&conditions) };
    for plan in [build::measure(&grid, 20, 1), schedule(MethodId::ClockNanosleepAbs), schedule(MethodId::Nanosleep)] {
        // Once in hundreds of runs beside other tests the sleeper did not have to wait at all.
        let waited = (0..RUNS).any(|_| time_waited(&plan) > Nanos::ZERO);
        assert!(waited, "no thread waited in {RUNS} runs: {:?}", plan.cells);
    }
    stop.store(true, Ordering::Relaxed);
    busy.join().unwrap();
}

/// Sleeps of other programs are watched by the same rule, but nobody asks their threads to count.
#[test]
fn who_cannot_count_is_told_why() {
    let run = |best, asked: bool| {
        let mut watch = Watch::new(LateRule { best: Some(best), ..rule(0, false, 10) }, &plan(1));
        let counts = asked.then(|| watch.counting()).flatten().is_some();
        watch.learn(&Note::default());
        let found = watch.samples(&samples(&[60])).remove(0);
        (counts, found.refused.iter().any(|refused| refused.tier == Tier::Counters))
    };
    assert_eq!(run(Tier::Counters, false), (false, true));
    assert_eq!(run(Tier::Slack, true), (false, false), "counters are better evidence than was asked for");
    assert_eq!(run(Tier::Counters, true), (true, Readings::open().is_err()));
}
