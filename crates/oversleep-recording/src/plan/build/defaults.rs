//! What each experiment sleeps by unless it is told.

use crate::catalog::MethodId;

/// The default methods of every experiment and command that sleeps. What a system lacks is said when it is opened.
#[derive(Debug, Clone, Copy)]
pub struct DefaultMethods {
    /// `measure` without an experiment.
    pub measure: MethodId,
    /// Sleeps to the next second of the wall clock: the call of Herman's program.
    pub herman: MethodId,
    /// Error against request: the calls of Rizzo's programs.
    pub rizzo: &'static [MethodId],
    /// Requests beside busy threads: the call of O'Neill's program.
    pub oneill: MethodId,
    /// A schedule.
    pub periodic: MethodId,
    /// `diagnose`.
    pub diagnose: MethodId,
    /// `trace`.
    pub trace: MethodId,
}

/// Unless told otherwise.
pub const DEFAULT_METHODS: DefaultMethods = DefaultMethods {
    measure: MethodId::Nanosleep,
    herman: MethodId::Usleep,
    rizzo: &[MethodId::Usleep, MethodId::Nanosleep, MethodId::Select, MethodId::Poll],
    oneill: MethodId::Nanosleep,
    periodic: MethodId::ClockNanosleepAbs,
    diagnose: MethodId::Nanosleep,
    trace: MethodId::Nanosleep,
};
