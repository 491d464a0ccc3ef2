//! Tiers three and four: splits sleeps by what the scheduler counted, and by the rule for slack.

use super::{Breakdown, BreakdownBuilder, Owner, PartEvidence, PartKind, TimedSleep};
use oversleep_recording::catalog::{KernelTimer, MethodId, SlackRule};
use oversleep_recording::plan::Policy;
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

/// Returns the slack of one sleep by the catalogue's rule for its method. `None` for calls without a known rule: the
/// timer wheel, busy waits, rules that changed between kernels. With a real-time policy the slack is zero.
pub fn expected_slack(method: MethodId, requested: Nanos, thread: Nanos, policy: Policy, nice: i32) -> Option<Nanos> {
    let row = method.row();
    match (row.timer, row.slack) {
        (KernelTimer::Wheel | KernelTimer::None, _) | (_, SlackRule::Varies) => None,
        (_, SlackRule::None) => Some(Nanos::ZERO),
        _ if policy.is_real_time() => Some(Nanos::ZERO),
        (_, SlackRule::Share) => {
            let share = if nice > 0 { 200 } else { 1_000 };
            let estimate = Nanos::new(requested.get() / share).min(Nanos::from_millis(100));
            Some(estimate.max(thread))
        }
        (_, SlackRule::Thread) => Some(thread),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_of_slack() {
        let second = Nanos::SECOND;
        let of = |method, policy, nice| expected_slack(method, second, Nanos::from_micros(50), policy, nice);
        let fifo = Policy::Fifo { priority: 1 };
        assert_eq!(of(MethodId::Nanosleep, Policy::Other, 0), Some(Nanos::from_micros(50)));
        assert_eq!(of(MethodId::Select, Policy::Other, 0), Some(Nanos::MILLISECOND));
        assert_eq!(of(MethodId::Select, Policy::Other, 5), Some(Nanos::from_millis(5)));
        assert_eq!(of(MethodId::Select, fifo, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Nanosleep, fifo, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Timerfd, Policy::Other, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::MqTimedreceive, Policy::Other, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Rcvtimeo, Policy::Other, 0), None);
        assert_eq!(of(MethodId::Semtimedop, Policy::Other, 0), None);
        let short = expected_slack(MethodId::Poll, Nanos::MILLISECOND, Nanos::from_micros(50), Policy::Other, 0);
        assert_eq!(short, Some(Nanos::from_micros(50)));
    }
}
