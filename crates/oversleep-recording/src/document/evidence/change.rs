//! Evidence of an intervention: one condition was changed, and the lateness moved.

use super::fact::{AddFacts, Fact, Facts, evidence};
use serde::ser::{Serialize, SerializeMap, Serializer};

evidence! {
    /// The effect of a change.
    pub struct Changed {
        /// Changed condition, and the cell it was compared with unless that is the base.
        pub changed: String,
        /// Shift of the median, in ns.
        pub p50_shift_ns: f64,
        /// Probability of such a shift by chance, corrected for all comparisons.
        pub p_corrected: f64,
        /// Number of blocks in which both cells slept.
        pub blocks: usize,
        /// Number of sleeps of each cell.
        pub sleeps: usize,
        /// Shift of the 99th percentile, in ns, where there are enough sleeps.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub p99_shift_ns: Option<f64>,
        /// Another change of the same kind, for comparison.
        #[serde(flatten)]
        pub other: Option<OtherChange>,
        /// For `constant-cost`: the part of the cost that the change removed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub part: Option<&'static str>,
        /// For `proportional-slack`: the slack as a share of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ratio: Option<f64>,
        /// For `timer-slack`: what kept the processor awake in both cells.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub measured_beside: Option<&'static str>,
    }
}

/// The shift of the median by another change. In JSON it is one number whose key names the change: `with_slack 500 µs`.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherChange {
    /// Changed condition.
    pub changed: String,
    /// Shift of the median, in ns.
    pub p50_shift_ns: f64,
}

impl OtherChange {
    fn key(&self) -> String {
        format!("with_{}", self.changed)
    }
}

impl Serialize for OtherChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.key(), &self.p50_shift_ns)?;
        map.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for OtherChange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OtherChange".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": "Another change's shift of the median, in ns; the key names the change.",
            "patternProperties": { "^with_": { "type": "number" } }
        })
    }
}

impl AddFacts for OtherChange {
    fn add_facts(&self, _: &str, to: &mut Facts) {
        to.push((self.key(), Fact::Number(self.p50_shift_ns)));
    }
}
