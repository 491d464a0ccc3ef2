//! Output of LTP's timer tests (`-f`): one value in microseconds per line, the largest first.

use super::line_reader::{Line, LineFault, by_value};
use super::values::{LONG, MANY, Values};
use super::whole_file::{Builder, refused, whole_lines};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Loss, Quantity};

/// Reads such output.
pub(super) const LTP_TIMERS: Importer = Importer::new(FORMAT, sniff, read);

const FORMAT: &str = "ltp-timers";

const CONVENTION: &str = "LTP: how long a sleep took, in whole microseconds, sorted; take what was asked for away";

/// Accepts lines that are whole numbers, the first three in descending order.
fn sniff(start: &[u8]) -> bool {
    let Some(lines) = whole_lines(start) else { return false };
    let values: Option<Vec<u32>> = lines.map(|line| line.trim().parse().ok()).collect();
    values.is_some_and(|values| values.len() >= 3 && values[..3].is_sorted_by(|a, b| a >= b))
}

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let (mut values, mut kept, mut before) = (Values::default(), 0, u32::MAX);
    let contents = by_value(name, FORMAT, input, |line| {
        if line.trim().is_empty() {
            return Ok(Line::Other);
        }
        let time: u32 = line.trim().parse().map_err(|_| "a whole number of microseconds")?;
        if time > before {
            return Err(
                "a value that is not above the one before (each test is sorted and needs a file of its own)".into()
            );
        }
        before = time;
        if values.add(time.into(), &mut kept) { Ok(Line::Value) } else { Err(LineFault::TooMuch(MANY)) }
    })?;
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents(contents);
    let cell = builder.cell("LTP timer test", None, Conditions::default());
    let lost = vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions];
    let distribution = values.distribution(cell, Quantity::RunTime, 1_000, lost);
    builder.distribution(distribution.ok_or_else(|| refused(name, FORMAT, LONG.to_owned()))?);
    builder.finish("it has no value")
}
