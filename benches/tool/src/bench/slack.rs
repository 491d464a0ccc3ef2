//! `slack`: the effect of timer slack. It delays `nanosleep`; `select` has a slack of its own, 0.1 % of the request.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, figure, micros};
use serde_json::Value;

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    println!("{}", sheet::place());
    let repeats = if options.long { "3000" } else { "600" };
    let slacks = ["measure", "-q", "--no-save", "--json", "-m", "nanosleep", "-r", "5ms", "--slack=1ns,50us,1ms", "-n"];
    let document = tool::json(&ours, &[&slacks[..], &[repeats]].concat())?;
    let mut sheet =
        Sheet::new("nanosleep of 5 ms by timer slack", &["slack obtained", "p50", "beyond that of 1 ns", "max"]);
    let base = figure(&document, 0, "p50_ns").ok_or("no median")?;
    for cell in 0..3 {
        let obtained = figure(&document, cell, "conditions/obtained/timer_slack_ns").ok_or("no slack was read back")?;
        let median = figure(&document, cell, "p50_ns").ok_or("no median")?;
        let max = figure(&document, cell, "max_ns").unwrap_or(f64::NAN);
        sheet.row([micros(obtained), micros(median), micros(median - base), micros(max)]);
    }
    sheet.remark("The kernel may fire anywhere within the slack: with little else to wake for, at its end.");
    sheet.print(options);

    let seconds =
        ["measure", "-q", "--no-save", "--json", "-m", "nanosleep,select,poll,clock-nanosleep-abs", "-r", "1s", "-n"];
    let document = tool::json(&ours, &[&seconds[..], &[if options.long { "30" } else { "5" }]].concat())?;
    let mut sheet = Sheet::new("Sleeps of 1 s", &["method", "p50", "share of 1 s"]);
    for cell in 0..4 {
        let name = document.pointer(&format!("/cells/{cell}/method")).and_then(Value::as_str).unwrap_or_default();
        let median = figure(&document, cell, "p50_ns").ok_or("no median")?;
        sheet.row([name.to_owned(), micros(median), format!("{:.4} %", median / 1e7)]);
    }
    sheet
        .remark("select and poll allow 0.1 % of the request (fs/select.c, select_estimate_accuracy); nanosleep 50 µs.");
    sheet.print(options);
    Ok(())
}
