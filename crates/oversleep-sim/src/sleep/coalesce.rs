//! macOS: deadline timers that may be late by a share of the duration.

use super::super::law::share;
use super::super::machine::{Machine, Wake};
use super::super::scale::Scale;
use super::super::time::ps_from_us;
use super::{Call, coalesced};
use crate::time::Ps;

/// Sleeps with XNU's timer coalescing: a leeway of duration >> `slack_shift` (a negative shift multiplies), at least
/// `slack_us`, at most `slack_cap_us`. Real-time threads have none: `slack_cap_us = 0`.
pub(crate) fn sleep<S: Scale>(m: &mut Machine<S>, t: Ps, call: &Call) -> Wake {
    let now = m.read_ns(t);
    let left = call.left_ns(now);
    let due = m.when(call.target_ns(now), t);
    let shift = m.p.slack_shift;
    let wanted = if shift >= 0 { left >> shift.min(62) } else { left.saturating_mul(1 << (-shift).min(16)) };
    let slack: Ps =
        share::coalesced(wanted.saturating_mul(1_000), ps_from_us(m.p.slack_us), ps_from_us(m.p.slack_cap_us));
    Wake::Fired { at: coalesced(m, due, slack), resleeps: 0 }
}
