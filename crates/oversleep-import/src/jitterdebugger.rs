//! jitterdebugger's `results.json`: one histogram per thread.

use super::json_figures::{JsonFigures, counted, shown};
use super::whole_file::{Builder, has, read_json, refused};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::text::visible;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};

/// Reads such files.
pub(super) const JITTERDEBUGGER: Importer = Importer::new(FORMAT, sniff, read);

const FORMAT: &str = "jitterdebugger-results";

pub(super) const CONVENTION: &str = "jitterdebugger: wake-up minus absolute deadline, in whole units, cut off; each period \
                                     has its wake-up, however late";

/// End of jitterdebugger's histogram.
const OUTSIDE: Nanos = Nanos::MILLISECOND;

fn sniff(start: &[u8]) -> bool {
    let object = start.trim_ascii_start().starts_with(b"{");
    object && has(start, "\"cpu\"") && has(start, "\"histogram\"") && !has(start, "\"rt_test_version")
}

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let document = read_json(name, FORMAT, input)?;
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    let info = document.get("sysinfo").and_then(Value::as_object);
    let told = |key: &str| info?.get(key)?.as_str().map(|text| visible(text).into_owned());
    let machine = &mut builder.meta().machine;
    machine.system = told("sysname").unwrap_or_default();
    machine.release = told("release").unwrap_or_default();
    machine.version = told("version").unwrap_or_default();
    machine.architecture = told("machine").unwrap_or_default();
    let unit = unit(info).map_err(|why| refused(name, FORMAT, why))?;
    let threads = document.get("cpu").and_then(Value::as_object);
    let threads = threads.ok_or_else(|| refused(name, FORMAT, "it has no object `cpu`".to_owned()))?;
    for (number, thread) in threads {
        let wrong = |why: String| refused(name, FORMAT, format!("cpu {number}: {why}"));
        let thread = thread.as_object().ok_or_else(|| wrong("it is not an object".to_owned()))?;
        // The key is the number of the thread, whatever processor it ran on.
        let cell = builder.cell(&format!("jitterdebugger thread {number}"), None, Conditions::default());
        let figures = JsonFigures { told: thread, unit, named_by_upper_end: false, end: None };
        builder.distribution(distribution(cell, &figures).map_err(wrong)?);
    }
    builder.finish("no thread has counted anything")
}

/// Returns the unit of the values, in ns. Files without the key are in microseconds.
fn unit(info: Option<&Map<String, Value>>) -> Result<i64, String> {
    match info.and_then(|info| info.get("resolution_in_ns")) {
        None => Ok(1_000),
        Some(unit) if *unit == 1_000 => Ok(1_000),
        Some(unit) if *unit == 1 => Ok(1),
        Some(other) => Err(format!("`resolution_in_ns` is {}, and 1 or 1000 is expected", shown(other))),
    }
}

fn distribution(cell: u32, figures: &JsonFigures) -> Result<Distribution, String> {
    if !figures.told.contains_key("histogram") {
        return Err("it has no object `histogram`".to_owned());
    }
    let buckets = figures.buckets()?;
    let counted = counted(&buckets)?;
    let count = figures.count("count")?.unwrap_or(counted);
    if count < counted {
        return Err(format!("{counted} values in buckets, and {count} in all"));
    }
    let mut lost = vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions];
    lost.extend((count > counted).then_some(Loss::Overflow));
    Ok(Distribution {
        cell,
        quantity: Quantity::Oversleep,
        count,
        buckets,
        outside_from: Some(OUTSIDE),
        min: figures.extreme("min")?.map(|(low, _)| low),
        max: figures.extreme("max")?.map(|(_, high)| high),
        mean_ns: figures.mean_ns()?,
        lost,
    })
}
