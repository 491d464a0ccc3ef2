//! Linux's high-resolution timers.

use super::super::law::share::estimated;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};
use super::{Call, Path, coalesced};
use oversleep_recording::plan::{Conditions, Policy};

/// The slack of a timer: how late it may fire.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slack {
    constant: Ps,
    share: f64,
}

impl Slack {
    /// Returns the slack of a thread under these conditions: none for real-time threads; `PR_SET_TIMERSLACK` replaces
    /// the constant part; a thread with positive niceness has five times the share (fs/select.c: 0.5 % instead of 0.1
    /// %).
    pub(crate) fn from_conditions(conditions: &Conditions, slack_us: f64, share: f64) -> Self {
        if matches!(conditions.policy, Some(Policy::Fifo { .. } | Policy::Rr { .. } | Policy::Deadline { .. })) {
            return Self { constant: 0, share: 0.0 };
        }
        let constant = match conditions.timer_slack {
            // 0 restores the default, according to prctl(2).
            Some(slack) if slack.get() > 0 => slack.get().saturating_mul(1_000),
            _ => ps_from_us(slack_us),
        };
        let nice = conditions.nice.is_some_and(|nice| nice > 0);
        Self { constant, share: if nice { share * 5.0 } else { share } }
    }
}

/// Fires after the slack; on an idle machine, at its end. For `select` and similar calls the slack is the larger of the
/// constant and the share of the duration, limited (kernel/time/hrtimer.c, fs/select.c); timers have none.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let target = call.target_ns(now);
    let due = m.when(target, t);
    let slack = match call.path {
        Path::Select => {
            let left_us = (target - now) as f64 / 1e3;
            let (share, cap) = (ps_from_us(left_us * call.slack.share), ps_from_us(m.p.select_slack_cap_us));
            estimated(share, call.slack.constant, cap)
        }
        Path::Timer | Path::Precise => 0,
        _ => call.slack.constant,
    };
    Wake::Fired { at: coalesced(m, due, slack), resleeps: 0 }
}
