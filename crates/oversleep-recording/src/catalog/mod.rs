//! Every sleep primitive and every clock of every system, as plain data.
//!
//! The catalogue is the same on all platforms, so that a recording made on one opens on another; the code that
//! waits (`oversleep-os`) exists only where the system has the call. A test checks that the two agree.

mod calls;
mod clock_row;
mod clock_rows;
mod id;
mod row;
mod rows;
mod system;
mod systems;
mod table;

pub(crate) use calls::{BROWSERS, runtime_in, version_beside};
pub use calls::{CallBehaviour, CallRow, CallRule, CallTrait, KernelWait, call};
pub use clock_row::{Backwards, ClockQuantity, ClockRow, Steered, Suspend};
pub use clock_rows::{CLOCKS, ClockId};
pub use id::MethodId;
pub use oversleep_sys::clock::TimerClock;
pub use row::{ArgumentUnit, Early, Family, KernelTimer, MethodRow, Mode, SimulatedPath, SlackRule};
pub use system::System;
pub use table::ROWS;

impl MethodId {
    /// Returns this method's row.
    pub fn row(self) -> &'static MethodRow {
        &ROWS[self as usize]
    }

    /// Returns the name used on the command line and in files, such as `clock-nanosleep-abs`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the method with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.id)
    }

    /// Returns the method that a file calls `name`, which may be an alias used by another tool.
    pub fn recognise(name: &str) -> Option<Self> {
        Self::from_name(name).or_else(|| ROWS.iter().find(|row| row.aliases.contains(&name)).map(|row| row.id))
    }

    /// Returns the methods that an intervention may try in place of another one, in order: on Linux a timer without
    /// slack, one with its own slack rule, the bare futex; elsewhere those that the system has.
    pub fn substitutes() -> impl Iterator<Item = Self> {
        let mut ranked: Vec<_> = ROWS.iter().filter_map(|row| Some((row.substitute?, row.id))).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, id)| id)
    }
}

impl serde::Serialize for MethodId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for MethodId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| serde::de::Error::custom(format!("no sleep method is called '{name}'")))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_id_finds_its_own_row() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.id as usize, index, "{}", row.name);
            assert_eq!(MethodId::from_name(row.name), Some(row.id));
        }
        assert_eq!(MethodId::from_name("nap"), None);
    }

    #[test]
    fn rows_are_complete() {
        let names: HashSet<_> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ROWS.len(), "two methods share a name");
        for row in ROWS {
            assert!(
                row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                row.name
            );
            assert!(!row.systems.is_empty(), "{} exists nowhere", row.name);
            assert!(!row.promise.is_empty(), "{} promises nothing", row.name);
            assert!(row.source.starts_with("https://"), "{} has no source", row.name);
        }
    }

    #[test]
    fn the_facts_about_its_timer_agree_with_each_other() {
        for row in ROWS {
            let name = row.name;
            let path = row.simulated;
            assert_eq!(row.spins(), matches!(path, SimulatedPath::Spin | SimulatedPath::Yield), "{name}");
            assert_eq!(row.mode == Mode::Yield, path == SimulatedPath::Yield, "{name}");
            assert_eq!(row.timer == KernelTimer::Wheel, path == SimulatedPath::Wheel, "{name}");
            // A simulated select has slack in proportion, and a simulated timer none: what has either takes that path.
            assert!(row.slack != SlackRule::Share || path == SimulatedPath::Select, "{name}");
            let paths_without = [SimulatedPath::Timer, SimulatedPath::Wheel, SimulatedPath::Spin, SimulatedPath::Yield];
            assert!(row.slack != SlackRule::None || paths_without.contains(&path), "{name}");
            if let Some(other) = row.counterpart.map(MethodId::row) {
                assert!(row.comparable() && other.comparable() && row.mode != other.mode, "{name}");
                assert_eq!((row.clock, row.timer, row.slack), (other.clock, other.timer, other.slack), "{name}");
                assert!(other.counterpart.is_some(), "{name}");
            }
            assert!(row.substitute.is_none() || row.comparable(), "{name}");
            for alias in row.aliases {
                assert_eq!((MethodId::from_name(alias), MethodId::recognise(alias)), (None, Some(row.id)));
            }
        }
    }

    #[test]
    fn a_message_queue_has_no_slack_and_a_socket_counts_ticks() {
        assert_eq!(MethodId::MqTimedreceive.row().slack, SlackRule::None);
        assert_eq!(MethodId::Rcvtimeo.row().timer, KernelTimer::Wheel);
        assert_eq!(MethodId::recognise("mq"), Some(MethodId::MqTimedreceive));
        assert_eq!(MethodId::recognise("nap"), None);
        let substitutes = ["timerfd", "select", "futex-wait", "kqueue-timer", "poll"];
        assert_eq!(MethodId::substitutes().map(MethodId::name).collect::<Vec<_>>(), substitutes);
    }

    #[test]
    fn what_never_sleeps_is_neither_compared_nor_traced() {
        let spinning: Vec<&str> = ROWS.iter().filter(|row| row.spins()).map(|row| row.name).collect();
        assert_eq!(spinning, ["spin", "sched-yield", "sleep-zero", "switch-to-thread"]);
        assert!(!MethodId::Spin.row().comparable() && MethodId::Spin.row().traceable().is_err());
        assert!(MethodId::Nanosleep.row().traceable().is_ok());
        assert!(MethodId::ClockNanosleepAbsRealtime.row().traceable().is_err());
        assert!(!MethodId::TimerfdPeriodic.row().comparable());
    }
}
