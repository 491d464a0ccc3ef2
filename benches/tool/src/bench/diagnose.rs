//! `diagnose`: what `explain` finds in recordings of random simulated kernels, as the tables of `docs/BENCHMARKS.md`,
//! and how long it takes for a million sleeps.

#[allow(dead_code)] // the tests use all of it
#[path = "../../../../crates/oversleep-lab/tests/diagnose/random.rs"]
mod random;

#[path = "../../../../crates/oversleep-lab/tests/diagnose/foreign/mod.rs"]
mod foreign;

#[path = "../../../../crates/oversleep-lab/tests/diagnose/rates.rs"]
mod rates;

#[allow(dead_code)] // the tests use all of it
#[path = "../../../../crates/oversleep-lab/tests/diagnose/truth/mod.rs"]
mod truth;

use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_lab::figures::quantile::{Fraction, of_sorted};
use oversleep_recording::document::evidence::{Rounding, TickQuantised};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use random::{Dice, Truth};
use rates::Rate;
use std::collections::BTreeMap;
use std::time::Instant;

/// Number of kernels per noise level.
const KERNELS: usize = 200;
/// Sleeps of the timed recording.
const MILLION: u64 = 1_000_000;

/// Parts of the totals that can be run alone, with a seed: `-- --only strange --seed 7`.
const PARTS: [&str; 5] = ["own", "strange", "tables", "designs", "presets"];

pub(super) fn run(options: &super::Options) -> Result<(), String> {
    if !options.own.is_empty() {
        return part(&options.own);
    }
    for noisy in [false, true] {
        println!("### {} kernels, {}\n", KERNELS, if noisy { "noisy" } else { "quiet" });
        let verdicts = verdicts(noisy);
        confusion(&verdicts);
        figures(&verdicts);
        foreign_causes(&verdicts);
    }
    totals();
    single_causes();
    foreign_kernels();
    speed();
    Ok(())
}

fn verdicts(noisy: bool) -> Vec<(Truth, Diagnosis)> {
    let mut dice = Dice(if noisy { 1077 } else { 1007 });
    let plan = random::random_phase();
    let one = |number: usize| {
        let (kernel, truth) = if number % 5 < 4 {
            random::tick_kernel(&mut dice, random::RATES, noisy)
        } else {
            random::timer_kernel(&mut dice, noisy)
        };
        let mut recording = random::record(&kernel, &plan, dice.next());
        if noisy {
            random::disturb(&mut recording, &mut dice);
        }
        (truth, diagnose(&recording))
    };
    (0..KERNELS).map(one).collect()
}

/// Returns the true class of a kernel, in the words of [`diagnosed`].
fn class(truth: &Truth) -> String {
    if truth.hz.is_some() { format!("tick, {}", truth.rounding) } else { "timer".into() }
}

fn diagnosed(diagnosis: &Diagnosis) -> String {
    let tick = diagnosis.machine.iter().find(|finding| finding.cause() == Cause::TickQuantised);
    match tick.and_then(|finding| finding.evidence.get::<TickQuantised>()).map(|tick| tick.rounding.map(Rounding::name))
    {
        Some(Some(rule)) => format!("tick, {rule}"),
        Some(None) => "tick, rule open".into(),
        None => "timer".into(),
    }
}

fn confusion(verdicts: &[(Truth, Diagnosis)]) {
    let columns = ["tick, up", "tick, up-plus-one", "tick, early", "tick, rule open", "timer"];
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (truth, diagnosis) in verdicts {
        *counts.entry((class(truth), diagnosed(diagnosis))).or_default() += 1;
    }
    println!("| is \\ taken for | {} |", columns.join(" | "));
    println!("| --- |{}", " ---: |".repeat(columns.len()));
    for row in columns.iter().filter(|row| !row.ends_with("open")) {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| counts.get(&((*row).into(), (*column).into())).map_or("·".into(), ToString::to_string))
            .collect();
        println!("| {row} | {} |", cells.join(" | "));
    }
}

fn figures(verdicts: &[(Truth, Diagnosis)]) {
    let ticks: Vec<_> = verdicts.iter().filter(|(truth, _)| truth.hz.is_some()).collect();
    let hz = |diagnosis: &Diagnosis| {
        diagnosis.machine.iter().find_map(|finding| finding.evidence.get::<TickQuantised>()).and_then(|tick| *tick.hz)
    };
    let rates = ticks.iter().filter(|(truth, found)| hz(found) == truth.hz.map(f64::from)).count();
    let drift = |found: &Diagnosis| {
        found.machine.iter().find(|finding| finding.cause() == Cause::ClockDrift).map_or(0.0, |finding| finding.size)
    };
    let mut errors: Vec<f64> = ticks.iter().map(|(truth, found)| (drift(found) - truth.drift_ppm).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let within = errors.iter().filter(|error| **error < 1.0).count();
    let middle = of_sorted(&errors, Fraction::P50).unwrap_or(f64::NAN);
    println!(
        "\nRate right {rates} of {n}; drift within 1 ppm {within} of {n}, median error {middle:.3} ppm.",
        n = ticks.len()
    );
}

/// Prints how often causes were found that no kernel of the set has.
fn foreign_causes(verdicts: &[(Truth, Diagnosis)]) {
    let expected = [
        Cause::TickQuantised,
        Cause::ClockDrift,
        Cause::Calibration,
        Cause::ConstantCost,
        Cause::TimerSlack,
        Cause::EarlyWake,
        Cause::CachedClock,
        Cause::ProportionalSlack,
    ];
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, diagnosis) in verdicts {
        let causes: std::collections::BTreeSet<Cause> =
            diagnosis.all().map(Finding::cause).filter(|cause| !expected.contains(cause)).collect();
        for cause in causes {
            *seen.entry(cause.name()).or_default() += 1;
        }
    }
    let list: Vec<String> = seen.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("False causes: {}.\n", if list.is_empty() { "none".into() } else { list.join(", ") });
}

/// Prints one table of all recordings whose true causes are known.
fn totals() {
    println!("### Totals\n\n{}", truth::totals::run(1, counts(None)).0);
}

fn counts(only: Option<&str>) -> truth::totals::Counts {
    let count = |part: &str, many: usize| if only.is_none_or(|only| only == part) { many } else { 0 };
    truth::totals::Counts {
        own: count("own", KERNELS),
        strange: count("strange", 1_000),
        each: count("tables", 8),
        awkward: count("designs", 8),
        designs: count("presets", truth::presets::DESIGNS.len()),
        step: 1,
    }
}

/// Prints one part of the totals, or all of them, with a given seed.
fn part(words: &[String]) -> Result<(), String> {
    let (mut only, mut seed) = (None, 1);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match (word.as_str(), rest.next()) {
            ("--only", Some(part)) if PARTS.contains(&part.as_str()) => only = Some(part.as_str()),
            ("--seed", Some(number)) => seed = number.parse().map_err(|_| format!("`{number}` is not a seed"))?,
            _ => return Err(format!("after `--` come --only with one of {}, and --seed", PARTS.join(", "))),
        }
    }
    println!("### Totals, seed {seed}\n\n{}", truth::totals::run(seed, counts(only)).0);
    Ok(())
}

/// Prints how often single causes are found, on kernels that have them and on kernels that do not.
fn single_causes() {
    let columns = ["cause", "quiet", "false alarms", "noisy", "false alarms"];
    println!("### Single causes\n\n| {} |\n| --- |{}", columns.join(" | "), " ---: |".repeat(columns.len() - 1));
    let row = |cause: &str, measure: &dyn Fn(bool) -> Rate| {
        let cells = [false, true]
            .map(measure)
            .map(|rate| format!("{} of {} | {} of {}", rate.right, rate.of, rate.false_alarms, rate.without));
        println!("| {cause} | {} |", cells.join(" | "));
    };
    row("sawtooth: slope and sign, 400 aligned seconds", &|noisy| rates::sawtooth(140, noisy));
    row("proportional slack, sweep to 1 s", &|noisy| rates::proportional(42, noisy));
    row("cached clock, above 1 kHz", &|noisy| rates::cached(80, noisy));
    row("daemon's period, one to two ticks for 700 s", &|noisy| rates::daemon(147, noisy));
    println!();
}

/// Prints how well causes are found in kernels that share no code with the simulator.
fn foreign_kernels() {
    for noisy in [false, true] {
        let mut all = foreign::judge::Score::default();
        for seed in 21..25 {
            all.join(&foreign::run(seed, noisy, false));
        }
        println!("### Strange kernels, {}\n\n{}", if noisy { "noisy" } else { "quiet" }, all.table());
    }
}

/// Prints how long a million sleeps take to diagnose, of a kernel with a tick and of one without.
fn speed() {
    let mut dice = Dice(5);
    let pattern = Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) };
    let plan = random::plan("nanosleep", &[(pattern, MILLION)], Some(Nanos::from_millis(20)));
    for (name, (kernel, _)) in [
        ("with a tick", random::tick_kernel(&mut dice, random::MODERN, false)),
        ("without", random::timer_kernel(&mut dice, false)),
    ] {
        let recording = random::record(&kernel, &plan, 1);
        let start = Instant::now();
        let diagnosis = diagnose(&recording);
        let took = start.elapsed();
        println!("{MILLION} sleeps, kernel {name}: {:.2} s ({} findings)", took.as_secs_f64(), diagnosis.all().count());
    }
}
