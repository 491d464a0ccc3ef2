//! A runtime that really waits, with each of twelve rules planted: which mechanism is named, with which size, and what
//! else is said; on the machine as it is, and beside two busy threads.

use super::super::Options;
use super::super::sheet::Sheet;
use super::super::tool;
use crate::planted::Rule;
use clap::ValueEnum;
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SEEDS: u64 = 5;
/// Largest error of a size: this many ns, or this share of the size if that is more.
const NEAR: f64 = 10e3;
const NEAR_SHARE: f64 = 0.05;
/// Conditions: the word that asks for one of them alone, its name and options.
const LOADS: [(&str, &str, &[&str]); 2] = [("quiet", "as it is", &[]), ("loaded", "2 busy threads", &["--load", "2"])];

/// What of the benchmark is wanted: everything if nothing is named.
#[derive(Default)]
pub(super) struct Wanted {
    rules: Vec<Rule>,
    loads: Vec<&'static str>,
}

impl Wanted {
    /// Adds a word from the command line; returns whether it names a rule or a condition.
    pub(super) fn add(&mut self, word: &str) -> bool {
        let load = LOADS.iter().find(|(load, ..)| *load == word);
        let rule = Rule::from_str(word, false).ok();
        self.loads.extend(load.map(|(load, ..)| *load));
        self.rules.extend(rule);
        load.is_some() || rule.is_some()
    }

    /// Returns whether nothing is named.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.loads.is_empty()
    }

    fn rules(&self) -> &[Rule] {
        if self.rules.is_empty() { Rule::value_variants() } else { &self.rules }
    }

    fn has_load(&self, load: &str) -> bool {
        self.loads.is_empty() || self.loads.contains(&load)
    }
}

pub(super) fn run(options: &Options, wanted: &Wanted, ours: &Path) -> Result<(), String> {
    let us = std::env::current_exe().map_err(|error| error.to_string())?;
    let header = ["rule", "to be named", "", "right", "sizes", "otherwise said"];
    let mut sheet = Sheet::new("Rules planted in a runtime that waits", &header);
    let (mut right, mut all) = (0, 0);
    for rule in wanted.rules() {
        for (_, name, load) in LOADS.iter().filter(|(load, ..)| wanted.has_load(load)) {
            eprintln!("runtimes: {} {name}", title(*rule));
            let judged = (1..=SEEDS).map(|seed| judge(ours, &us, *rule, seed, load)).collect::<Result<Vec<_>, _>>()?;
            let good = judged.iter().filter(|judged| judged.right).count();
            (right, all) = (right + good, all + judged.len());
            let sizes: Vec<String> = judged.iter().filter_map(|judged| judged.size.clone()).collect();
            let others: Vec<String> = judged.iter().filter_map(|judged| judged.other.clone()).collect();
            let expected = rule.expected().map_or("nothing", |(mechanism, _)| mechanism);
            let cells = [title(*rule), expected.to_owned(), (*name).to_owned(), format!("{good} of {SEEDS}")];
            sheet.row(cells.into_iter().chain([sizes.join(", "), others.join("; ")]));
        }
    }
    sheet.remark(format!("{right} of {all}; right: named, sized within 5 % or 10 µs, and nothing else said."));
    sheet.print(options);
    if right == all { Ok(()) } else { Err(format!("{} of {all} were judged wrong", all - right)) }
}

fn title(rule: Rule) -> String {
    rule.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The judgement on one run.
struct Judged {
    right: bool,
    size: Option<String>,
    other: Option<String>,
}

fn judge(ours: &Path, us: &Path, rule: Rule, seed: u64, load: &[&str]) -> Result<Judged, String> {
    let scratch = tool::Scratch::new("planted")?;
    let slips = scratch.file("slips");
    let command = format!("'{}' planted {} {seed} --slips '{slips}'", us.display(), title(rule));
    let mut arguments = vec!["runtimes", "-q", "--no-save", "--json", "--slack", "1ns", "--command", &command];
    if rule == Rule::Collects {
        // There is one collection per second, so many sleeps are needed for several. They show its length to within their
        // own, so they are short beside it.
        arguments.extend(["-r", "100us,1ms,1.5ms,5ms", "-n", "2000"]);
    }
    arguments.extend(load);
    let document = tool::json(ours, &arguments)?;
    let api = document.pointer("/apis/0").ok_or("the planted runtime was not measured")?;
    let none = Vec::new();
    let mechanisms = api["mechanisms"].as_array().unwrap_or(&none);
    let name = |found: &Value| found["mechanism"].as_str().unwrap_or_default().to_owned();
    let size = |found: &Value| found["size_ns"].as_f64().unwrap_or(f64::NAN);
    let shown = |found: &Value| format!("{} {}", name(found), Nanos::from_f64(size(found)));
    let expected = rule.expected();
    let (wanted, others): (Vec<&Value>, Vec<&Value>) =
        mechanisms.iter().partition(|found| expected.is_some_and(|(mechanism, _)| mechanism == name(found)));
    let planted = match expected {
        Some((_, None)) => drift(&fs::read_to_string(&slips).map_err(|error| format!("{slips}: {error}"))?),
        Some((_, Some(size))) => size as f64,
        None => 0.0,
    };
    let sized = |found: &&Value| (size(found) - planted).abs() <= NEAR.max(NEAR_SHARE * planted);
    let named = wanted.len() == usize::from(expected.is_some()) && wanted.iter().all(sized);
    let undecided = api["undecided"].as_str().map(str::to_owned);
    let right = named && others.is_empty() && undecided.is_none();
    let other: Vec<String> = others.into_iter().map(shown).chain(undecided).collect();
    Ok(Judged {
        right,
        size: wanted.first().map(|found| Nanos::from_f64(size(found)).to_string()),
        other: (!right).then(|| if other.is_empty() { missed(&wanted, planted) } else { other.join(", ") }),
    })
}

/// Returns what is wrong where nothing else was said.
fn missed(found: &[&Value], planted: f64) -> String {
    let size = Nanos::from_f64(planted);
    if found.is_empty() { "not named".to_owned() } else { format!("another size than {size}") }
}

/// Returns the drift per tick in ns, as the runtime itself has noted its slips: the mean over the requests.
fn drift(slips: &str) -> f64 {
    let mut requests: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for line in slips.lines() {
        let numbers: Vec<i64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
        if let [request, ticks, slip] = numbers[..] {
            let sums = requests.entry(request).or_default();
            *sums = (sums.0 + ticks, sums.1 + slip);
        }
    }
    requests.values().map(|(ticks, slip)| *slip as f64 / *ticks as f64).sum::<f64>() / requests.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drift_is_the_mean_over_the_requests_of_the_slip_per_tick() {
        assert!((drift("1000 10 40\n1000 10 60\n5000 5 100\n") - 12.5).abs() < 1e-9);
        assert!(drift("").is_nan(), "a runtime that noted nothing is near no size");
    }

    #[test]
    fn rules_and_conditions_are_chosen_by_name() {
        let mut wanted = Wanted::default();
        assert_eq!((wanted.rules().len(), wanted.has_load("quiet"), wanted.has_load("loaded")), (12, true, true));
        assert!(wanted.is_empty() && wanted.add("collects") && wanted.add("loaded") && !wanted.add("table"));
        assert_eq!(wanted.rules(), [Rule::Collects]);
        assert_eq!((wanted.has_load("quiet"), wanted.has_load("loaded")), (false, true));
    }
}
