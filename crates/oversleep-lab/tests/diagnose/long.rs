//! Recordings too long to be examined completely: findings from their parts agree with those from the whole.

use crate::random::{self, Dice};
use oversleep_lab::analysis::downsample::{Downsampled, Downsampler, WHOLE};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose, diagnose_downsampled};
use oversleep_lab::figures::Summariser;
use oversleep_recording::document::evidence::{ChangePoint, EarlyWake, Fact, PeriodicInterference, Stopped};
use oversleep_recording::file::{Reader, Writer};
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_recording::{Recording, Sink};
use oversleep_sim::{Kernel, Mechanism, Parameters, Simulation, meta};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

fn downsampled(recording: &Recording, bound: usize) -> (Downsampled, Diagnosis) {
    let (mut summary, mut samples) =
        (Summariser::new(&recording.meta), Downsampler::with_bound(&recording.meta, bound));
    for sink in [&mut summary as &mut dyn Sink, &mut samples] {
        recording.samples.chunks(1_000).for_each(|batch| sink.samples(batch));
        sink.note(&recording.note);
    }
    let downsampled = samples.finish();
    let diagnosis = diagnose_downsampled(&downsampled, &summary.finish());
    (downsampled, diagnosis)
}

/// Returns which causes are found in which cells; `None` is the machine.
fn places(diagnosis: &Diagnosis) -> BTreeSet<(Option<u32>, Cause)> {
    let cells = diagnosis.cells.iter().flat_map(|cell| cell.findings.iter().map(|f| (Some(cell.cell), f.cause())));
    diagnosis.machine.iter().map(|finding| (None, finding.cause())).chain(cells).collect()
}

fn find(diagnosis: &Diagnosis, cause: Cause) -> Option<&Finding> {
    diagnosis.all().find(|finding| finding.cause() == cause)
}

fn fact(finding: &Finding, name: &str) -> Option<Fact> {
    finding.evidence.facts().into_iter().find_map(|(known, fact)| (known == name).then_some(fact))
}

/// Checks that both find the same causes in the same places, with about the same size, and leave the same questions
/// open.
fn assert_alike(part: &Diagnosis, whole: &Diagnosis) {
    assert_eq!(places(part), places(whole));
    for (cell, other) in part.cells.iter().zip(&whole.cells) {
        for finding in &cell.findings {
            let twin = other.findings.iter().find(|twin| twin.cause() == finding.cause()).unwrap();
            let give = 0.03 * twin.size.abs() + 0.02;
            assert!(
                (finding.size - twin.size).abs() <= give,
                "{:?}: {} for {}",
                finding.cause(),
                finding.size,
                twin.size
            );
            for key in ["hz", "rounding", "threads", "basis"] {
                assert_eq!(fact(finding, key), fact(twin, key), "{:?} {key}", finding.cause());
            }
        }
        // The budget splits the median of all sleeps, within the three digits of figures.
        let sum = |budget: &Option<oversleep_lab::analysis::patterns::Split>| {
            budget.as_ref().map_or(0.0, |split| split.values().sum::<i64>() as f64)
        };
        let (median, truth) = (sum(&cell.budget.p50_ns), sum(&other.budget.p50_ns));
        assert!((median - truth).abs() <= 1e-3 * truth, "{median} for {truth}");
    }
    for finding in &part.machine {
        let twin = whole.machine.iter().find(|twin| twin.cause() == finding.cause()).unwrap();
        assert!((finding.size - twin.size).abs() <= 0.05 * twin.size.abs() + 0.05, "{finding:?} for {twin:?}");
    }
    let open = |diagnosis: &Diagnosis| diagnosis.undecided.iter().map(|open| open.question.clone()).collect::<Vec<_>>();
    assert_eq!(open(part), open(whole));
}

fn tick_kernel() -> Kernel {
    let parameters = Parameters {
        mechanism: Mechanism::Jiffies,
        hz: 250,
        source: oversleep_sim::TickSource::Exact,
        tc_true_hz: 1e9 * (1.0 - 80e-6),
        lat_base_us: 20.0,
        ..Parameters::default()
    };
    Kernel::new("tick", parameters).unwrap()
}

fn timer_kernel() -> Kernel {
    let parameters =
        Parameters { mechanism: Mechanism::Hrtimer, slack_us: 50.0, lat_base_us: 6.0, ..Parameters::default() };
    Kernel::new("linux-timer", parameters).unwrap()
}

/// Returns a plan with interleaved turns of three requests at a random phase.
fn interleaved(sleeps: u64) -> Plan {
    let patterns = [1, 3, 7].map(|ms| (Pattern::Fixed { requested: Nanos::from_millis(ms) }, sleeps / 30));
    let mut plan = random::plan("nanosleep", &patterns, Some(Nanos::from_millis(4)));
    plan.turns = (0..10).flat_map(|_| plan.turns.clone()).collect();
    plan
}

#[test]
fn a_million_sleeps_in_a_file_are_read_once_and_say_what_they_say_whole() {
    let pattern = Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(20) };
    let plan = random::plan("nanosleep", &[(pattern, 1_000_000)], Some(Nanos::from_millis(4)));
    let kernel = tick_kernel();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.arrows");
    let mut writer = Writer::create(&path, &meta(&kernel, &plan), false).unwrap();
    Simulation::new(&kernel, &plan, 5).run(&mut writer);
    assert_eq!(writer.finish().unwrap(), 1_000_000);

    let mut reader = Reader::open(&path).unwrap();
    let mut kept = (Summariser::new(reader.meta()), Downsampler::new(reader.meta()));
    reader.read_into(&mut kept).unwrap();
    let (downsampled, cells) = (kept.1.finish(), kept.0.finish());
    let coverage = downsampled.coverage();
    assert_eq!((coverage.samples, cells[0].raw.n), (1_000_000, 1_000_000));
    assert!(coverage.first + coverage.spread <= WHOLE as u64 + 64, "{coverage:?}");
    assert!(coverage.first >= 90_000 && coverage.spread >= 60_000, "{coverage:?}");
    let part = diagnose_downsampled(&downsampled, &cells);

    let mut recording = Recording::new(meta(&kernel, &plan));
    Reader::open(&path).unwrap().read_into(&mut recording).unwrap();
    assert_alike(&part, &diagnose(&recording));
    let drift = find(&part, Cause::ClockDrift).unwrap();
    assert!((drift.size + 80.0).abs() < 0.05, "{drift:?}");
}

#[test]
fn ticks_slack_queues_and_sawteeth_survive_downsampling() {
    let queue = Kernel::new(
        "queue",
        Parameters {
            mechanism: Mechanism::Hrtimer,
            scheduler: oversleep_sim::Scheduler::RoundRobin,
            quantum_ms: 100.0,
            yield_busy_ms: 100.0,
            ..Parameters::default()
        },
    );
    let cases = [
        ("tick", tick_kernel(), interleaved(60_000)),
        ("timer", timer_kernel(), interleaved(60_000)),
        ("queue", queue.unwrap(), random::loaded(2, 2_000)),
        ("sawtooth", tick_kernel(), random::aligned("nanosleep", 20_000)),
    ];
    for (name, kernel, plan) in cases {
        let recording = random::record(&kernel, &plan, 3);
        let (downsampled, part) = downsampled(&recording, 8_192);
        assert!(downsampled.spread.is_some(), "{name}");
        eprintln!("{name}: {:?} {:?}", downsampled.coverage(), places(&part));
        assert!(!places(&part).is_empty(), "{name}");
        assert_alike(&part, &diagnose(&recording));
    }
}

#[test]
fn what_happens_late_in_a_long_run_is_seen() {
    let pattern = Pattern::Fixed { requested: Nanos::MILLISECOND };
    let plan = random::plan("nanosleep", &[(pattern, 120_000)], Some(Nanos::from_millis(4)));
    let mut recording = random::record(&timer_kernel(), &plan, 9);
    let mut dice = Dice(4);
    // Sleeps from 90 000 on are 300 µs later; three are stopped for 2 s; one in a hundred is early.
    for (number, sample) in recording.samples.iter_mut().enumerate() {
        if number >= 90_000 {
            sample.end += Nanos::from_micros(300);
        }
        if [70_003, 95_777, 101_010].contains(&number) {
            sample.end += Nanos::SECOND * 2;
        }
        if dice.share() < 0.01 {
            sample.end -= Nanos::from_micros(500);
        }
    }
    let (_, diagnosis) = downsampled(&recording, 16_384);
    let change = find(&diagnosis, Cause::ChangePoint).expect("a change");
    assert!((change.size - 300_000.0).abs() < 5_000.0, "{change:?}");
    assert!((change.evidence.get::<ChangePoint>().unwrap().sleep as f64 - 90_000.0).abs() < 100.0, "{change:?}");
    let stopped = find(&diagnosis, Cause::Stopped).expect("stops");
    assert_eq!(stopped.evidence.get::<Stopped>().unwrap().times, 3);
    let early = find(&diagnosis, Cause::EarlyWake).expect("early wake-ups");
    let truth = recording.samples.iter().filter(|sample| sample.oversleep().get() < -1_000).count();
    let early = early.evidence.get::<EarlyWake>().unwrap();
    assert_eq!((early.early, early.sleeps), (truth as u64, 120_000));
    assert_eq!(diagnosis.cells[0].findings.iter().filter(|f| f.cause() == Cause::ChangePoint).count(), 1);
}

#[test]
fn a_daemon_is_found_by_its_period_in_the_first_sleeps() {
    let parameters = Parameters {
        mechanism: Mechanism::Hrtimer,
        hz: 100,
        daemon_ticks: 50,
        daemon_us: 1_500.0,
        lat_base_us: 6.0,
        ..Parameters::default()
    };
    let kernel = Kernel::new("daemon", parameters).unwrap();
    let pattern = Pattern::Fixed { requested: Nanos::from_millis(10) };
    let plan = random::plan("nanosleep", &[(pattern, 60_000)], Some(Nanos::from_micros(500)));
    let recording = random::record(&kernel, &plan, 6);
    let (_, part) = downsampled(&recording, 16_384);
    let daemon = find(&part, Cause::PeriodicInterference).expect("a daemon");
    assert!((daemon.evidence.get::<PeriodicInterference>().unwrap().period_s - 0.5).abs() < 0.005, "{daemon:?}");
    assert_eq!(part.cells[0].findings.iter().filter(|f| f.cause() == Cause::PeriodicInterference).count(), 1);
}
