//! The catalogue of methods, as `list` prints it.

use crate::catalog::{Early, MethodRow};
use crate::runtimes::Api;
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

/// The timers of language runtimes that can be measured where the runtime is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeApis {
    /// Timers, in the catalogue's order.
    pub apis: Vec<ApiFacts>,
}

/// One timer of a runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiFacts {
    /// Name of the API.
    pub api: &'static str,
    /// Name of the runtime.
    pub runtime: &'static str,
    /// How to install the runtime.
    pub get: &'static str,
    /// Oldest version of the runtime that has the API, where not every version in use has it.
    pub since: Option<&'static str>,
    /// The call, as its users write it.
    pub call: &'static str,
    /// Unit of the request.
    pub unit_ns: Option<Nanos>,
    /// Whether the documentation allows it to wake early.
    pub may_wake_early: bool,
    /// What the documentation promises.
    pub promise: &'static str,
    /// Address of the documentation.
    pub source: &'static str,
    /// Kernel primitive that it should be built on.
    pub native: &'static str,
    /// What the runtime's source code is known to do to a request.
    pub does: Option<&'static str>,
    /// File, line and version of that source code.
    pub does_source: Option<&'static str>,
    /// API to call for a sleep that ends on time.
    pub instead: &'static str,
}

impl RuntimeApis {
    /// Returns the document of these rows of the catalogue.
    pub fn from_rows(apis: &[Api]) -> Self {
        Self { apis: apis.iter().map(ApiFacts::from_row).collect() }
    }
}

impl ApiFacts {
    fn from_row(api: &Api) -> Self {
        let runtime = api.runtime();
        Self {
            api: api.name,
            runtime: runtime.title,
            get: runtime.get,
            since: api.since,
            call: api.call,
            unit_ns: api.unit.step(),
            may_wake_early: api.early == Early::Possible,
            promise: api.promise,
            source: api.source,
            native: api.native.name(),
            does: api.does.map(|does| does.what),
            does_source: api.does.map(|does| does.source),
            instead: api.instead,
        }
    }
}
