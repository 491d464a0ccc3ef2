//! How far two clocks are apart.

use crate::Nanos;
use oversleep_sys::clock::narrowest;

/// What `other` reads less what `clock` reads, and `clock` right after: to within half of the time between the two readings
/// of it around that of the other. Of three tries the narrowest: a thread that is stopped in between would tell of a step
/// that never was.
pub(crate) fn apart(clock: impl Fn() -> Nanos, other: impl Fn() -> Nanos) -> (Nanos, Nanos) {
    let once = || {
        let before = clock();
        let reading = other();
        let after = clock();
        let width = after.saturating_sub(before);
        let middle = before.saturating_add(Nanos::new(width.get() / 2));
        (width, reading.saturating_sub(middle), after)
    };
    let (_, offset, after) = narrowest(3, once, |tried| tried.0);
    (offset, after)
}
