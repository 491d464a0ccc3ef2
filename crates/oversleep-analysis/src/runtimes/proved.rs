//! The rule for requests that a trace of system calls proves.

use super::rules::RequestRule;
use oversleep_recording::document::runtimes::{KernelRequest, RequestChange};
use oversleep_sys::units::Nanos;

/// The unit of the rules that [`RequestChange`] names, in ns.
const UNIT: f64 = 1e6;

/// Returns the rule that changed these requests on their way to the kernel; `None` if they show none, or several.
///
/// A request below the unit that became the unit shows too little: it was rounded up, or raised to a least request.
pub(super) fn proved(told: &[KernelRequest]) -> Option<RequestRule> {
    let ruled: Vec<(Nanos, RequestChange)> = told.iter().filter_map(|one| Some((one.requested, one.rule?))).collect();
    if ruled.iter().any(|(_, rule)| matches!(rule, RequestChange::Longer | RequestChange::Shorter)) {
        return None;
    }
    let any = |wanted: RequestChange, long: bool| {
        ruled.iter().any(|(requested, rule)| *rule == wanted && (*requested >= Nanos::MILLISECOND) == long)
    };
    // A request of a fraction that was passed on as asked contradicts either rule.
    let whole = |requested: Nanos| requested.get() % Nanos::MILLISECOND.get() == 0;
    if ruled.iter().any(|(requested, rule)| *rule == RequestChange::AsAsked && !whole(*requested)) {
        return None;
    }
    match (any(RequestChange::RoundedUp, true), any(RequestChange::Truncated, true)) {
        (true, false) => Some(RequestRule::RoundedUp(UNIT)),
        (false, true) if any(RequestChange::RoundedUp, false) => Some(RequestRule::TruncatedAtLeast(UNIT)),
        (false, true) => Some(RequestRule::Truncated(UNIT)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(micros: i64, rule: Option<RequestChange>) -> KernelRequest {
        let requested = Nanos::from_micros(micros);
        let (call, told) = (Some("epoll_wait".to_owned()), vec![requested]);
        let (sleeps, agreeing, own) = (20, 20, 20);
        KernelRequest { requested, call, told, exact: true, rule, sleeps, agreeing, own, shared: 0, by_others: 0 }
    }

    #[test]
    fn a_rule_is_proved_by_requests_of_more_than_a_unit_that_agree() {
        use RequestChange::{AsAsked, Longer, RoundedUp, Truncated};
        let of = |all: &[(i64, RequestChange)]| {
            proved(&all.iter().map(|(us, rule)| told(*us, Some(*rule))).collect::<Vec<_>>())
        };
        assert_eq!(of(&[(1_000, AsAsked), (1_500, Truncated)]), Some(RequestRule::Truncated(1e6)));
        assert_eq!(of(&[(100, RoundedUp), (1_500, Truncated)]), Some(RequestRule::TruncatedAtLeast(1e6)));
        assert_eq!(of(&[(100, RoundedUp), (1_500, RoundedUp), (10_000, AsAsked)]), Some(RequestRule::RoundedUp(1e6)));
        assert_eq!(of(&[(100, RoundedUp), (10_000, AsAsked)]), None, "a least request would do the same");
        assert_eq!(of(&[(1_200, AsAsked), (1_500, RoundedUp)]), None);
        assert_eq!(of(&[(1_200, RoundedUp), (1_500, Truncated)]), None);
        assert_eq!(of(&[(1_200, RoundedUp), (2_000, Longer)]), None);
        assert_eq!(proved(&[told(1_500, None)]), None);
        assert_eq!(proved(&[]), None);
    }
}
