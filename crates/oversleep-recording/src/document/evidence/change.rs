//! Evidence of an intervention: one thing was changed, and lateness moved.

use super::fact::{AddFacts, Fact, Facts, evidence};
use serde::ser::{Serialize, SerializeMap, Serializer};

evidence! {
    /// What a change did.
    pub struct Changed {
        /// What was changed, with what it was measured against if not the base.
        pub changed: String,
        /// How far the median moved.
        pub p50_shift_ns: f64,
        /// The probability of that much by chance, corrected for all tries.
        pub p_corrected: f64,
        /// Blocks in which both slept.
        pub blocks: usize,
        /// Sleeps of each.
        pub sleeps: usize,
        /// How far the 99th percentile moved, where the sleeps carry one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub p99_shift_ns: Option<f64>,
        /// Another change of the same kind, to compare with.
        #[serde(flatten)]
        pub other: Option<OtherChange>,
        /// Of `constant-cost`: which part of it was changed away.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub part: Option<&'static str>,
        /// Of `proportional-slack`: the share of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ratio: Option<f64>,
        /// Of `timer-slack`: what kept the processor awake on both sides.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub measured_beside: Option<&'static str>,
    }
}

/// Another change's shift of the median. In JSON it is one number whose key names the change: `with_slack 500 µs`.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherChange {
    /// What was changed.
    pub changed: String,
    /// How far the median moved.
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
