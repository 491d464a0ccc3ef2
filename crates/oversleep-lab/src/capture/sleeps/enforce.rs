//! Applies conditions to the calling thread.

use oversleep_os::settings::{Guard, affinity, multimedia, nice, policy, qos, timer_slack};
use oversleep_recording::plan::{Conditions, Policy, Qos};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

/// Conditions in force on this thread, until dropped.
///
/// Fields are dropped in this order: the policy first, because a thread under `SCHED_DEADLINE` may change nothing else
/// about itself.
pub(in crate::capture) struct Enforced {
    _policy: Option<Hold>,
    multimedia: Option<Guard<String>>,
    _qos: Option<Guard<Qos>>,
    _nice: Option<Guard<i32>>,
    _timer_slack: Option<Guard<Nanos>>,
    _affinity: Option<Guard<Vec<u32>>>,
    refused: Vec<(String, Refusal)>,
}

/// A policy that is restored, or one that ends with its thread.
enum Hold {
    Until { _dropped: Guard<Policy> },
    Life,
}

impl Enforced {
    /// Applies the conditions that are available; [`Enforced::refused`] lists the rest.
    pub(in crate::capture) fn apply(asked: &Conditions, thread: u16) -> Self {
        Self::with(asked, thread, |asked| policy::apply(asked).map(|guard| Hold::Until { _dropped: guard }))
    }

    /// Applies the conditions on a thread that ends with them, and therefore need not be able to leave them.
    pub(in crate::capture) fn for_life(asked: &Conditions, thread: u16) -> Self {
        Self::with(asked, thread, |asked| policy::enter(asked).map(|_| Hold::Life))
    }

    fn with(asked: &Conditions, thread: u16, enter: impl FnOnce(Policy) -> Result<Hold, Refusal>) -> Self {
        let mut refused = Vec::new();
        let cpus = asked.affinity.as_ref().map(|cpus| share(cpus, asked.one_cpu_each == Some(true), thread));
        let affinity = attempt("affinity", cpus, &mut refused, |cpus| affinity::apply(&cpus));
        let timer_slack = attempt("timer slack", asked.timer_slack, &mut refused, timer_slack::apply);
        let nice = attempt("nice", asked.nice, &mut refused, nice::apply);
        let qos = attempt("qos", asked.qos, &mut refused, qos::apply);
        let task = asked.multimedia_task.as_deref();
        let multimedia = attempt("multimedia task", task, &mut refused, multimedia::apply);
        let policy = attempt("policy", asked.policy, &mut refused, enter);
        Self {
            _policy: policy,
            multimedia,
            _qos: qos,
            _nice: nice,
            _timer_slack: timer_slack,
            _affinity: affinity,
            refused,
        }
    }

    /// Returns the conditions in force on the calling thread, read back from the system.
    pub(in crate::capture) fn read_back(&self) -> Conditions {
        Conditions {
            policy: policy::read().ok(),
            nice: nice::read().ok(),
            affinity: affinity::read().ok(),
            timer_slack: timer_slack::read().ok(),
            multimedia_task: self.multimedia.as_ref().map(Guard::obtained),
            qos: qos::read().ok(),
            ..Conditions::default()
        }
    }

    /// Returns the conditions that were refused, with reasons.
    pub(in crate::capture) fn refused(&self) -> &[(String, Refusal)] {
        &self.refused
    }
}

/// Returns all of the processors, or only this thread's own.
fn share(cpus: &[u32], one_each: bool, thread: u16) -> Vec<u32> {
    if !one_each || cpus.is_empty() {
        return cpus.to_vec();
    }
    vec![cpus[usize::from(thread) % cpus.len()]]
}

fn attempt<A, G>(
    what: &str,
    asked: Option<A>,
    refused: &mut Vec<(String, Refusal)>,
    apply: impl FnOnce(A) -> Result<G, Refusal>,
) -> Option<G> {
    match apply(asked?) {
        Ok(guard) => Some(guard),
        Err(refusal) => {
            refused.push((what.to_owned(), refusal));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_shared_or_dealt_out_in_turn() {
        assert_eq!(share(&[3, 5], false, 1), [3, 5]);
        assert_eq!((0..4).map(|thread| share(&[3, 5], true, thread)).collect::<Vec<_>>(), [[3], [5], [3], [5]]);
        assert_eq!(share(&[], true, 1), [0_u32; 0]);
    }
}
