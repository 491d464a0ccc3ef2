//! Evidence for a cause that several witnesses may show.

use super::fact::{AddFacts, Facts};
use super::{Changed, Examined};
use serde::{Serialize, Serializer};

/// What the pattern, the intervention and examined sleeps show of a cause, and the sizes that witnesses give where they
/// differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed<P> {
    /// Numbers of the pattern; `None` where only other witnesses show the cause.
    pub pattern: Option<P>,
    /// Effect of changing the cause away.
    pub intervention: Option<Changed>,
    /// What kernel events show of examined sleeps.
    pub examined: Option<Examined>,
    /// Sizes that the witnesses give, where they differ.
    pub says: Disagreement,
}

impl<P> Witnessed<P> {
    /// Returns evidence from only the pattern.
    pub fn of_pattern(pattern: P) -> Self {
        Self { pattern: Some(pattern), ..Self::of_nobody() }
    }

    /// Returns evidence from only an intervention.
    pub fn of_change(changed: Changed) -> Self {
        Self { intervention: Some(changed), ..Self::of_nobody() }
    }

    /// Returns evidence from only examined sleeps.
    pub fn of_examined(examined: Examined) -> Self {
        Self { examined: Some(examined), ..Self::of_nobody() }
    }

    fn of_nobody() -> Self {
        Self { pattern: None, intervention: None, examined: None, says: Disagreement::default() }
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

/// The serialised form: the pattern with the others, the intervention, or examined sleeps alone.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Written<P, C, E> {
    Pattern {
        #[serde(flatten)]
        pattern: P,
        #[serde(skip_serializing_if = "Option::is_none")]
        intervention: Option<C>,
        #[serde(skip_serializing_if = "Option::is_none")]
        examined: Option<E>,
        #[serde(flatten)]
        says: Disagreement,
    },
    Change {
        #[serde(flatten)]
        changed: C,
        #[serde(skip_serializing_if = "Option::is_none")]
        examined: Option<E>,
        #[serde(flatten)]
        says: Disagreement,
    },
    Examined {
        #[serde(flatten)]
        examined: E,
        #[serde(flatten)]
        says: Disagreement,
    },
}

impl<P: Serialize> Serialize for Witnessed<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (says, examined) = (self.says, self.examined.as_ref());
        match (&self.pattern, self.intervention.as_ref(), examined) {
            (Some(pattern), intervention, _) => {
                Written::Pattern { pattern, intervention, examined, says }.serialize(serializer)
            }
            (None, Some(changed), _) => Written::<&P, _, _>::Change { changed, examined, says }.serialize(serializer),
            (None, None, Some(examined)) => {
                Written::<&P, &Changed, _>::Examined { examined, says }.serialize(serializer)
            }
            (None, None, None) => says.serialize(serializer),
        }
    }
}

#[cfg(feature = "schema")]
impl<P: schemars::JsonSchema> schemars::JsonSchema for Witnessed<P> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{}Witnessed", P::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::<P, Changed, Examined>::json_schema(generator)
    }
}

impl<P: AddFacts> AddFacts for Witnessed<P> {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        match &self.pattern {
            // The intervention's numbers are then a table of their own.
            Some(pattern) => pattern.add_facts(name, to),
            None => self.intervention.add_facts(name, to),
        }
        self.examined.add_facts(name, to);
        self.says.pattern.add_facts("pattern_says_ns", to);
        self.says.intervention.add_facts("intervention_says_ns", to);
        self.says.trace.add_facts("trace_says_ns", to);
    }
}
