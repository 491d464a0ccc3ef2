//! Arguments that say what a live command does about late sleeps.

use super::values;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::session::{LateAction, LateRequest};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;

/// Late sleeps.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Late sleeps")]
pub(crate) struct LateArgs {
    /// Examine sleeps later than this: keep the trace around each and say why it was late
    #[arg(long, value_name = "TIME", value_parser = values::request, allow_hyphen_values = true)]
    pub(crate) on_late: Option<Nanos>,
    /// With --on-late: then `stop` the run, `mark` the sleep in the machine's trace, or `run=COMMAND` with the explanation
    /// in its environment (`OVERSLEEP_LATE_NS`, `OVERSLEEP_EXPLANATION`, `OVERSLEEP_TRACE_FILE`, …); may be repeated
    #[arg(long, value_name = "ACTION", value_parser = action, requires = "on_late", value_hint = ValueHint::Other)]
    pub(crate) then: Vec<LateAction>,
    /// With --on-late: examine the N latest sleeps and only count the others; a sleep is examined at once if it is one of the
    /// N latest so far [default: 10]
    #[arg(long, value_name = "N", requires = "on_late", value_parser = values::whole::<u64>(1..=1_000))]
    pub(crate) late_limit: Option<u64>,
}

/// The evidence for late sleeps, where nothing else is traced.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Late sleeps")]
pub(crate) struct LateTier {
    /// With --on-late: the best evidence to use: events (a few microseconds per sleep), switches, counters or slack
    /// [default: events]
    #[arg(long, value_name = "TIER", value_parser = values::tier(), requires = "on_late", hide_possible_values = true)]
    pub(crate) tier: Option<Tier>,
}

fn action(text: &str) -> Result<LateAction, String> {
    match text.split_once('=') {
        None if text == "mark" => Ok(LateAction::Mark),
        None if text == "stop" => Ok(LateAction::Stop),
        Some(("run", command)) if !command.trim().is_empty() => Ok(LateAction::Run(command.to_owned())),
        _ => Err(format!("'{text}' is not an action; use stop, mark or run=COMMAND")),
    }
}

impl LateArgs {
    /// Returns what to do about late sleeps, with evidence of `tier` at best; `None` without `--on-late`.
    pub(crate) fn request(&self, tier: Option<Tier>) -> Option<LateRequest> {
        let (actions, most) = (self.then.clone(), self.late_limit);
        self.on_late.map(|threshold| LateRequest { threshold, actions, most, tier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read() {
        assert_eq!(action("stop"), Ok(LateAction::Stop));
        assert_eq!(action("mark"), Ok(LateAction::Mark));
        assert_eq!(action("run=echo a=b"), Ok(LateAction::Run("echo a=b".to_owned())));
        for wrong in ["", "run", "run=", "run= ", "halt", "stop=now"] {
            assert!(action(wrong).is_err(), "{wrong}");
        }
    }
}
