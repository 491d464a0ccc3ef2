//! hyperfine's `--export-json`: the duration of each run of a command.

use super::values::{LONG, MANY, Values};
use super::whole_file::{Builder, has, read_json, refused};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Loss, Quantity};
use oversleep_sys::units::Nanos;
use serde_json::Value;

/// Reads such files.
pub(super) const HYPERFINE: Importer = Importer::new(FORMAT, sniff, read);

const FORMAT: &str = "hyperfine";

const CONVENTION: &str = "hyperfine: how long a command ran, which is not lateness; of `sleep 1` take 1 s away";

fn sniff(start: &[u8]) -> bool {
    let head = start.trim_ascii_start();
    let compact: Vec<u8> = head.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(16).collect();
    // Without a command, the list is empty.
    let lists = has(start, "\"results\"") && has(start, "\"command\"");
    head.starts_with(b"{") && lists || compact.starts_with(b"{\"results\":[")
}

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let document = read_json(name, FORMAT, input)?;
    let results = document.get("results").and_then(Value::as_array);
    let results = results.ok_or_else(|| refused(name, FORMAT, "it has no list of results".to_owned()))?;
    let (mut builder, mut kept) = (Builder::new(name, FORMAT, CONVENTION), 0);
    for (number, result) in results.iter().enumerate() {
        let wrong = |why: &str| refused(name, FORMAT, format!("result {number}: {why}"));
        let command = result.get("command").and_then(Value::as_str).unwrap_or("command");
        let times = result.get("times").and_then(Value::as_array).ok_or_else(|| wrong("it has no list of times"))?;
        let mut values = Values::default();
        for time in times {
            let seconds = time.as_f64().filter(|seconds| (0.0..1e9).contains(seconds));
            let seconds = seconds.ok_or_else(|| wrong("a time is not a number of seconds"))?;
            if !values.add(Nanos::from_f64(seconds * 1e9).get(), &mut kept) {
                return Err(wrong(MANY));
            }
        }
        let cell = builder.cell(command, None, Conditions::default());
        let lost = vec![Loss::Times, Loss::Requests, Loss::Conditions];
        let distribution = values.distribution(cell, Quantity::RunTime, 1, lost);
        builder.distribution(distribution.ok_or_else(|| wrong(LONG))?);
    }
    builder.finish("no command was run")
}
