//! What rules the lateness of a group of sleeps.

use super::steady::Steady;
use super::tick::Tick;

/// What rules the lateness of one group.
#[derive(Debug, Clone, PartialEq)]
pub enum LatenessRule {
    /// Too few sleeps to say.
    Few,
    /// Busy threads: index into [`super::Features::queues`].
    Queue(usize),
    /// Busy threads whose quanta do not show: known by long yields, or by sleeps without them.
    Waits,
    /// The tick.
    Tick(Tick),
    /// A lateness that does not change from sleep to sleep, or only with the request.
    Steady(Steady),
    /// None of these.
    Unclear,
}
