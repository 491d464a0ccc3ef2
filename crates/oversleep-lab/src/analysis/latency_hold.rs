//! What holding `/dev/cpu_dma_latency` open can save.

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
