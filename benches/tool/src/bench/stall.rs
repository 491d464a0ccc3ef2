//! `stall`: how one stop of 200 ms (SIGSTOP) in a 1 kHz schedule of 3 s shows in the raw and the corrected figures.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, figure};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const SCHEDULE: [&str; 8] =
    ["measure", "-q", "--experiment=periodic", "--interval=1ms", "-n", "3000", "--no-save", "--json"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    println!("{}", sheet::place());
    let mut sheet = Sheet::new(
        "A stop of 200 ms in a schedule of 3000 × 1 ms",
        &["", "asked", "fresh", "late", "skipped", "raw p99", "corrected p99", "corrected max"],
    );
    sheet.row(row("without", &schedule(&ours, false)?));
    sheet.row(row("stopped once", &schedule(&ours, true)?));
    sheet.remark("raw: each wake-up as it came; corrected: what every period felt.");
    sheet.print(options);
    Ok(())
}

fn row(name: &str, document: &Value) -> Vec<String> {
    let count = |key: &str| figure(document, 0, &format!("periods/{key}")).map_or("–".to_owned(), |n| n.to_string());
    let time = |key: &str| {
        figure(document, 0, key).map_or("–".to_owned(), |ns| oversleep_sys::units::Nanos::from_f64(ns).to_string())
    };
    vec![
        name.to_owned(),
        count("asked"),
        count("fresh"),
        count("late"),
        count("skipped"),
        time("p99_ns"),
        time("corrected/p99_ns"),
        time("corrected/max_ns"),
    ]
}

fn schedule(ours: &Path, stopped: bool) -> Result<Value, String> {
    let mut command = Command::new(ours);
    command.args(SCHEDULE).args(["--policy=fifo:80"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.spawn().map_err(|error| format!("{}: {error}", ours.display()))?;
    if stopped {
        sleep(Duration::from_secs(1));
        signal("STOP", &child)?;
        sleep(Duration::from_millis(200));
        signal("CONT", &child)?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn signal(name: &str, child: &Child) -> Result<(), String> {
    tool::run(Path::new("sh"), &["-c", &format!("kill -s {name} {}", child.id())]).map(drop)
}
