//! Fields that the evidence of several causes has in common.

use oversleep_lab::analysis::patterns::Finding;
use oversleep_recording::document::Evidence;
use oversleep_recording::document::evidence::Rounding;

/// Returns the tick's rate, in Hz, of causes that have one; the inner `None` means that the rate is open.
#[allow(clippy::option_option)] // no rate to have, and a rate that is open, are different answers
pub(crate) fn hz(finding: &Finding) -> Option<Option<f64>> {
    match &finding.evidence {
        Evidence::TickQuantised(tick) => Some(*tick.hz),
        Evidence::TimerWheel(wheel) => Some(*wheel.hz),
        Evidence::CachedClock(clock) => Some(Some(clock.hz)),
        _ => None,
    }
}

/// Returns the name of the rounding rule, if there is one.
pub(crate) fn rounding(finding: &Finding) -> Option<&'static str> {
    match &finding.evidence {
        Evidence::TickQuantised(tick) => tick.rounding.map(Rounding::name),
        Evidence::TimerWheel(wheel) => wheel.rounding.map(Rounding::name),
        _ => None,
    }
}
