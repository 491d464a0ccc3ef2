//! Arguments of `every`.

use super::values;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use oversleep::{Nanos, Period};
use std::ffi::OsString;

/// What to do when the command takes longer than the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenLate {
    /// Skip the runs that were missed
    Skip,
    /// Catch up on them, one after the other
    Burst,
    /// Restart the schedule
    Delay,
}

/// What `every` accepts.
#[derive(ClapArgs)]
pub(crate) struct EveryArgs {
    /// The period, such as 1s or 250ms, or an exact frequency, such as 240Hz
    #[arg(value_parser = period)]
    pub(crate) period: Period,
    /// Run when the wall clock shows a multiple of the period; otherwise the first run is now
    #[arg(long)]
    pub(crate) align: bool,
    /// With --align: start this long after each multiple of the period, or before it if negative [default: 0s]
    #[arg(long, value_name = "TIME", requires = "align", allow_hyphen_values = true)]
    pub(crate) offset: Option<Nanos>,
    /// Stop after this many runs
    #[arg(long, short = 'n', value_name = "N", value_parser = values::whole::<u64>(0..))]
    pub(crate) count: Option<u64>,
    /// What to do when the command takes longer than the period: skip the runs that were missed, run them in a burst, or
    /// delay the schedule
    #[arg(long, value_enum, value_name = "HOW", default_value_t = WhenLate::Skip, hide_possible_values = true)]
    pub(crate) missed: WhenLate,
    /// At the end, say how late the ticks came that started the runs
    #[arg(long)]
    pub(crate) jitter_report: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}

fn period(text: &str) -> Result<Period, String> {
    if let Some(rate) = values::frequency(text) {
        return Period::try_from(rate?).map_err(|error| error.to_string());
    }
    let time: Nanos = match text.parse() {
        Ok(time) => time,
        // What is said of the period of a measured schedule holds here too.
        Err(error) => return Err(values::period(text).err().unwrap_or_else(|| error.to_string())),
    };
    Period::try_every(time).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_that_cannot_be_kept_are_refused() {
        assert!(period("0s").is_err());
        assert!(period("-1s").is_err());
        assert!(period("soon").is_err());
        assert!(period("60").unwrap_err().starts_with("'60' has no unit; write 60Hz for"));
        assert!(period("1s").is_ok());
    }
}
