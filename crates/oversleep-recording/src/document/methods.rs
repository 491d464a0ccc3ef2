//! The catalogue of methods, as `list` prints it.

use crate::catalog::{Early, Row};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// Methods of this system, or of every one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Methods {
    /// In the catalogue's order.
    pub methods: Vec<MethodFacts>,
}

/// One method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MethodFacts {
    /// Its name.
    pub method: &'static str,
    /// The call or calls made.
    pub call: &'static str,
    /// Whether this build can measure it here.
    pub here: bool,
    /// The systems that have it.
    pub systems: Vec<&'static str>,
    /// How it is told when to wake.
    pub mode: &'static str,
    /// What its request is counted in; `None` for a call that takes no time.
    pub unit_ns: Option<Nanos>,
    /// The clock its timer runs on.
    pub clock: &'static str,
    /// Whether it may return before the time is over.
    pub may_wake_early: bool,
    /// What its documentation promises.
    pub promise: &'static str,
    /// Where the documentation is.
    pub source: &'static str,
}

impl Methods {
    /// Returns the document of rows of the catalogue, each with whether it can be measured here.
    pub fn of(rows: &[(&Row, bool)]) -> Self {
        Self { methods: rows.iter().map(|(row, here)| MethodFacts::of(row, *here)).collect() }
    }
}

impl MethodFacts {
    fn of(row: &Row, here: bool) -> Self {
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
