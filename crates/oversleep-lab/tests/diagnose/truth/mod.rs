//! Recordings with a known truth, and verdicts on their diagnoses: right, open or false.
//!
//! Each class is a way in which recordings were once misread, generated anew from a seed. Shared with
//! `cargo xtask bench diagnose`, which includes this file.

pub(crate) mod kernels;
pub(crate) mod misleading;
pub(crate) mod mixtures;
pub(crate) mod odd;
pub(crate) mod presets;
pub(crate) mod reliability;
pub(crate) mod tables;
pub(crate) mod ticks;
pub(crate) mod totals;
pub(crate) mod verdict;

use super::random::Dice;
use oversleep_lab::analysis::patterns::diagnose;
use oversleep_recording::file::Writer;
use oversleep_recording::{Recording, Sink};
use std::path::Path;
use verdict::{GroundTruth, HEAD, Tally, Truth, Verdict, judge};

/// A recording with the truth about it.
pub(crate) struct Case<T = Truth> {
    pub(crate) class: &'static str,
    pub(crate) recording: Recording,
    pub(crate) truth: T,
}

/// A function that makes a case from random numbers.
pub(crate) type Make<T = Truth> = fn(&mut Dice) -> Case<T>;

/// Classes of made-up tables.
pub(crate) const TABLES: &[Make] = &[
    tables::few,
    tables::schedule,
    tables::seconds,
    tables::coarse,
    tables::uniform,
    tables::bell,
    tables::slack,
    tables::skewed,
    tables::two_kinds,
    tables::moving,
    tables::idle_policy,
    tables::alias,
    tables::ticks,
    tables::mangled,
    tables::wrong_units,
];

/// Classes of tables that mislead.
pub(crate) const MISLEADING: &[Make] = &[
    misleading::rare_rate,
    misleading::periods,
    misleading::any_share,
    misleading::two_rates,
    misleading::coarse_ends,
    misleading::moved_phase,
    misleading::alternating,
    misleading::growing,
    misleading::scattered,
];

/// Presets with odd parameters and designs.
pub(crate) const ODD: &[Make] = &[odd::preset];

/// Classes of simulated kernels in awkward designs.
pub(crate) const KERNELS: &[Make] =
    &[kernels::part_of_a_tick, kernels::back_to_back, kernels::windows, kernels::alloweddeviation];

/// Writes a recording of which something false was said into the folder that `OVERSLEEP_KEEP` names, if it names one.
fn keep<T>(case: &Case<T>, number: usize) {
    let Ok(folder) = std::env::var("OVERSLEEP_KEEP") else { return };
    let path = Path::new(&folder).join(format!("{} {number}.arrows", case.class));
    let mut writer = Writer::create(&path, &case.recording.meta, true).expect("a folder to write into");
    writer.samples(&case.recording.samples);
    writer.note(&case.recording.note);
    writer.finish().expect("space for a recording");
}

/// Judges `each` recordings of every class; prints the table, and the statements of false ones.
pub(crate) fn run<T: GroundTruth>(makes: &[Make<T>], seed: u64, each: usize) -> Tally {
    let mut all = Tally::default();
    println!("{HEAD}");
    for (number, make) in makes.iter().enumerate() {
        let mut dice = Dice(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let mut tally = Tally::default();
        let mut said = Vec::new();
        let mut class = "";
        for _ in 0..each {
            let case = make(&mut dice);
            class = case.class;
            let verdict = judge(&diagnose(&case.recording), &case.truth);
            tally.count(&verdict);
            if let Verdict::False(wrong) = verdict {
                keep(&case, said.len());
                let meta = &case.recording.meta;
                said.push(format!(
                    "    {} ({}, {}, {:?}) x {} sleeps, truth {}: {}",
                    case.class,
                    meta.machine.release,
                    meta.plan.kind,
                    meta.plan.cells.first().map(|cell| (cell.pattern, cell.conditions.phase)),
                    case.recording.samples.len(),
                    case.truth.about(),
                    wrong.join("; ")
                ));
            }
        }
        println!("{}", tally.row(class));
        for line in &said {
            println!("{line}");
        }
        all.add(&tally);
    }
    println!("{}", all.row("all"));
    all
}
