//! The slack that Linux gives a call's timer, by rule.

use oversleep_recording::catalog::{KernelTimer, MethodId, SlackRule};
use oversleep_recording::plan::Policy;
use oversleep_sys::units::Nanos;

/// Returns the slack of one sleep by the catalogue's rule for its method. `None` for calls without a known rule: the
/// timer wheel, busy waits, rules that changed between kernels. With a real-time policy the slack is zero.
pub fn expected(method: MethodId, requested: Nanos, thread: Nanos, policy: Policy, nice: i32) -> Option<Nanos> {
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
        let of = |method, policy, nice| expected(method, second, Nanos::from_micros(50), policy, nice);
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
        let short = expected(MethodId::Poll, Nanos::MILLISECOND, Nanos::from_micros(50), Policy::Other, 0);
        assert_eq!(short, Some(Nanos::from_micros(50)));
    }
}
