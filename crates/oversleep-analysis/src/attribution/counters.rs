//! Tiers three and four: splits sleeps by what the scheduler counted, and by the rule for slack.

use super::TimedSleep;
use super::{Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind};
use oversleep_sys::units::Nanos;

/// Splits each sleep into slack, run queue (if it was counted) and a rest.
pub fn join(sleeps: &[TimedSleep]) -> Vec<Breakdown> {
    sleeps.iter().map(breakdown).collect()
}

fn breakdown(slept: &TimedSleep) -> Breakdown {
    let mut chain = BreakdownBuilder::new(slept.sequence, slept.due(), slept.end);
    if let Err(why) = marks(&mut chain, slept) {
        chain.trouble(why.to_owned());
        chain.mark(PartKind::Rest, slept.end, None, PartEvidence::Inferred);
    }
    chain.finish()
}

fn marks(chain: &mut BreakdownBuilder, slept: &TimedSleep) -> Result<(), &'static str> {
    if slept.end < slept.due() {
        return Err("woke early");
    }
    let slack = slept.slack.ok_or("no rule is known for the slack of this call")?;
    let late = slept.end.saturating_sub(slept.due());
    if slack > late {
        return Err("it ran before its slack was over, so how much was used is unknown");
    }
    chain.part(PartKind::Slack, slack, None, PartEvidence::Known);
    let waited = slept.run_delay().unwrap_or(Nanos::ZERO);
    if waited > late - slack {
        return Err("it waited on run queues for longer than since its slack was over");
    }
    let owners = chain.part(PartKind::RunQueue, waited, None, PartEvidence::SchedStat);
    let throttled = slept.throttled();
    if throttled > Nanos::ZERO && throttled.get() >= waited.get() / 2 {
        owners.push((Owner::Throttled, throttled.min(waited)));
    }
    chain.mark(PartKind::Rest, slept.end, None, PartEvidence::Inferred);
    Ok(())
}
