//! `plants`: what `explain`, `trace` and `stalls` say about sleeps made late by a known, planted cause.

#[path = "../../../../../crates/oversleep-lab/tests/trace/control_group.rs"]
mod control_group;
mod plant;
mod verdict;

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use oversleep_sys::units::Nanos;
use plant::{ALL, CPU, Log, Plant};
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use verdict::{RIGHT, Usual, Verdict};

/// Runs with each plant; with `--long`, three times as many.
const ROUNDS: usize = 3;
/// Number of sleeps for `explain`, and of traced ones.
const PLAIN: &str = "500";
const TRACED: &str = "250";
/// A watch for stalls: its duration, the period of its windows, and how long each window is open.
const WATCHED: &str = "4600ms";
const EVERY: Nanos = Nanos::from_millis(230);
const OPEN: Nanos = Nanos::from_millis(115);

impl Plant {
    /// Returns the plant's period, if it has one.
    fn period(self) -> Option<Nanos> {
        match self {
            Self::Hog(_, every) => i64::try_from(every).ok().map(Nanos::from_micros),
            Self::Stop => Some(Nanos::from_millis(360)),
            Self::Quota => Some(Nanos::from_millis(100)),
            _ => None,
        }
    }
}

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::named_or_release(options)?;
    println!("{}", sheet::place());
    let scratch = Scratch::new("plants")?;
    let rounds = if options.long { 3 * ROUNDS } else { ROUNDS };
    let mut runs: Vec<Vec<Run>> = ALL.iter().map(|_| Vec::new()).collect();
    let mut sheet = Sheet::new(
        &format!("What the commands say of planted disturbances: 1 ms on processor {CPU}, {rounds} interleaved runs"),
        &["planted", "explain", "named, open, false", "trace", "named", "size", "stalls", "named", "size"],
    );
    for round in 0..rounds {
        let mut usual = None;
        for (index, &plant) in ALL.iter().enumerate() {
            eprintln!("plants: round {} of {rounds}, {}", round + 1, plant.name());
            match measure_plant(plant, &ours, &scratch, &mut usual) {
                Ok(run) => runs[index].push(run),
                Err(why) => sheet.remark(format!("{}: {why}", plant.name())),
            }
        }
    }
    for (plant, runs) in ALL.iter().zip(&runs).filter(|(_, runs)| !runs.is_empty()) {
        sheet.row(row(*plant, runs));
    }
    total(&mut sheet, &runs);
    sheet.print(options);
    Ok(())
}

/// The answers of the three commands in one run with a plant.
struct Run {
    explain: Verdict,
    trace: Verdict,
    stalls: Verdict,
}

fn measure_plant(plant: Plant, ours: &Path, scratch: &Scratch, usual: &mut Option<Usual>) -> Result<Run, String> {
    let ours = ours.display().to_string();
    let cpu = CPU.to_string();
    let file = scratch.file("plain.arrows");
    run_with(plant, &[&ours, "measure", "-q", "-a", &cpu, "-r", "1ms", "-n", PLAIN, "--force", "-o", &file])?;
    let explained = tool::json(Path::new(&ours), &["explain", "--json", &file])?;
    let (traced, log) =
        run_with(plant, &[&ours, "trace", "--json", "--every", "-q", "-a", &cpu, "-r", "1ms", "-n", TRACED])?;
    let traced = json(&traced)?;
    if plant == Plant::Nothing {
        *usual = verdict::usual(&traced);
    }
    let every = format!("{}ns", EVERY.get());
    let (stalled, stalls) = run_with(
        plant,
        &[&ours, "stalls", "--json", "-q", "--no-save", "-a", &cpu, "-d", WATCHED, "-i", &every, "--share", "50%"],
    )?;
    Ok(Run {
        explain: verdict::explained(plant, &explained),
        trace: verdict::traced(plant, &traced, &log, *usual),
        stalls: verdict::stalled(plant, &json(&stalled)?, &stalls, (EVERY, OPEN)),
    })
}

fn run_with(plant: Plant, command: &[&str]) -> Result<(Output, Log), String> {
    let (output, log) = plant.run_with(command)?;
    if output.status.success() {
        return Ok((output, log));
    }
    let err = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}", command[1..].join(" "), err.lines().last().unwrap_or("no message")))
}

fn json(output: &Output) -> Result<Value, String> {
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn row(plant: Plant, runs: &[Run]) -> Vec<String> {
    let pick = |command: fn(&Run) -> &Verdict| runs.iter().map(command).collect::<Vec<&Verdict>>();
    let (explain, trace, stalls) = (pick(|run| &run.explain), pick(|run| &run.trace), pick(|run| &run.stalls));
    let named = |all: &[&Verdict]| format!("{} of {}", all.iter().filter(|verdict| verdict.named).count(), all.len());
    let wrong = explain.iter().filter(|verdict| !verdict.false_names.is_empty()).count();
    let yes = explain.iter().filter(|verdict| verdict.named && verdict.false_names.is_empty()).count();
    let size = |all: &[&Verdict]| {
        let sizes: Vec<f64> = all.iter().filter_map(|verdict| verdict.size).collect();
        tool::median(&sizes).map_or("–".to_owned(), |(middle, ..)| format!("{middle:.2}"))
    };
    let nothing = plant == Plant::Nothing;
    let shown = |all: &[&Verdict]| if nothing { "–".to_owned() } else { named(all) };
    vec![
        plant.name(),
        words(&explain),
        format!("{yes}, {}, {wrong}", explain.len() - yes - wrong),
        words(&trace),
        shown(&trace),
        size(&trace),
        words(&stalls),
        shown(&stalls),
        size(&stalls),
    ]
}

/// Returns the three most frequent answers, the most frequent first.
fn words(all: &[&Verdict]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in all.iter().flat_map(|verdict| &verdict.words) {
        match counts.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown: Vec<&str> = counts.iter().take(3).map(|(word, _)| *word).collect();
    if shown.is_empty() { "–".to_owned() } else { shown.join("; ") }
}

fn total(sheet: &mut Sheet, runs: &[Vec<Run>]) {
    let planted: Vec<&Run> =
        ALL.iter().zip(runs).filter(|(plant, _)| **plant != Plant::Nothing).flat_map(|(_, runs)| runs).collect();
    let count = |is_counted: &dyn Fn(&&&Run) -> bool| planted.iter().filter(is_counted).count();
    let sizes: Vec<f64> = planted.iter().flat_map(|run| [run.trace.size, run.stalls.size]).flatten().collect();
    let right = sizes.iter().filter(|size| (**size - 1.0).abs() <= RIGHT).count();
    sheet.remark(format!(
        "Of {} plantings: named by trace or stalls {}, by explain {}; of {} sizes {right} within {:.0} %.",
        planted.len(),
        count(&|run| run.trace.named || run.stalls.named),
        count(&|run| run.explain.named),
        sizes.len(),
        100.0 * RIGHT
    ));
    let wrong: Vec<String> = ALL
        .iter()
        .zip(runs)
        .flat_map(|(plant, runs)| runs.iter().map(move |run| (plant, run)))
        .filter(|(_, run)| !run.explain.false_names.is_empty())
        .map(|(plant, run)| format!("{}: {}", plant.name(), run.explain.false_names.join(", ")))
        .collect();
    let names = if wrong.is_empty() { "none".to_owned() } else { wrong.join("; ") };
    sheet.remark(format!("Named by explain though it was not there: {names}."));
    sheet.remark("Named: kernel events give the plant half of what it took by its own log, or a tenth of the sleeps or of their lateness.");
    sheet.remark("Size: what is put down to the plant over what it took by its own log, or over what sleeps were later than without it.");
}
