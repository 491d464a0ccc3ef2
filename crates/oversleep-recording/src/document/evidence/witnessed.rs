//! Evidence for a cause that several witnesses may show.

use super::Changed;
use super::fact::{AddFacts, Facts};
use serde::{Serialize, Serializer};

/// What the pattern and the intervention show of a cause, and the sizes that witnesses give where they differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed<P> {
    /// Numbers of the pattern; `None` where only an intervention shows the cause.
    pub pattern: Option<P>,
    /// Effect of changing the cause away.
    pub intervention: Option<Changed>,
    /// Sizes that the witnesses give, where they differ.
    pub says: Disagreement,
}

impl<P> Witnessed<P> {
    /// Returns evidence from the pattern alone.
    pub fn of_pattern(pattern: P) -> Self {
        Self { pattern: Some(pattern), intervention: None, says: Disagreement::default() }
    }

    /// Returns evidence from an intervention alone.
    pub fn of_change(changed: Changed) -> Self {
        Self { pattern: None, intervention: Some(changed), says: Disagreement::default() }
    }
}

/// The size of the same cause according to each witness, where they differ; `None` for a witness that does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// Size according to the pattern.
    #[serde(rename = "pattern_says_ns", skip_serializing_if = "Option::is_none")]
    pub pattern: Option<f64>,
    /// Size according to the intervention.
    #[serde(rename = "intervention_says_ns", skip_serializing_if = "Option::is_none")]
    pub intervention: Option<f64>,
    /// Size according to the trace.
    #[serde(rename = "trace_says_ns", skip_serializing_if = "Option::is_none")]
    pub trace: Option<f64>,
}

/// The serialised form: pattern and intervention, or the intervention alone.
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
            // The intervention's numbers are then a table of their own.
            Some(pattern) => pattern.add_facts(name, to),
            None => self.intervention.add_facts(name, to),
        }
        self.says.pattern.add_facts("pattern_says_ns", to);
        self.says.intervention.add_facts("intervention_says_ns", to);
        self.says.trace.add_facts("trace_says_ns", to);
    }
}
