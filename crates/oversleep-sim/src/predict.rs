//! Predictions of single sleeps on a simulated kernel: when a sleep with a given start and request would end.

use super::kernel::Kernel;
use super::machine::{Machine, Wake};
use super::scale::Exact;
use super::sched;
use super::sleep::{Call, Slack, sleep};
use super::time::{LIMIT, ps_from_us};
use oversleep_recording::catalog::SimulatedPath;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;

/// A sleep to be predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SleepToPredict {
    /// Reading of the kernel's clock at the start, from 0 (with `wall_start_s = 0`, the time since the machine began).
    pub start: Nanos,
    /// Requested duration from then on.
    pub requested: Nanos,
    /// Whether the request is passed as a time on the clock: entering the kernel late does then not make the sleep
    /// later.
    pub absolute: bool,
    /// Number of busy threads beside it.
    pub busy: u16,
}

/// A kernel that predicts one sleep after another. Each is independent of the previous ones.
#[derive(Debug, Clone)]
pub struct Predictor {
    machine: Machine<Exact>,
    path: SimulatedPath,
}

impl Predictor {
    /// Returns a prediction for sleeps that take this path through the kernel. Slack is the kernel's default, whatever
    /// the thread may have set.
    pub fn new(kernel: &Kernel, path: SimulatedPath) -> Self {
        Self { machine: Machine::new(kernel.shared(), 0, &[]), path }
    }

    /// Returns the clock's reading at the end of the sleep; `None` if it never ends.
    pub fn wake(&mut self, asked: &SleepToPredict) -> Option<Nanos> {
        // Simulated machines live for 100 days.
        if !(0..LIMIT / 1_000).contains(&asked.start.get()) {
            return None;
        }
        let machine = &mut self.machine;
        let left = machine.when(asked.start.get(), 0);
        let entered = left + ps_from_us(machine.p.call_us) + ps_from_us(machine.p.syscall_us);
        if self.path == SimulatedPath::Yield {
            let at = sched::yielded(machine, asked.busy, entered);
            return Some(Nanos::new(machine.read_ns(at)));
        }
        let call = Call {
            path: self.path,
            request_ns: asked.requested.get(),
            deadline_ns: asked.absolute.then(|| asked.start.saturating_add(asked.requested).get()),
            slack: Slack::from_conditions(&Conditions::default(), machine.p.slack_us, machine.p.select_slack_frac),
        };
        let at = match sleep(machine, entered, &call) {
            Wake::Hangs | Wake::Beyond => return None,
            Wake::Ran { at, .. } => sched::runs_at(machine, asked.busy, left, at),
            Wake::Fired { at, .. } => {
                let runs = sched::runs_at(machine, asked.busy, left, at);
                runs.saturating_add(machine.latency(at))
            }
        };
        (!Machine::<Exact>::beyond(at)).then(|| Nanos::new(machine.read_ns(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mechanism, Parameters, TickSource};

    fn kernel() -> Kernel {
        let parameters = Parameters {
            mechanism: Mechanism::Jiffies,
            source: TickSource::Exact,
            hz: 250,
            tick_phase: 0.0,
            wall_start_s: 0.0,
            read_unit_ns: 1,
            lat_base_us: 10.0,
            lat_exp_us: 0.0,
            syscall_us: 0.0,
            call_us: 0.0,
            ..Parameters::default()
        };
        Kernel::new("test", parameters).unwrap()
    }

    fn to_predict(start: i64, requested: i64) -> SleepToPredict {
        let (start, requested) = (Nanos::from_micros(start), Nanos::from_micros(requested));
        SleepToPredict { start, requested, absolute: false, busy: 0 }
    }

    #[test]
    fn each_sleep_is_taken_by_itself() {
        let mut kernel = Predictor::new(&kernel(), SimulatedPath::Sleep);
        // A later start first: the order does not matter.
        assert_eq!(kernel.wake(&to_predict(9_000, 1_000)), Some(Nanos::from_micros(12_010)));
        assert_eq!(kernel.wake(&to_predict(1_000, 1_000)), Some(Nanos::from_micros(4_010)));
        assert_eq!(kernel.wake(&to_predict(1_000, 3_500)), Some(Nanos::from_micros(8_010)));
        // The time at which the clock shows a given reading is accurate to one count.
        let at_once = kernel.wake(&to_predict(1_000, 0)).unwrap() - Nanos::from_micros(1_000);
        assert!((0..=1).contains(&at_once.get()), "{at_once}");
    }

    #[test]
    fn a_sleep_beyond_the_machines_life_has_no_end() {
        let mut kernel = Predictor::new(&kernel(), SimulatedPath::Sleep);
        assert_eq!(kernel.wake(&to_predict(0, i64::MAX / 1_000)), None);
        assert_eq!(kernel.wake(&to_predict(i64::MAX / 1_000, 1_000)), None);
        assert_eq!(kernel.wake(&to_predict(-1, 1_000)), None);
    }
}
