//! Two clocks read together.

use crate::clock::Time;
use crate::{Moment, Nanos};
use oversleep_sys::clock::narrowest;

/// A reading of another clock between two of the monotonic clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bracket<T> {
    pub(crate) before: Moment,
    pub(crate) reading: T,
    pub(crate) after: Moment,
}

impl<T> Bracket<T> {
    /// Reads the clocks `tries` times and returns the narrowest reading: one during which the thread was stopped is
    /// wide, and would be wrong by as much.
    pub(crate) fn narrowest(tries: u32, clock: impl Fn() -> Moment, other: impl Fn() -> T) -> Self {
        let once = || Self { before: clock(), reading: other(), after: clock() };
        narrowest(tries, once, |bracket| bracket.after - bracket.before)
    }
}

/// Returns the reading of `other` minus that of `clock`, and the reading of `clock` right after. The difference is
/// accurate to half of the time between the readings of `clock` before and after.
pub(crate) fn clock_offset<C>(clock: impl Fn() -> Moment, other: impl Fn() -> Time<C>) -> (Nanos, Moment) {
    let Bracket { before, reading, after } = Bracket::narrowest(3, clock, other);
    let middle = before + Nanos::new((after - before).get() / 2);
    (reading.as_nanos() - middle.as_nanos(), after)
}
