//! The choice of the best of a system's sleep calls: the first long sleeps compare them.

use super::Machine;
use crate::{Moment, Nanos};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Length of a trial. Not a whole number of milliseconds, which would favour calls that count them.
const TRIAL: Nanos = Nanos::from_micros(1_300);

/// Shortest remaining sleep for a trial: one trial, and the longest lateness due to a system's tick.
const ROOM: Nanos = Nanos::from_millis(20);

/// Number of trials of each call.
const TRIES: usize = 5;

/// A comparison of calls, and its result.
///
/// Trials are made at the beginning of sleeps that were requested anyway, so that nothing takes longer. Sleeps shorter
/// than [`ROOM`] use the first call until longer ones have decided.
pub(crate) struct Choice {
    chosen: OnceLock<usize>,
    /// Latenesses measured, by call.
    tried: Mutex<Vec<Vec<Nanos>>>,
}

impl Choice {
    pub(crate) const fn new() -> Self {
        Self { chosen: OnceLock::new(), tried: Mutex::new(Vec::new()) }
    }

    /// Sleeps until `deadline` with the best of `calls` calls; `sleep(call, deadline)` makes one.
    pub(crate) fn sleep_until(
        &self,
        machine: &impl Machine,
        calls: usize,
        sleep: impl Fn(usize, Moment),
        deadline: Moment,
    ) {
        while calls > 1 && self.chosen.get().is_none() {
            let start = machine.now();
            if deadline.saturating_since(start) < ROOM {
                break;
            }
            let call = self.least_tried(calls);
            let target = start.saturating_add(TRIAL);
            sleep(call, target);
            self.learn(call, machine.now().saturating_since(target));
        }
        sleep(self.chosen().unwrap_or(0), deadline);
    }

    /// Returns the call that was found best, once the comparison is complete.
    pub(crate) fn chosen(&self) -> Option<usize> {
        self.chosen.get().copied()
    }

    fn least_tried(&self, calls: usize) -> usize {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        tried.resize(calls, Vec::new());
        (0..calls).min_by_key(|call| tried[*call].len()).unwrap_or(0)
    }

    fn learn(&self, call: usize, late: Nanos) {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(latenesses) = tried.get_mut(call) else { return };
        latenesses.push(late);
        if tried.iter().all(|latenesses| latenesses.len() >= TRIES) {
            // Another thread may have decided meanwhile, from the same trials.
            let _ = self.chosen.set(best(&mut tried));
            tried.clear();
        }
    }
}

/// Returns the first call, unless the median lateness of another is below three quarters of the best before it.
fn best(tried: &mut [Vec<Nanos>]) -> usize {
    let mut best = 0;
    let mut least = Nanos::MAX;
    for (call, latenesses) in tried.iter_mut().enumerate() {
        latenesses.sort_unstable();
        let median = latenesses[latenesses.len() / 2];
        if call == 0 || median.get() < least.get() / 4 * 3 {
            (best, least) = (call, median);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Simulated;

    /// Sleeps once on a machine with these latenesses of its calls, and returns the machine and the lateness.
    fn slept(choice: &Choice, late: &'static [i64], length: Nanos) -> (Simulated, Nanos) {
        let machine = Simulated::punctual();
        let deadline = machine.now().saturating_add(length);
        let sleep = |call: usize, deadline| {
            machine.set_wake(move |_, deadline| deadline.saturating_add(Nanos::from_micros(late[call])));
            machine.sleep_until(deadline);
        };
        choice.sleep_until(&machine, late.len(), sleep, deadline);
        let woke = machine.now().saturating_since(deadline);
        (machine, woke)
    }

    #[test]
    fn the_least_late_call_is_kept_and_used_at_once() {
        let choice = Choice::new();
        let (machine, late) = slept(&choice, &[900, 60, 300], Nanos::from_millis(100));
        assert_eq!((choice.chosen(), late), (Some(1), Nanos::from_micros(60)));
        assert_eq!(machine.sleeps(), 3 * TRIES as u64 + 1);
        // The choice is made: there are no more trials, however long the sleep.
        let (machine, late) = slept(&choice, &[900, 60, 300], Nanos::SECOND);
        assert_eq!((machine.sleeps(), late), (1, Nanos::from_micros(60)));
    }

    #[test]
    fn a_little_better_is_no_reason_to_leave_the_first() {
        let choice = Choice::new();
        slept(&choice, &[60, 50], Nanos::from_millis(100));
        assert_eq!(choice.chosen(), Some(0));
    }

    #[test]
    fn no_trial_makes_a_sleep_late() {
        let choice = Choice::new();
        for ms in [1, 5, 19, 20, 21, 25, 40] {
            let (_, late) = slept(&choice, &[60, 15_600], Nanos::from_millis(ms));
            assert_eq!(late, Nanos::from_micros(60), "{ms} ms");
        }
        assert_eq!(choice.chosen(), None);
        let short = Choice::new();
        let (machine, _) = slept(&short, &[60, 10], Nanos::from_millis(19));
        assert_eq!((machine.sleeps(), short.chosen()), (1, None), "too short for a trial");
    }

    #[test]
    fn several_sleeps_share_the_trials_and_one_call_needs_none() {
        let choice = Choice::new();
        let sleeps: u64 = (0..12).map(|_| slept(&choice, &[200, 100], Nanos::from_millis(21)).0.sleeps()).sum();
        assert_eq!((choice.chosen(), sleeps), (Some(1), 12 + 2 * TRIES as u64));
        let only = Choice::new();
        assert_eq!(slept(&only, &[200], Nanos::SECOND).0.sleeps(), 1);
    }
}
