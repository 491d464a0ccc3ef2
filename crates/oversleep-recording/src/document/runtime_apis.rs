//! The catalogue of runtimes' timers, as `list runtimes` prints it.

use crate::catalog::Early;
use crate::runtimes::Api;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The timers of language runtimes that can be measured where the runtime is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuntimeApis {
    /// In the catalogue's order.
    pub apis: Vec<ApiFacts>,
}

/// One timer of a runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiFacts {
    /// Its name.
    pub api: &'static str,
    /// The runtime.
    pub runtime: &'static str,
    /// How to get that.
    pub get: &'static str,
    /// The oldest version that has it, where that is not every one in use.
    pub since: Option<&'static str>,
    /// The call, as its users write it.
    pub call: &'static str,
    /// What its request is counted in.
    pub unit_ns: Option<Nanos>,
    /// Whether its documentation lets it wake early.
    pub may_wake_early: bool,
    /// What its documentation promises.
    pub promise: &'static str,
    /// The page that says so.
    pub source: &'static str,
    /// The kernel's primitive it should stand on.
    pub native: &'static str,
    /// What the runtime's own source is known to do to a request.
    pub does: Option<&'static str>,
    /// File, line and version of that source.
    pub does_source: Option<&'static str>,
    /// What to call for a sleep on time.
    pub instead: &'static str,
}

impl RuntimeApis {
    /// Of rows of the catalogue.
    pub fn of(apis: &[Api]) -> Self {
        Self { apis: apis.iter().map(ApiFacts::of).collect() }
    }
}

impl ApiFacts {
    fn of(api: &Api) -> Self {
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
