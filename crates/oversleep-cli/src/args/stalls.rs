//! Arguments of `stalls`.

use super::{KeepArgs, OutputArgs, OverArgs, values};
use clap::Args as ClapArgs;
use oversleep_recording::plan::Policy;
use oversleep_sys::units::Nanos;

/// What `stalls` accepts.
#[derive(ClapArgs)]
pub(crate) struct StallsArgs {
    /// Processors to watch, such as 1 or 1-3, never all of them [default: all but the first]
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<values::Cpus>,
    /// How long to watch, pauses included
    #[arg(long, short, default_value = "10s", value_parser = values::duration, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Nanos,
    /// Share of the time for which a watched processor is kept busy; the rest is left to others [default: 50%]
    #[arg(long, value_parser = share, value_name = "PERCENT", allow_hyphen_values = true)]
    pub(crate) share: Option<f64>,
    /// The period in which a processor is kept busy for that share and then left idle [default: 1s; in real time 100ms]
    #[arg(long, short, value_parser = period, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) interval: Option<Nanos>,
    /// Clock readings further apart than this are a stall [default: 1 µs more than their usual distance]
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) threshold: Option<Nanos>,
    /// Scheduling policy of the watching threads, such as 1 or fifo:1; real time is limited to a share of 90% and an
    /// interval of 1s
    #[arg(long, short, value_name = "POLICY", value_parser = values::policy_here)]
    pub(crate) policy: Option<Policy>,
    /// Record no kernel events: only counters say what took the processor
    #[arg(long)]
    pub(crate) no_trace: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Parses a share: `50%` or `0.5`.
fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a share; write 50% or 0.5");
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map_err(|_| wrong())? / 100.0,
        None => text.parse::<f64>().map_err(|_| wrong())?,
    };
    if share > 0.0 && share <= 1.0 { Ok(share) } else { Err("a share must be above 0% and at most 100%".to_owned()) }
}

/// Parses an interval of 1 ms to 10 s: long enough to spin in, short enough to handle Ctrl-C and to save samples often.
fn period(text: &str) -> Result<Nanos, String> {
    let period = values::period(text)?;
    if (Nanos::MILLISECOND..=Nanos::from_secs(10)).contains(&period) {
        Ok(period)
    } else {
        Err("an interval must be 1ms to 10s (1kHz to 0.1Hz)".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        assert_eq!(share("50%"), Ok(0.5));
        assert_eq!(share("0.25"), Ok(0.25));
        assert_eq!(share("100%"), Ok(1.0));
        for wrong in ["", "%", "0", "0%", "-5%", "101%", "1.5", "NaN", "half"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
