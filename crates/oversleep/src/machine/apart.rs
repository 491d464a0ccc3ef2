//! How far two clocks are apart.

use crate::{Moment, Nanos, Time};
use oversleep_sys::clock::narrowest;

/// Returns what `other` reads less what `clock` reads, and `clock` right after: to within half of the time between the
/// two readings of it around that of the other. Of three tries the narrowest: a thread that is stopped in between would
/// tell of a step that never was.
pub(crate) fn apart<C>(clock: impl Fn() -> Moment, other: impl Fn() -> Time<C>) -> (Nanos, Moment) {
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
