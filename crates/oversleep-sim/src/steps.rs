//! A simulated kernel, one call at a time: for programs that decide themselves when to sleep.

use super::kernel::Kernel;
use super::machine::{Machine, Wake};
use super::scale::Exact;
use super::sched;
use super::sleep::{Call, Path, Slack, sleep};
use super::time::{Ps, ps_from_us};
use oversleep_recording::catalog::{MethodId, MethodRow, Mode};
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;

/// A thread on a simulated kernel that sleeps by one method, call by call.
///
/// ```
/// use oversleep_sim::{Kernel, Steps};
/// use oversleep_recording::catalog::MethodId;
/// use oversleep_sys::units::Nanos;
///
/// let mut steps = Steps::new(&Kernel::preset("freebsd-4.9")?, MethodId::Nanosleep, 1);
/// let asked = Nanos::from_millis(100);
/// let woke = steps.sleep(Nanos::ZERO, asked).expect("it comes back");
/// assert!(woke >= asked + Nanos::from_millis(9)); // a tick more than asked, and the rest of the current one
/// # Ok::<(), oversleep_sim::ParameterError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Steps {
    machine: Machine<Exact>,
    path: Path,
    row: &'static MethodRow,
    slack: Slack,
    busy: u16,
    entry: Ps,
    now: Ps,
    /// Reading of the kernel's clock at the start, whose own origin is that of the wall clock.
    origin_ns: i64,
}

impl Steps {
    /// Returns a thread that sleeps by this method, on an otherwise idle machine.
    pub fn new(kernel: &Kernel, method: MethodId, seed: u64) -> Self {
        let mut machine = Machine::new(kernel.shared(), seed, &[]);
        let (p, row) = (kernel.parameters(), method.row());
        Self {
            path: row.simulated,
            slack: Slack::from_conditions(&Conditions::default(), p.slack_us, p.select_slack_frac),
            entry: ps_from_us(p.call_us) + ps_from_us(p.syscall_us),
            origin_ns: machine.read_ns(0),
            busy: 0,
            now: 0,
            row,
            machine,
        }
    }

    /// Adds this number of busy threads.
    #[must_use]
    pub fn with_busy_threads(self, busy: u16) -> Self {
        Self { busy, ..self }
    }

    /// Returns the kernel's clock when a thread runs again that calls at `now` to sleep until `deadline`, all counted
    /// from 0 at the start. A `now` before the last wake-up counts as that. `None` if the sleep never ends.
    pub fn sleep(&mut self, now: Nanos, deadline: Nanos) -> Option<Nanos> {
        let called = self.machine.when(now.get().saturating_add(self.origin_ns), self.now);
        let left = deadline.saturating_sub(now);
        let deadline_ns = deadline.get().saturating_add(self.origin_ns);
        let call = Call {
            path: self.path,
            request_ns: self.row.rounded(left).get(),
            deadline_ns: (self.row.mode == Mode::Absolute).then_some(deadline_ns),
            slack: self.slack,
        };
        let at = match sleep(&mut self.machine, called.saturating_add(self.entry), &call) {
            Wake::Hangs | Wake::Beyond => return None,
            Wake::Ran { at, .. } => sched::runs_at(&mut self.machine, self.busy, called, at),
            Wake::Fired { at, .. } => {
                sched::runs_at(&mut self.machine, self.busy, called, at) + self.machine.latency(at)
            }
        };
        self.now = at.max(called);
        (!Machine::<Exact>::beyond(at)).then(|| Nanos::new(self.machine.read_ns(self.now) - self.origin_ns))
    }
}
