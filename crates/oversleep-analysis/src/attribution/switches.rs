//! Tier two: splits sleeps by the thread's own switch records, the scheduler's count of its waits and the slack's rule.

use super::TimedSleep;
use super::{Breakdown, BreakdownBuilder, PartEvidence, PartKind};
use oversleep_recording::trace::{Direction, OwnSwitch};
use oversleep_sys::units::Nanos;

/// Splits each sleep into slack, not yet running, run queue, preempted and return. `lost`: number of records lost.
pub fn join(own: &[OwnSwitch], lost: u64, sleeps: &[TimedSleep]) -> Vec<Breakdown> {
    sleeps.iter().map(|slept| breakdown(own, lost, slept)).collect()
}

fn breakdown(own: &[OwnSwitch], lost: u64, slept: &TimedSleep) -> Breakdown {
    let mut chain = BreakdownBuilder::new(slept.sequence, slept.due(), slept.end);
    if lost > 0 {
        chain.trouble("switch records were lost".to_owned());
    }
    if let Err(why) = marks(&mut chain, own, slept) {
        chain.trouble(why.to_owned());
        chain.mark(PartKind::Rest, slept.end, None, PartEvidence::Inferred);
    }
    chain.finish()
}

fn marks(chain: &mut BreakdownBuilder, own: &[OwnSwitch], slept: &TimedSleep) -> Result<(), &'static str> {
    if slept.end < slept.due() {
        return Err("woke early");
    }
    let from = own.partition_point(|switch| switch.at < slept.start);
    let mut within = own[from..].iter().take_while(|switch| switch.at <= slept.end);
    // If preempted on the way into the kernel, the thread returns to the processor before it sleeps.
    within.find(|switch| switch.to == Direction::OutWaiting).ok_or("its switch off the processor was not seen")?;
    let on = within.by_ref().find(|switch| switch.to == Direction::In);
    let on = on.ok_or("its switch onto a processor was not seen")?;
    let slack = slept.slack.ok_or("no rule is known for the slack of this call")?;
    if chain.last().saturating_add(slack) > on.at {
        return Err("it ran before its slack was over, so how much was used is unknown");
    }
    chain.part(PartKind::Slack, slack, None, PartEvidence::Known);
    let rest: Vec<_> = within.collect();
    // The count is the sum over all waits of the sleep; with more than one, their shares are unknown.
    let waited = if rest.is_empty() { slept.run_delay().unwrap_or(Nanos::ZERO) } else { Nanos::ZERO };
    let running = on.at.saturating_sub(waited);
    if running < chain.last() {
        return Err("it waited on run queues for longer than since its slack was over");
    }
    chain.mark(PartKind::NotYetRun, running, None, PartEvidence::Inferred);
    chain.mark(PartKind::RunQueue, on.at, Some(on.cpu), PartEvidence::SchedStat);
    until_end(chain, &rest, on.cpu, slept.end)
}

fn until_end(chain: &mut BreakdownBuilder, rest: &[&OwnSwitch], cpu: u16, end: Nanos) -> Result<(), &'static str> {
    let mut cpu = cpu;
    for switch in rest {
        match switch.to {
            Direction::In => chain.mark(PartKind::Preempted, switch.at, Some(switch.cpu), PartEvidence::SwitchRecord),
            Direction::OutPreempted => chain.mark(PartKind::Return, switch.at, Some(cpu), PartEvidence::SwitchRecord),
            Direction::OutWaiting => return Err("it waited again before it returned"),
        };
        cpu = switch.cpu;
    }
    chain.mark(PartKind::Return, end, Some(cpu), PartEvidence::SwitchRecord);
    Ok(())
}
