//! The catalogue of methods, as `list` prints it.

use crate::catalog::{Early, MethodRow};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// Methods of this system, or of every system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Methods {
    /// Methods, in the catalogue's order.
    pub methods: Vec<MethodFacts>,
}

/// One method of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MethodFacts {
    /// Name of the method.
    pub method: &'static str,
    /// The call or calls made.
    pub call: &'static str,
    /// Whether this build can measure it on this machine.
    pub here: bool,
    /// The systems that have it.
    pub systems: Vec<&'static str>,
    /// How the call is given the time to wake.
    pub mode: &'static str,
    /// Unit of the request; `None` for a call that takes no time.
    pub unit_ns: Option<Nanos>,
    /// Clock that the method's timer runs on.
    pub clock: &'static str,
    /// Whether the method may return before the time is over.
    pub may_wake_early: bool,
    /// What the documentation promises.
    pub promise: &'static str,
    /// Address of the documentation.
    pub source: &'static str,
}

impl Methods {
    /// Returns the document of these rows, each with whether it can be measured here.
    pub fn from_rows(rows: &[(&MethodRow, bool)]) -> Self {
        Self { methods: rows.iter().map(|(row, here)| MethodFacts::from_row(row, *here)).collect() }
    }
}

impl MethodFacts {
    fn from_row(row: &MethodRow, here: bool) -> Self {
        Self {
            method: row.name,
            call: row.call,
            here,
            systems: row.systems.iter().map(|system| system.name()).collect(),
            mode: row.mode.name(),
            unit_ns: row.unit.step(),
            clock: row.clock.name(),
            may_wake_early: row.early == Early::Possible,
            promise: row.promise,
            source: row.source,
        }
    }
}
