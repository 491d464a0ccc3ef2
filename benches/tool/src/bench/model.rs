//! Compares the answers of `oversleep-model` with today's findings, on recordings whose truth is known.
//!
//!     cargo xtask bench model -- [FOLDER | FILE]...
//!
//! Without arguments: the recordings that were once found falsely, and those of real kernels. Of each program: right, open
//! or false about ticks, rates, rules and shares.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use oversleep_lab::analysis::patterns::diagnose;
use oversleep_lab::import;
use oversleep_model::{Judgement, Rule, judge};
use oversleep_recording::Recording;
use oversleep_recording::document::Cause;
use oversleep_recording::document::evidence::{Rounding, TickQuantised};
use serde_json::Value;

use super::Options;

/// Folders of recordings with their truth, from the repository's root.
const FOLDERS: [&str; 3] = [
    "crates/oversleep-model/tests/data/untruths",
    "crates/oversleep-lab/tests/data/kernels",
    "crates/oversleep-lab/tests/data/machines",
];
/// Relative difference up to which two rates are one.
const SAME: f64 = 7e-3;

/// The truth about a recording, as far as it is compared.
struct Truth {
    tick: Option<bool>,
    hz: Option<f64>,
    rule: Option<String>,
    /// Causes besides ticks that may be named.
    causes: Option<Vec<String>>,
}

/// What a program states of a recording.
struct Findings {
    tick: bool,
    hz: Option<f64>,
    candidates: Vec<f64>,
    rules: Vec<String>,
    causes: Vec<&'static str>,
}

/// Whether statements agree with the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Right,
    Open,
    False,
}

pub(super) fn run(options: &Options) -> Result<(), String> {
    let root = xtask::tree::root();
    let mut named: Vec<PathBuf> = options.own.iter().map(PathBuf::from).collect();
    if named.is_empty() {
        named = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    }
    let mut totals = [[0usize; 3]; 2];
    for path in named {
        for (name, recording, truth) in load(&path)? {
            let begin = Instant::now();
            let judged = judge(&recording, &[]);
            let took = begin.elapsed();
            let found = [findings_of_rules(&recording), findings_of_model(&judged)];
            let verdicts = found.each_ref().map(|found| verdict(found, &truth));
            for (total, (verdict, _)) in totals.iter_mut().zip(&verdicts) {
                total[*verdict as usize] += 1;
            }
            let [today, model] = verdicts.map(|(verdict, why)| format!("{verdict:?} {why}"));
            println!("{name}: today {today} | model {model} | {}", shown(&judged));
            println!("    {} sleeps, {:.0} ms", recording.samples.len(), took.as_secs_f64() * 1e3);
        }
    }
    for (name, [right, open, wrong]) in ["today", "model"].iter().zip(totals) {
        println!("{name}: {right} right, {open} open, {wrong} false");
    }
    Ok(())
}

fn shown(judged: &Judgement) -> String {
    let rates: Vec<String> = judged.rates.iter().take(3).map(|(hz, p)| format!("{hz:.4} Hz {p:.3}")).collect();
    let found: Vec<String> = judged
        .findings
        .iter()
        .filter(|found| !found.cells.is_empty() || found.cause != Cause::TickQuantised)
        .take(4)
        .map(|found| {
            let rule = found.rule.map_or_else(String::new, |rule| format!(" {rule:?}"));
            format!("{}{rule} {:.6} ({:.3})", found.cause.name(), found.size, found.confidence)
        })
        .collect();
    let found = judged
        .stamps
        .map_or(found.clone(), |(step, p)| [vec![format!("stamps of {step:.1} ns ({p:.3})")], found].concat());
    let (tick, none) = (judged.tick, judged.none_of_these);
    format!("tick {tick:.3}, none of these {none:.3}, {}; {}", rates.join(", "), found.join(", "))
}

/// Returns the recordings at a path with their names and truths.
fn load(path: &Path) -> Result<Vec<(String, Recording, Truth)>, String> {
    let read = |path: &Path| -> Result<(String, Recording), String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = File::open(path).map_err(|why| format!("{}: {why}", path.display()))?;
        let recording = import::csv::read(file, &name).map_err(|why| format!("{name}: {why}"))?;
        Ok((name, recording))
    };
    let list = path.join("truth.json");
    if list.exists() {
        let entries = json(&list)?;
        return entries
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|entry| Some((entry["file"].as_str()?, &entry["truth"])))
            .map(|(file, truth)| read(&path.join(file)).map(|(name, recording)| (name, recording, of_kernel(truth))))
            .collect();
    }
    let files: Vec<PathBuf> = if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|why| format!("{}: {why}", path.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
        files.sort();
        files
    } else {
        vec![path.to_owned()]
    };
    files
        .iter()
        .map(|file| {
            let truth = json(&file.with_extension("json")).unwrap_or_default();
            read(file).map(|(name, recording)| (name, recording, of_table(&truth)))
        })
        .collect()
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display()))
}

fn of_kernel(truth: &Value) -> Truth {
    let rules = truth["rules"].as_object();
    let all = |rule: &str| rules.is_some_and(|rules| rules.values().all(|found| found == rule));
    let rule = if all("grid") { Some("up") } else { None };
    // Socket timeouts are counted in ticks even where all else is precise.
    let tick = if rules.is_some_and(|rules| rules.values().any(|rule| rule == "ticks+1")) {
        None
    } else {
        truth["quantised_to_tick"].as_bool()
    };
    Truth { tick, hz: truth["hz"].as_f64(), rule: rule.map(str::to_owned), causes: None }
}

fn of_table(truth: &Value) -> Truth {
    let there: Vec<String> = truth["really_there"]
        .as_array()
        .map(|causes| causes.iter().filter_map(|cause| cause.as_str().map(str::to_owned)).collect())
        .unwrap_or_default();
    let tick = !there.is_empty() && there.iter().any(|cause| cause == "tick-quantised");
    let rule = truth["truth"]["rounding"].as_str().map(str::to_owned);
    Truth {
        tick: (!there.is_empty()).then_some(tick),
        hz: truth["truth"]["hz"].as_f64(),
        rule,
        causes: (!there.is_empty()).then_some(there),
    }
}

fn findings_of_model(judged: &Judgement) -> Findings {
    let name = |rule: Rule| match rule {
        Rule::Up => Some("up"),
        Rule::UpPlusOne | Rule::Counted => Some("up-plus-one"),
        Rule::Early => Some("early"),
        Rule::Stamps | Rule::Down | Rule::Other => None,
    };
    let ticks: Vec<_> = judged.findings.iter().filter(|found| found.cause == Cause::TickQuantised).collect();
    Findings {
        tick: !ticks.is_empty(),
        hz: ticks.iter().find_map(|found| found.hz),
        candidates: ticks.iter().flat_map(|found| found.candidates.iter().map(|rate| rate.0)).collect(),
        rules: ticks.iter().filter_map(|found| found.rule.and_then(name)).map(str::to_owned).collect(),
        causes: judged.findings.iter().map(|found| found.cause.name()).collect(),
    }
}

fn findings_of_rules(recording: &Recording) -> Findings {
    let found = diagnose(recording);
    let all: Vec<_> = found.all().filter(|finding| finding.confidence >= 0.5).collect();
    let ticks: Vec<_> = all.iter().filter_map(|finding| finding.evidence.get::<TickQuantised>()).collect();
    let name = |rule: Rounding| match rule {
        Rounding::Up => "up",
        Rounding::UpPlusOne => "up-plus-one",
        Rounding::Early => "early",
    };
    Findings {
        tick: !ticks.is_empty(),
        hz: ticks.iter().find_map(|tick| *tick.hz),
        candidates: ticks.iter().filter_map(|tick| tick.hz_candidates.clone()).flatten().collect(),
        rules: ticks.iter().filter_map(|tick| tick.rounding.map(name)).map(str::to_owned).collect(),
        causes: all.iter().map(|finding| finding.cause().name()).collect(),
    }
}

/// Causes that are compared where the truth lists all that are there.
const COMPARED: [&str; 6] =
    ["timer-slack", "proportional-slack", "run-queue", "cached-clock", "periodic-interference", "coalescing"];

fn verdict(found: &Findings, truth: &Truth) -> (Verdict, String) {
    let same = |a: f64, b: f64| (a / b - 1.0).abs() < SAME;
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    match (truth.tick, found.tick) {
        (Some(false), true) => wrong.push("tick found".to_owned()),
        (Some(true), false) => open.push("tick not found".to_owned()),
        (Some(true), true) => match (truth.hz, found.hz) {
            (Some(hz), Some(own)) if !same(own, hz) => wrong.push(format!("{own:.2} Hz for {hz}")),
            (Some(hz), None) if !found.candidates.is_empty() && !found.candidates.iter().any(|own| same(*own, hz)) => {
                wrong.push(format!("candidates without {hz} Hz"));
            }
            (Some(_), None) => open.push("rate open".to_owned()),
            _ => {}
        },
        _ => {}
    }
    if let (Some(rule), Some(true)) = (&truth.rule, truth.tick)
        && let Some(other) = found.rules.iter().find(|own| *own != rule)
    {
        wrong.push(format!("{other} for {rule}"));
    }
    if let Some(causes) = &truth.causes {
        let untrue =
            found.causes.iter().filter(|cause| COMPARED.contains(cause) && !causes.iter().any(|own| own == *cause));
        wrong.extend(untrue.map(|cause| format!("{cause} found")));
        let found_none = found.causes.is_empty();
        if found_none && open.is_empty() {
            open.push("nothing found".to_owned());
        }
    }
    match (wrong.is_empty(), open.is_empty()) {
        (false, _) => (Verdict::False, wrong.join(", ")),
        (true, false) => (Verdict::Open, open.join(", ")),
        (true, true) => (Verdict::Right, String::new()),
    }
}
