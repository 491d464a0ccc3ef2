//! The rows, a file per family. To add a method: one identity, one row, one file in its family's folder under
//! `method/`, one line in that family's list.

/// Declares a family's rows: identifier, name and call; systems; mode, unit, clock and whether it may wake early; the
/// timer, its slack, its simulated sleep path, and where there are any its counterpart, its rank as a substitute and
/// its aliases; the promise; the source.
macro_rules! rows {
    ($family:ident $(
        $id:ident $name:literal $call:literal on $systems:ident;
        $mode:ident $unit:ident $clock:ident early $early:ident;
        timer $timer:ident slack $slack:ident simulated $simulated:ident
            $(counterpart $counterpart:ident)? $(substitute $substitute:literal)? $(also $($alias:literal)+)?;
        $promise:literal
        $source:literal
    )*) => {
        pub(in crate::catalog) const ROWS: &[crate::catalog::MethodRow] = &[
            $(crate::catalog::MethodRow {
                id: crate::catalog::MethodId::$id,
                name: $name,
                call: $call,
                family: crate::catalog::Family::$family,
                systems: crate::catalog::systems::$systems,
                unit: crate::catalog::ArgumentUnit::$unit,
                mode: crate::catalog::Mode::$mode,
                clock: crate::catalog::TimerClock::$clock,
                early: crate::catalog::Early::$early,
                timer: crate::catalog::KernelTimer::$timer,
                slack: crate::catalog::SlackRule::$slack,
                simulated: crate::catalog::SimulatedPath::$simulated,
                counterpart: crate::catalog::rows::optional!($(crate::catalog::MethodId::$counterpart)?),
                substitute: crate::catalog::rows::optional!($($substitute)?),
                aliases: &[$($($alias),+)?],
                promise: $promise,
                source: $source,
            },)*
        ];
    };
}

/// Expands to `Some` of its argument, or to `None` without one.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}
use optional;

pub(super) mod apple;
pub(super) mod illumos;
pub(super) mod kqueue;
pub(super) mod linux;
pub(super) mod portable;
pub(super) mod posix;
pub(super) mod windows;
