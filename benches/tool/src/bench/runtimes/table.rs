//! The table of all timers installed here.

use super::super::Options;
use super::super::sheet::{self, Sheet};
use super::super::tool;
use crate::tree;
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::fs;
use std::path::Path;

const BEGIN: &str =
    "<!-- Written by `cargo xtask bench runtimes -- write`; change the catalogue, not this table. -->\n";
const END: &str = "<!-- End of what is written. -->\n";
/// The request, in ns, for which early wake-ups and shares are shown: one and a half units of most runtimes.
const BETWEEN: i64 = 1_500_000;

pub(super) fn run(options: &Options, ours: &Path, write: bool) -> Result<(), String> {
    let mut arguments = vec!["runtimes", "-q", "--no-save", "--json"];
    if options.long {
        arguments.extend(["-n", "1000"]);
    } else if write {
        // Enough for a p99 of every request; it takes some five minutes.
        arguments.extend(["-n", "300"]);
    }
    let document = tool::json(ours, &arguments)?;
    let mut sheet = Sheet::new(
        "Timers of the runtimes installed here",
        &["API", "version", "100 µs", "1 ms", "1.5 ms", "16.67 ms", "early at 1.5 ms", "share at 1.5 ms", "found"],
    );
    for api in list(&document, "apis") {
        sheet.row(row(api));
    }
    sheet.remark(
        "Lateness: median / 99th percentile, where there are sleeps enough for it; share with its interval of 95 %.",
    );
    sheet.remark("What their sources do to a request: `oversleep list runtimes`.");
    for missing in list(&document, "unavailable") {
        sheet.remark(format!("Not measured: {}: {}.", text(missing, "what"), text(missing, "why")));
    }
    if write {
        return into_the_page(&sheet);
    }
    sheet.print(options);
    Ok(())
}

fn into_the_page(sheet: &Sheet) -> Result<(), String> {
    let path = tree::root().join("docs").join("RUNTIMES.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parts = page.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = parts.ok_or("docs/RUNTIMES.md has no place for the table")?;
    let table = format!("\n{}.\n{}\n", sheet::place(), sheet.markdown());
    fs::write(&path, format!("{head}{BEGIN}{table}{END}{tail}")).map_err(|error| format!("{}: {error}", path.display()))
}

fn row(api: &Value) -> [String; 9] {
    let cell = |request: i64| list(api, "cells").iter().find(|cell| cell["requested_ns"] == request);
    let late = |request: i64| {
        let figure = |name: &str| time(cell(request).map(|cell| &cell[name]));
        format!("{} / {}", figure("p50_ns"), figure("p99_ns"))
    };
    let between = cell(BETWEEN);
    let share = between.map(|cell| &cell["share"]).filter(|share| share.is_object());
    let share = share.map(|share| {
        format!("{} ({} to {})", time(share.get("size_ns")), time(share.get("low_ns")), time(share.get("high_ns")))
    });
    let early = between.map(|cell| format!("{} of {}", cell["early"], cell["n"]));
    [
        format!("`{}`", text(api, "call")),
        text(api, "runtime"),
        late(100_000),
        late(1_000_000),
        late(BETWEEN),
        late(16_670_000),
        early.unwrap_or_else(|| "–".to_owned()),
        share.unwrap_or_else(|| "–".to_owned()),
        found(api),
    ]
}

fn found(api: &Value) -> String {
    let named = list(api, "mechanisms")
        .iter()
        .map(|found| format!("{} {}", text(found, "mechanism"), time(found.get("size_ns"))));
    let open = api["undecided"].as_str().map(|_| "open".to_owned());
    let all: Vec<String> = named.chain(open).collect();
    if all.is_empty() { "–".to_owned() } else { all.join(", ") }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn time(value: Option<&Value>) -> String {
    value.and_then(Value::as_i64).map_or_else(|| "–".to_owned(), |ns| Nanos::new(ns).to_string())
}
