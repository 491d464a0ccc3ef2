//! Evidence of a cause that several witnesses may know.

use super::Changed;
use super::fact::{AddFacts, Facts};
use serde::{Serialize, Serializer};

/// What the pattern shows of a cause, what changing it away showed, and what all say where they differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed<P> {
    /// What the pattern shows; `None` where only a change shows the cause.
    pub pattern: Option<P>,
    /// What changing it away showed.
    pub intervention: Option<Changed>,
    /// Where the witnesses differ, what each says.
    pub says: Disagreement,
}

impl<P> Witnessed<P> {
    /// Returns what the pattern alone shows.
    pub fn of_pattern(pattern: P) -> Self {
        Self { pattern: Some(pattern), intervention: None, says: Disagreement::default() }
    }

    /// Returns what a change alone shows.
    pub fn of_change(changed: Changed) -> Self {
        Self { pattern: None, intervention: Some(changed), says: Disagreement::default() }
    }
}

/// What each witness says of the same cause's size, where they differ; `None` for one that is silent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The pattern.
    #[serde(rename = "pattern_says_ns", skip_serializing_if = "Option::is_none")]
    pub pattern: Option<f64>,
    /// The intervention.
    #[serde(rename = "intervention_says_ns", skip_serializing_if = "Option::is_none")]
    pub intervention: Option<f64>,
    /// The trace.
    #[serde(rename = "trace_says_ns", skip_serializing_if = "Option::is_none")]
    pub trace: Option<f64>,
}

/// What the pattern shows of a cause, with what changing it away showed; or what a change alone showed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Written<P, C> {
    Pattern {
        #[serde(flatten)]
        pattern: P,
        #[serde(skip_serializing_if = "Option::is_none")]
        intervention: Option<C>,
        #[serde(flatten)]
        says: Disagreement,
    },
    Change {
        #[serde(flatten)]
        changed: C,
        #[serde(flatten)]
        says: Disagreement,
    },
}

impl<P: Serialize> Serialize for Witnessed<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let says = self.says;
        match (&self.pattern, self.intervention.as_ref()) {
            (Some(pattern), intervention) => Written::Pattern { pattern, intervention, says }.serialize(serializer),
            (None, Some(changed)) => Written::<&P, _>::Change { changed, says }.serialize(serializer),
            (None, None) => says.serialize(serializer),
        }
    }
}

#[cfg(feature = "schema")]
impl<P: schemars::JsonSchema> schemars::JsonSchema for Witnessed<P> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{}Witnessed", P::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::<P, Changed>::json_schema(generator)
    }
}

impl<P: AddFacts> AddFacts for Witnessed<P> {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        match &self.pattern {
            // The change's numbers are a table of their own then.
            Some(pattern) => pattern.add_facts(name, to),
            None => self.intervention.add_facts(name, to),
        }
        self.says.pattern.add_facts("pattern_says_ns", to);
        self.says.intervention.add_facts("intervention_says_ns", to);
        self.says.trace.add_facts("trace_says_ns", to);
    }
}
