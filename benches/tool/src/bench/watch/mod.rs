//! `watch`: does the live view change the lateness that it shows?
//!
//! Two comparisons, after `--` by name: `drawing` turns the drawing of one live view on and off in turns; `runs` alternates
//! runs of `watch` with runs of `measure`. Other options after `--` are conditions of what is measured.

mod drawing;
mod runs;

use super::Options;
use super::sheet::{self, Sheet};
use super::tool;
use serde_json::Value;

const PARTS: [&str; 2] = ["drawing", "runs"];

pub(super) fn run(options: &Options) -> Result<(), String> {
    let (parts, conditions): (Vec<&String>, Vec<&String>) =
        options.own.iter().partition(|own| PARTS.contains(&own.as_str()));
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|own| *own == part);
    let conditions = conditions.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let ours = tool::release()?;
    println!("{}", sheet::place());
    if wanted("drawing") {
        drawing::run(options, &ours, &conditions)?;
    }
    if wanted("runs") { runs::run(options, &ours, &conditions) } else { Ok(()) }
}

/// Prints the shifts of the only cell of a comparison. `names`: what is compared, and what shifts it.
fn print(options: &Options, title: &str, names: [&str; 2], compared: &Value) -> Result<(), String> {
    let mut sheet = Sheet::new(title, &["figure", names[0], names[1], "95 % interval", "verdict"]);
    for shift in compared["cells"][0]["shifts"].as_array().ok_or("the comparison has no shifts")? {
        let micros = |key: &str| shift[key].as_f64().map_or_else(|| "–".to_owned(), tool::micros);
        let word = |key: &str| shift[key].as_str().unwrap_or("–").to_owned();
        let interval = format!("{} to {}", micros("low_ns"), micros("high_ns"));
        sheet.row([word("figure"), micros("a_ns"), micros("size_ns"), interval, word("verdict")]);
    }
    sheet.print(options);
    Ok(())
}

/// Returns the conditions as a part of a title.
fn with(conditions: &str) -> String {
    if conditions.is_empty() { String::new() } else { format!(" with {conditions}") }
}
