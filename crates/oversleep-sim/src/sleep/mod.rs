//! The sleep paths of the kernels.

mod kernels;

pub(crate) use kernels::Slack;
pub(crate) use oversleep_recording::catalog::SimulatedPath as Path;

use super::machine::{Machine, Wake};
use super::scale::Scale;
use super::time::Ps;
use super::vocabulary::{Api, Mechanism, PreciseCalls, ZeroRequest};

/// A call of the kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// Path through the kernel.
    pub(crate) path: Path,
    /// Duration in ns (not used for an absolute sleep).
    pub(crate) request_ns: i64,
    /// Deadline on the clock in ns, for an absolute sleep.
    pub(crate) deadline_ns: Option<i64>,
    /// Slack in force.
    pub(crate) slack: Slack,
}

impl Call {
    /// Returns the clock reading that the call waits for: from `now` plus the duration, unless it is absolute.
    fn target_ns(&self, now: i64) -> i64 {
        self.deadline_ns.unwrap_or_else(|| now.saturating_add(self.request_ns))
    }

    /// Returns the time from `now` to that reading.
    fn left_ns(&self, now: i64) -> i64 {
        self.deadline_ns.map_or(self.request_ns, |deadline| deadline.saturating_sub(now))
    }
}

/// Puts the thread that enters the kernel at `t` to sleep.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let left = match call.deadline_ns {
        Some(deadline) => deadline.saturating_sub(m.read_ns(t)),
        None => call.request_ns,
    };
    if left < 0 || left == 0 && m.p.zero_request == ZeroRequest::Return {
        return Wake::Ran { at: t, resleeps: 0 };
    }
    // The clock runs at least at 0.4 of true time (rates and steering are limited), and the machine lasts 100 days.
    if left > super::time::LIMIT / 1_000 * 4 {
        return Wake::Beyond;
    }
    let wake = match (call.path, m.p.mechanism) {
        (Path::Wheel, Mechanism::Hrtimer | Mechanism::Jiffies) => kernels::wheel(m, t, left),
        (Path::Spin, _) => {
            let now = m.read_ns(t);
            Wake::Ran { at: m.when(call.target_ns(now), t), resleeps: 0 }
        }
        (path, _) if is_precise(m.p.precise_calls, path) => {
            let now = m.read_ns(t);
            Wake::Fired { at: m.when(call.target_ns(now), t), resleeps: 0 }
        }
        (
            Path::Select | Path::Wheel | Path::Wait | Path::Timer | Path::Precise,
            Mechanism::Tick | Mechanism::Systimer,
        ) => kernels::sleep_ticks_once(m, t, left),
        (_, Mechanism::Tick) if m.p.api == Api::Select => kernels::sleep_ticks_once(m, t, left),
        (_, Mechanism::Tick) => kernels::nanosleep(m, t, call),
        (_, Mechanism::Systimer) => kernels::systimer(m, t, call),
        (_, Mechanism::Hrtimer) => kernels::hrtimer(m, t, call),
        (_, Mechanism::Freebsd10) => kernels::freebsd10(m, t, call),
        (_, Mechanism::Jiffies) => kernels::jiffies(m, t, call),
        (_, Mechanism::Nt) => kernels::nt(m, t, call),
        (_, Mechanism::Macos) => kernels::macos(m, t, call),
    };
    match wake {
        Wake::Fired { at, .. } | Wake::Ran { at, .. } if Machine::<S>::beyond(at) => Wake::Beyond,
        wake => wake,
    }
}

/// Returns whether calls on this path end in time on a kernel whose other calls may be late.
fn is_precise(calls: PreciseCalls, path: Path) -> bool {
    match calls {
        PreciseCalls::None => false,
        PreciseCalls::Asked => path == Path::Precise,
        PreciseCalls::Timers => matches!(path, Path::Precise | Path::Timer),
        PreciseCalls::Sleeps => matches!(path, Path::Precise | Path::Timer | Path::Sleep),
    }
}

/// Returns when a timer fires that is due at `due` and may be `slack` late: at the first interrupt of any kind, which
/// come at random, or when the slack is over.
fn coalesced<S: Scale>(m: &mut Machine<S>, due: Ps, slack: Ps) -> Ps {
    let rate = m.p.event_rate_hz;
    if rate <= 0.0 || slack <= 0 {
        return due.saturating_add(slack.max(0));
    }
    #[allow(clippy::cast_possible_truncation)] // saturates
    let event = m.chance.exponential(1e12 / rate) as Ps;
    due.saturating_add(event.min(slack))
}
