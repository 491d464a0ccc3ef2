//! A time to wake at in place of a duration, or the reverse.

use super::{Here, Intervention, by};
use crate::plan::Cell;

pub(super) const ROW: Intervention = Intervention {
    name: "absolute",
    tells: "what lies between reading the clock and the kernel's start of the sleep: a duration counts from the \
            latter, a deadline does not move",
    variants,
};

/// Calls of the same kernel timer: with a duration, with a deadline.
const PAIRS: &[(&str, &str)] = &[
    ("nanosleep", "clock-nanosleep-abs"),
    ("clock-nanosleep", "clock-nanosleep-abs"),
    ("clock-nanosleep-boottime", "clock-nanosleep-abs-boottime"),
    ("clock-nanosleep-tai", "clock-nanosleep-abs-tai"),
    ("timerfd", "timerfd-abs"),
];

fn variants(base: &Cell, here: &Here) -> Vec<Cell> {
    counterpart(&base.method).and_then(|other| by(base, other, here)).into_iter().collect()
}

/// The call that differs in that alone.
pub(super) fn counterpart(method: &str) -> Option<&'static str> {
    let forth = PAIRS.iter().find(|(relative, _)| *relative == method).map(|(_, absolute)| *absolute);
    // The last pair: clock_nanosleep is its own counterpart's, nanosleep only borrows it.
    forth.or_else(|| PAIRS.iter().rev().find(|(_, absolute)| *absolute == method).map(|(relative, _)| *relative))
}
