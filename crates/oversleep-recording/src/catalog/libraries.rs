//! Functions of libraries, and the methods that they stand on.

use super::{MethodId, System};

/// The functions as they are called (and C++'s `this_thread`, both of whose sleeps are one), and the method underneath on
/// Unix and on Windows. Read in the sources of SDL of 2023
/// (`src/timer/unix/SDL_systimer.c`), GCC of 2020 (`libstdc++-v3/src/c++11/thread.cc`), `GLib` (`glib/gtimer.c`), glibc of
/// 2021 (`thrd_sleep.c`: the wall clock) and .NET (`pal/src/synchmgr/synchmanager.cpp`: a wait on a condition variable).
const LIBRARIES: &[(&[&str], MethodId, MethodId)] = &[
    (
        &["SDL_Delay", "SDL_DelayNS", "this_thread", "sleep_for", "sleep_until", "g_usleep"],
        MethodId::Nanosleep,
        MethodId::Sleep,
    ),
    (&["thrd_sleep"], MethodId::ClockNanosleepRealtime, MethodId::Sleep),
    (&["Thread.Sleep"], MethodId::CondClockwait, MethodId::Sleep),
];

impl MethodId {
    /// Returns the method that a library's function stands on, on this system, if the function is known; namespaces
    /// before its name are left out.
    pub fn under_library(function: &str) -> Option<Self> {
        let name = function.rsplit("::").next().unwrap_or(function);
        let (_, unix, windows) = LIBRARIES.iter().find(|(names, ..)| names.contains(&name))?;
        Some(if System::HERE == Some(System::Windows) { *windows } else { *unix })
    }
}
