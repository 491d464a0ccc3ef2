//! The rows. To add a method: one row here, one file in its family's folder, one line in that family's list.

use super::words::{Early, Family, Mode, Row, System, TimerClock, Unit};

/// Declares the identities and their rows in one go, so that neither can be without the other.
macro_rules! catalogue {
    ($(
        $id:ident $name:literal $call:literal
        $family:ident on $systems:expr;
        $mode:ident $unit:ident $clock:ident early $early:ident;
        $promise:literal
        $source:literal
    )*) => {
        /// A sleep primitive. The order is the catalogue's.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MethodId {
            $(#[doc = concat!("`", $name, "`: ", $call)] $id,)*
        }

        /// Every row, in the order of [`MethodId`].
        pub static ROWS: &[Row] = &[
            $(Row {
                id: MethodId::$id,
                name: $name,
                call: $call,
                family: Family::$family,
                systems: $systems,
                unit: Unit::$unit,
                mode: Mode::$mode,
                clock: TimerClock::$clock,
                early: Early::$early,
                promise: $promise,
                source: $source,
            },)*
        ];
    };
}

const EVERYWHERE: &[System] = System::ALL;
const UNIX: &[System] = &[
    System::Linux,
    System::MacOs,
    System::FreeBsd,
    System::NetBsd,
    System::OpenBsd,
    System::DragonFly,
    System::Illumos,
];
/// macOS and OpenBSD have no `clock_nanosleep`.
const CLOCK_NANOSLEEP: &[System] =
    &[System::Linux, System::FreeBsd, System::NetBsd, System::DragonFly, System::Illumos];

catalogue! {
    Nanosleep "nanosleep" "nanosleep(2)"
        Posix on UNIX;
        Relative Nanosecond Monotonic early Never;
        "Suspends the thread for at least the requested time, rounded up to the timer's resolution; POSIX names the realtime clock but setting it has no effect on the wait."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/nanosleep.html"
    ClockNanosleepAbs "clock-nanosleep-abs" "clock_nanosleep(2) with CLOCK_MONOTONIC, TIMER_ABSTIME"
        Posix on CLOCK_NANOSLEEP;
        Absolute Nanosecond Monotonic early Never;
        "Suspends the thread until the clock reads the requested time or later."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_nanosleep.html"
    Spin "spin" "reads the clock until the time is over"
        Portable on EVERYWHERE;
        Absolute Nanosecond Monotonic early Never;
        "No system is asked: the floor that every sleep stands on, at the price of a whole processor."
        "https://doc.rust-lang.org/std/hint/fn.spin_loop.html"
}
