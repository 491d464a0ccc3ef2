//! Benchmark of the control: honest sleeps that it would blame, and late ones that it does not tell.

use crate::condition::{self, Class};
use oversleep::Control;
use std::fmt::Write;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// Threads that sleep at once, each this long.
const THREADS: u32 = 150;
const ASKED: Duration = Duration::from_millis(100);
/// How long each number of busy threads is tried.
const TIME: Duration = Duration::from_secs(25);

const HEADING: &str = "\
## A control beside tests

150 threads assert `took <= asked + machine.worst_between(start + asked, end)` of sleeps of 100 ms; one in four sleeps 110 ms instead.
*Blamed*: honest sleeps that fail, with the most by which one did. *Detected*: slow ones that fail; *excused*: those for which the machine stood
still for 10 ms itself after they were due.

| busy threads | honest sleeps | blamed | by | slow sleeps | detected | excused |
| --- | --- | --- | --- | --- | --- | --- |
";

/// The outcomes of one thread's assertions, or of all threads'.
#[derive(Default)]
struct Counts {
    honest: u32,
    blamed: u32,
    by: Duration,
    slow: u32,
    detected: u32,
    excused: u32,
}

impl Counts {
    fn add(&mut self, slow: bool, took: Duration, worst: Duration) {
        let over = took.saturating_sub(ASKED + worst);
        let failed = over > Duration::ZERO;
        if slow {
            self.slow += 1;
            self.detected += u32::from(failed);
            self.excused += u32::from(!failed && worst >= ASKED / 10);
        } else {
            self.honest += 1;
            self.blamed += u32::from(failed);
            self.by = self.by.max(over);
        }
    }

    fn join(self, other: &Self) -> Self {
        Self {
            honest: self.honest + other.honest,
            blamed: self.blamed + other.blamed,
            by: self.by.max(other.by),
            slow: self.slow + other.slow,
            detected: self.detected + other.detected,
            excused: self.excused + other.excused,
        }
    }
}

/// Returns the table.
pub fn section(busy: &[usize], fewer: usize) -> String {
    let time = TIME / u32::try_from(fewer).unwrap_or(1);
    let mut page = HEADING.to_owned();
    for busy in busy {
        eprintln!("control: {busy} busy");
        let row = match condition::under(Class::Other, *busy, || run(time)) {
            Ok(Ok(Counts { honest, blamed, by, slow, detected, excused })) => {
                format!("| {busy} | {honest} | {blamed} | {by:.2?} | {slow} | {detected} | {excused} |")
            }
            Ok(Err(error)) => format!("| {busy} | no control: {error} |"),
            Err(refusal) => format!("| {busy} | {refusal} |"),
        };
        let _ = writeln!(page, "{row}");
    }
    page
}

fn run(time: Duration) -> std::io::Result<Counts> {
    let machine = Control::start()?;
    let end = Instant::now() + time;
    let of_thread = |thread: u32| {
        // So that they do not end together.
        sleep(ASKED * thread / THREADS);
        let mut counts = Counts::default();
        for turn in thread.. {
            let start = Instant::now();
            if start >= end {
                break;
            }
            let slow = turn % 4 == 3;
            sleep(if slow { ASKED + ASKED / 10 } else { ASKED });
            let ended = Instant::now();
            counts.add(slow, ended - start, machine.worst_between(start + ASKED, ended));
        }
        counts
    };
    Ok(scope(|threads| {
        let started: Vec<_> = (0..THREADS).map(|thread| threads.spawn(move || of_thread(thread))).collect();
        let counts = started.into_iter().map(|thread| thread.join().expect("a thread that only sleeps"));
        counts.fold(Counts::default(), |all, counts| all.join(&counts))
    }))
}
