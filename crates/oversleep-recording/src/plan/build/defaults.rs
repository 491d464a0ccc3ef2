//! Default methods of the experiments.

use crate::catalog::{MethodId, System};

/// The default methods of every experiment and command that sleeps. A method that the system lacks is reported when
/// opened.
#[derive(Debug, Clone, Copy)]
pub struct DefaultMethods {
    /// Method of `measure` without an experiment.
    pub measure: MethodId,
    /// Method for sleeps to the next second of the wall clock: the call of Herman's program.
    pub wall_second: MethodId,
    /// Methods for error against request: the calls of Rizzo's programs.
    pub sweep: &'static [MethodId],
    /// Method for requests with busy threads: the call of O'Neill's program.
    pub load: MethodId,
    /// Method of a schedule.
    pub periodic: MethodId,
    /// Method of `diagnose`.
    pub diagnose: MethodId,
    /// Method of `trace`.
    pub trace: MethodId,
}

/// The defaults of this system: on POSIX systems the calls of the published programs, elsewhere equivalent calls.
pub const DEFAULT_METHODS: DefaultMethods = DefaultMethods::for_system(System::HERE);

const POSIX: DefaultMethods = DefaultMethods {
    measure: MethodId::Nanosleep,
    wall_second: MethodId::Usleep,
    sweep: &[MethodId::Usleep, MethodId::Nanosleep, MethodId::Select, MethodId::Poll],
    load: MethodId::Nanosleep,
    periodic: MethodId::ClockNanosleepAbs,
    diagnose: MethodId::Nanosleep,
    trace: MethodId::Nanosleep,
};

impl DefaultMethods {
    /// Returns the default methods of a system.
    pub const fn for_system(system: Option<System>) -> Self {
        match system {
            Some(System::Windows) => Self {
                measure: MethodId::Sleep,
                wall_second: MethodId::Sleep,
                sweep: &[
                    MethodId::Sleep,
                    MethodId::WaitForSingleObject,
                    MethodId::WaitableTimer,
                    MethodId::WaitableTimerHighResolution,
                ],
                load: MethodId::Sleep,
                periodic: MethodId::WaitableTimer,
                diagnose: MethodId::Sleep,
                trace: MethodId::Sleep,
            },
            Some(System::MacOs) => Self { periodic: MethodId::MachWaitUntil, ..POSIX },
            // OpenBSD has no absolute sleep.
            Some(System::OpenBsd) => Self { periodic: MethodId::Nanosleep, ..POSIX },
            _ => POSIX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_what_it_sleeps_by() {
        for system in System::ALL {
            let ids = DefaultMethods::for_system(Some(system));
            let all = [ids.measure, ids.wall_second, ids.load, ids.periodic, ids.diagnose, ids.trace];
            for id in all.iter().chain(ids.sweep) {
                assert!(id.row().systems.contains(&system), "{system} has no {}", id.name());
            }
        }
    }
}
