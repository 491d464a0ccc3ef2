//! A runtime that really waits, with each of twelve rules planted: which mechanism is named, with which size, and what
//! else is said; on the machine as it is, and beside two busy threads.

use super::super::Options;
use super::super::sheet::Sheet;
use super::super::tool;
use crate::planted::Rule;
use clap::ValueEnum;
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::path::Path;

const SEEDS: u64 = 5;
/// Largest error of a size: this many ns, or this share of the size if that is more.
const NEAR: f64 = 10e3;
const NEAR_SHARE: f64 = 0.05;
const LOADS: [(&str, &[&str]); 2] = [("as it is", &[]), ("2 busy threads", &["--load", "2"])];

pub(super) fn run(options: &Options, ours: &Path) -> Result<(), String> {
    let us = std::env::current_exe().map_err(|error| error.to_string())?;
    let header = ["rule", "to be named", "", "right", "sizes", "otherwise said"];
    let mut sheet = Sheet::new("Rules planted in a runtime that waits", &header);
    let (mut right, mut all) = (0, 0);
    for rule in Rule::value_variants() {
        for (name, load) in LOADS {
            eprintln!("runtimes: {} {name}", title(*rule));
            let judged = (1..=SEEDS).map(|seed| judge(ours, &us, *rule, seed, load)).collect::<Result<Vec<_>, _>>()?;
            let good = judged.iter().filter(|judged| judged.right).count();
            (right, all) = (right + good, all + judged.len());
            let sizes: Vec<String> = judged.iter().filter_map(|judged| judged.size.clone()).collect();
            let others: Vec<String> = judged.iter().filter_map(|judged| judged.other.clone()).collect();
            let expected = rule.expected().map_or("nothing", |(mechanism, _)| mechanism);
            let cells = [title(*rule), expected.to_owned(), name.to_owned(), format!("{good} of {SEEDS}")];
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
    let command = format!("'{}' planted {} {seed}", us.display(), title(rule));
    let mut arguments = vec!["runtimes", "-q", "--no-save", "--json", "--slack", "1ns", "--command", &command];
    if rule == Rule::Collects {
        // There is one collection per second; with this many sleeps, several come.
        arguments.extend(["-n", "600"]);
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
    let sized = |found: &&Value| {
        let wanted = expected.and_then(|(_, size)| size).map_or_else(|| drift(api), |size| size as f64);
        (size(found) - wanted).abs() <= NEAR.max(NEAR_SHARE * wanted)
    };
    let named = wanted.len() == usize::from(expected.is_some()) && wanted.iter().all(sized);
    let undecided = api["undecided"].as_str().map(str::to_owned);
    let right = named && others.is_empty() && undecided.is_none();
    let other: Vec<String> = others.into_iter().map(shown).chain(undecided).collect();
    Ok(Judged {
        right,
        size: wanted.first().map(|found| Nanos::from_f64(size(found)).to_string()),
        other: (!right)
            .then(|| if other.is_empty() { "not named, or of another size".to_owned() } else { other.join(", ") }),
    })
}

/// Returns the expected drift per tick in ns. A tick that is set from the previous one drifts by the kernel's lateness:
/// the mean of the native medians.
fn drift(api: &Value) -> f64 {
    let none = Vec::new();
    let medians: Vec<f64> =
        api["cells"].as_array().unwrap_or(&none).iter().filter_map(|cell| cell["native_p50_ns"].as_f64()).collect();
    medians.iter().sum::<f64>() / medians.len() as f64
}
