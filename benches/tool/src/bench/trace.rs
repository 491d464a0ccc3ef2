//! `trace`: whether traced sleeps are complete, with little unexplained time and little disturbance.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, micros};
use serde_json::Value;

/// Runs: name, and options of `oversleep trace`.
const RUNS: &[(&str, &[&str])] = &[
    ("1 ms, idle", &["-r", "1ms"]),
    ("1 ms, marks only", &["-r", "1ms", "--marks-only"]),
    ("1 ms, 2 busy threads", &["-r", "1ms", "--load", "2"]),
    ("1 ms, slack 1 ns", &["-r", "1ms", "--slack", "1ns"]),
    ("1 ms, fifo 50", &["-r", "1ms", "-p", "fifo:50"]),
    ("1 ms, absolute", &["-r", "1ms", "-m", "clock-nanosleep-abs"]),
    ("1 ms, own switches", &["-r", "1ms", "--tier", "switches"]),
    ("1 ms, counters", &["-r", "1ms", "--tier", "counters"]),
];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    println!("{}", sheet::place());
    let repeats = if options.long { "4000" } else { "1500" };
    let header = ["sleep", "tier", "complete", "unexplained", "oversleep p50", "shift at p50 (95 %)", "sums exact"];
    let mut sheet = Sheet::new("Traced sleeps, processor 0", &header);
    for (name, arguments) in RUNS {
        let fixed = ["trace", "--json", "--every", "--cpus", "0", "-n", repeats];
        match tool::json(&ours, &[&fixed[..], arguments].concat()) {
            Ok(document) => sheet.row(row(name, &document)),
            Err(why) => sheet.remark(format!("{name}: {why}")),
        }
    }
    sheet.remark("Promised where events can be had: complete ≥ 98.5 %, unexplained ≤ 3 %, shift ≤ 6 µs.");
    sheet.remark("Shift: the median over pairs of blocks of 20 side by side, of the traced block's median less the untraced one's.");
    sheet.print(options);
    Ok(())
}

fn row(name: &str, document: &Value) -> [String; 7] {
    let number = |pointer: &str| document.pointer(pointer).and_then(Value::as_f64);
    let share = |pointer: &str| number(pointer).map_or("–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
    let time = |pointer: &str| number(pointer).map_or("–".to_owned(), micros);
    let tier = document.pointer("/tier").and_then(Value::as_str).unwrap_or("–");
    [
        name.to_owned(),
        tier.to_owned(),
        share("/complete_share"),
        share("/trace/unexplained_share"),
        time("/trace/oversleep/p50_ns"),
        format!("{} ({} to {})", time("/trace_shift_ns"), time("/trace_shift_low_ns"), time("/trace_shift_high_ns")),
        exact(document),
    ]
}

/// Returns of how many complete sleeps the parts add up to the oversleep to the nanosecond. Anything but all is an
/// error in the program.
fn exact(document: &Value) -> String {
    let none = Vec::new();
    let sleeps = document.pointer("/sleeps").and_then(Value::as_array).unwrap_or(&none);
    let complete: Vec<_> = sleeps.iter().filter(|sleep| sleep["complete"] == "complete").collect();
    let sums = complete.iter().filter(|sleep| {
        let parts = sleep["parts"].as_array().unwrap_or(&none).iter().filter_map(|part| part["time_ns"].as_i64());
        let late = sleep["end_ns"].as_i64().zip(sleep["deadline_ns"].as_i64()).map(|(end, due)| end - due);
        late == Some(parts.sum())
    });
    format!("{} of {}", sums.count(), complete.len())
}
