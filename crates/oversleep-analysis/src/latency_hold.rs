//! What holding `/dev/cpu_dma_latency` open can save.

use oversleep_recording::document::{Finding, Remedy};
use oversleep_recording::machine::Machine;
use oversleep_sys::units::Nanos;

/// Least share of a cost that a remedy has to save at most, to be worth its price.
const WORTH_IT: f64 = 0.1;

/// Returns whether a hold that saves at most this exit latency is worth recommending against a cost in ns.
pub(super) fn is_worth_it(exit: Nanos, cost: f64) -> bool {
    exit.as_f64() >= WORTH_IT * cost
}

/// Returns whether the exit latencies of idle states bound what a hold saves. On a guest they do not: halting hands its processor
/// to the host, whose work to bring it back the exit latency of the guest's idle state leaves out.
pub(super) fn is_bounded(machine: &Machine) -> bool {
    machine.virtualisation.hypervisor.is_none()
}

/// Replaces the remedy of a finding that holds the latency, where somebody held it already when the run began.
pub(super) fn leave_out_if_held(machine: &Machine, finding: &mut Finding) {
    let Some(held) = machine.idle.latency_hold else { return };
    if finding.remedy.iter().any(holds) {
        finding.remedy.retain(|remedy| !holds(remedy) && remedy.command != INSTEAD);
        finding.remedy.insert(0, instead(&already(held)));
    }
}

/// Returns whether a remedy holds the latency.
pub(super) fn holds(remedy: &Remedy) -> bool {
    remedy.command.contains("cpu_dma_latency")
}

/// Returns the remedy that is left where a hold does not help, with the reason why it does not.
pub(super) fn instead(why: &str) -> Remedy {
    Remedy::new("any", INSTEAD, &format!("the processor is then awake already; {why}"))
}

/// Says that a hold was tried without an effect.
pub(super) const DID_NOTHING: &str = "holding the latency did nothing here";
const INSTEAD: &str = "spin the last stretch before the deadline";

/// Says that a latency is held already.
pub(super) fn already(held: Nanos) -> String {
    format!("the latency is held at {held} already, by another program")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::Unit;
    use oversleep_recording::document::evidence::IdleExit;

    #[test]
    fn a_hold_is_not_recommended_where_one_is_held() {
        let remedy = |held: Option<Nanos>| {
            let mut machine = Machine::default();
            machine.idle.latency_hold = held;
            let evidence = IdleExit { shortest_late_ns: 5e3, longest_late_ns: 35e3, idle: None };
            let mut finding = Finding::new(evidence, 30e3, Unit::Nanoseconds);
            leave_out_if_held(&machine, &mut finding);
            let remedy = finding.remedy_on("Linux").cloned().unwrap();
            (remedy.command, remedy.note)
        };
        assert!(remedy(None).0.contains("cpu_dma_latency"));
        let (command, note) = remedy(Some(Nanos::ZERO));
        assert_eq!(command, "spin the last stretch before the deadline");
        assert!(note.ends_with("the latency is held at 0 ns already, by another program"), "{note}");
    }
}
