//! LTP's timer tests (`-f`): a value in microseconds on each line, the largest first.

use super::values::Values;
use super::whole::{Builder, at_line, refused, text};
use super::{ImportError, ImportOptions, Importer, Records};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Loss, Quantity};
use std::io::BufRead;

/// Reads them.
pub(super) struct LtpTimers;

const FORMAT: &str = "ltp-timers";

const CONVENTION: &str = "LTP: how long a sleep took, in whole microseconds, sorted; take what was asked for away";

impl Importer for LtpTimers {
    fn name(&self) -> &'static str {
        FORMAT
    }

    /// Takes lines that are numbers alone, each at most the one before.
    fn sniff(&self, start: &[u8]) -> bool {
        let whole = start.iter().rposition(|byte| *byte == b'\n').map_or(start, |end| &start[..end]);
        let Ok(lines) = std::str::from_utf8(whole) else { return false };
        let values: Option<Vec<u32>> = lines.lines().map(|line| line.trim().parse().ok()).collect();
        values.is_some_and(|values| values.len() >= 3 && values.windows(2).all(|two| two[0] >= two[1]))
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let text = text(name, FORMAT, input)?;
        let mut values = Values::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = || at_line(name, FORMAT, (at, line), "a whole number of microseconds");
            let value: u32 = line.trim().parse().map_err(|_| wrong())?;
            if !values.add(value.into()) {
                return Err(refused(name, FORMAT, format!("line {}: more different values than are kept", at + 1)));
            }
        }
        let mut builder = Builder::new(name, FORMAT, CONVENTION);
        let cell = builder.cell("LTP timer test", None, Conditions::default());
        let lost = vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions];
        let nothing = || refused(name, FORMAT, "it has no value".to_owned());
        let distribution = values.distribution(cell, Quantity::RunTime, 1_000, lost);
        builder.distribution(distribution.ok_or_else(nothing)?);
        Ok(Box::new(builder.finish().ok_or_else(nothing)?))
    }
}
