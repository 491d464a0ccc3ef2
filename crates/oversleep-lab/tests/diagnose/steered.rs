//! Clocks whose rate changes one, two or three times in mid-run, at times and by amounts that are not known beforehand:
//! each drift that is stated holds for the time that it is stated for.

use crate::depth;
use crate::truth::{self, presets};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_recording::document::evidence::ClockDrift;
use oversleep_sim::{FrequencyChange, Kernel};
use rand::{Rng, RngExt, SeedableRng};

const PRESETS: &[&str] = &[
    "dragonfly-1.0",
    "freebsd-4.9",
    "openbsd",
    "solaris-8",
    "linux-nohighres-hz100",
    "linux-nohighres-hz250",
    "freebsd-8-hz1000",
];

const SLEEPS: u64 = 600;
const END_S: f64 = 600.0;

/// Most by which a change may be misplaced beside what is stated, in s, where the end before it is not stated.
const MISPLACED_S: f64 = 20.0;

/// Beside the interval, in ppm: what rounding in the clock's own arithmetic adds.
const BESIDE: f64 = 0.1;

/// Drifts over time: each with the time from which it holds, in s.
type Course = Vec<(f64, f64)>;

/// Returns the changes of one run: 60 s apart at least, each by 5 to 100 ppm, and none further than 100 ppm from nominal.
fn changes(random: &mut impl Rng) -> Vec<FrequencyChange> {
    let number = random.random_range(1..=3);
    let mut times: Vec<f64> = Vec::new();
    while times.len() < number {
        let at = random.random_range(60.0..END_S - 60.0f64).round();
        if times.iter().all(|other| (at - other).abs() >= 60.0) {
            times.push(at);
        }
    }
    times.sort_by(f64::total_cmp);
    let mut ppm = 0.0f64;
    let mut change = |at_s: f64| {
        let by = 5.0 * 20.0f64.powf(random.random_range(0.0..1.0));
        let up = if (ppm + by).abs() > 100.0 { false } else { (ppm - by).abs() > 100.0 || random.random_bool(0.5) };
        ppm += if up { by } else { -by };
        FrequencyChange { at_s, ntp_ppm: ppm }
    };
    times.into_iter().map(&mut change).collect()
}

/// Returns the number of runs of each preset: `OVERSLEEP_EACH`, or else `usual`.
fn each(usual: usize) -> usize {
    std::env::var("OVERSLEEP_EACH").ok().and_then(|each| each.parse().ok()).unwrap_or(usual)
}

/// Returns what is false of a stated drift; `None` where nothing is.
fn falsehood(finding: &Finding, course: &Course) -> Option<&'static str> {
    let drift = finding.evidence.get::<ClockDrift>().expect("its evidence");
    let (from, to) = (drift.from_s.unwrap_or(0.0), drift.to_s.unwrap_or(END_S));
    let ends = course.iter().skip(1).map(|(at, _)| *at).chain([END_S]);
    let shared = course.iter().zip(ends).map(|((start, ppm), end)| (end.min(to) - start.max(from), *ppm));
    let (long, ppm) = shared.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a course");
    let misplaced = drift.to_error_s.unwrap_or(0.0) + MISPLACED_S;
    if to - from - long > misplaced {
        return Some("over a change");
    }
    let off = finding.size - ppm;
    let whole = drift.alias_ppm.map_or(0.0, |alias| alias * (off / alias).round());
    let (low, high) = (finding.low.expect("bounds") - whole, finding.high.expect("bounds") - whole);
    (ppm < low - BESIDE || ppm > high + BESIDE).then_some("beside its interval")
}

/// Returns what is false in a diagnosis, each with its words.
fn falsehoods(found: &Diagnosis, course: &Course) -> Vec<String> {
    let words = |finding: &Finding| {
        let why = match finding.cause() {
            Cause::ClockDrift => falsehood(finding, course),
            Cause::Sawtooth => Some("one slope"),
            _ => None,
        };
        why.map(|why| format!("{why}: {}", truth::verdict::words(finding)))
    };
    found.all().filter_map(words).collect()
}

/// Checks that what is stated of rates that change holds, and that most runs are told in as many pieces as they have.
#[test]
fn rates_that_change_several_times_are_told_in_parts_or_not_at_all() {
    let runs = each(depth::scaled(16));
    let (mut all, mut told, mut wrong) = (0, 0, Vec::new());
    for (at, preset) in PRESETS.iter().enumerate() {
        let before = presets::case(preset, ("wall-second", false), 1).truth.drift;
        let own = before - Kernel::preset(preset).expect("a preset").parameters().ntp_ppm;
        for run in 0..runs {
            let seed = (at * 1_000 + run) as u64 + 1;
            let steps = if run == 0 {
                let change = |at_s, ntp_ppm| FrequencyChange { at_s, ntp_ppm };
                vec![change(200.0, -10.0), change(400.0, 30.0)]
            } else {
                changes(&mut rand_pcg::Pcg64Mcg::seed_from_u64(seed))
            };
            let after = steps.iter().map(|change| (change.at_s, own + change.ntp_ppm));
            let course: Course = [(0.0, before)].into_iter().chain(after).collect();
            let found = diagnose(&presets::steered_often(preset, SLEEPS, seed, &steps));
            let stated = found.all().filter(|finding| finding.cause() == Cause::ClockDrift).count();
            all += 1;
            told += usize::from(stated == course.len());
            let false_words = falsehoods(&found, &course);
            if !false_words.is_empty() {
                wrong.push(format!("{preset} {seed} {course:?}: {false_words:#?}"));
            }
        }
    }
    println!("{all} runs, {told} told in all their parts, {} false\n{}", wrong.len(), wrong.join("\n"));
    assert!(wrong.len() * 20 <= all, "{wrong:#?}");
    assert!(told * 2 > all, "{told} of {all}");
}
