//! The difference between two clocks.

use crate::{Moment, Nanos, Time};
use oversleep_sys::clock::narrowest;

/// Returns the reading of `other` minus that of `clock`, and the reading of `clock` right after. The difference is
/// accurate to half of the time between the readings of `clock` before and after. The narrowest of three tries is used,
/// because a thread that is interrupted in between would report a step that did not happen.
pub(crate) fn clock_offset<C>(clock: impl Fn() -> Moment, other: impl Fn() -> Time<C>) -> (Nanos, Moment) {
    let once = || {
        let before = clock();
        let reading = other();
        let after = clock();
        let width = after.saturating_since(before);
        let middle = before.saturating_add(Nanos::new(width.get() / 2));
        (width, reading.as_nanos().saturating_sub(middle.as_nanos()), after)
    };
    let (_, offset, after) = narrowest(3, once, |tried| tried.0);
    (offset, after)
}
