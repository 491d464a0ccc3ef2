//! Publications reproduced: each published number beside the simulated one, and this machine's where it was asked for.

use super::Chart;
use serde::Serialize;

/// What `reproduce` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reproduced {
    /// The version of this form.
    pub format: u32,
    /// What computed it, with version.
    pub tool: String,
    /// The machine on which `here` was measured; `None` where nothing was.
    pub machine: Option<String>,
    /// When it was measured (RFC 3339, UTC).
    pub measured: Option<String>,
    /// The publications.
    pub publications: Vec<Publication>,
}

impl Reproduced {
    /// The version that this program writes.
    pub const FORMAT: u32 = 1;
}

/// One publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Publication {
    /// The name it is asked for by.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it, where and when.
    pub by: String,
    /// What it published.
    pub claims: Vec<Claim>,
    /// Tables of its own kind.
    pub tables: Vec<ReproducedTable>,
    /// The pictures it had, or describes.
    pub charts: Vec<Chart>,
}

/// One thing that was published, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// Its number in the list of 28; `None` for what the publication says beside them.
    pub number: Option<u32>,
    /// What it says, shortly.
    pub about: String,
    /// How far the simulation's parameters are known.
    pub basis: Basis,
    /// The numbers.
    pub figures: Vec<ReproducedFigure>,
    /// Where it differs, why; elsewhere what has to be known of it.
    pub why: Option<String>,
    /// The command that simulates it by itself.
    pub command: Option<String>,
}

/// A number that was published, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproducedFigure {
    /// What is counted.
    pub name: String,
    /// What was published, in its words; `None` where it is what the model says beyond the text.
    pub published: Option<String>,
    /// The unit of the numbers below.
    pub unit: FigureUnit,
    /// The least number that agrees with what was published.
    pub low: Option<f64>,
    /// The greatest.
    pub high: Option<f64>,
    /// What the simulation gives; `None` where no model gives it.
    pub simulated: Option<f64>,
    /// What this machine gives.
    pub here: Option<f64>,
    /// How published and simulated compare.
    pub verdict: Agreement,
}

/// How the numbers behind a simulation are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// From sources and documents alone.
    Documented,
    /// At least one parameter was fitted to a published number, perhaps to this one.
    Fitted,
    /// No model gives it.
    NotDerivable,
    /// It is an input of a model, not an output.
    Input,
}

/// How a published number and the simulated one compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// To the last printed digit.
    Exact,
    /// Within what the text allows.
    Agrees,
    /// Not.
    Differs,
    /// There is nothing simulated to compare.
    NotSimulated,
}

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FigureUnit {
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Microseconds per second.
    #[serde(rename = "us/s")]
    MicrosPerSecond,
    /// Ticks.
    #[serde(rename = "ticks")]
    Ticks,
    /// A ratio.
    #[serde(rename = "ratio")]
    Ratio,
    /// Per cent.
    #[serde(rename = "%")]
    PerCent,
    /// How many.
    #[serde(rename = "count")]
    Count,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproducedTable {
    /// What it shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Its rows, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl ReproducedFigure {
    /// Returns a figure that agrees between two numbers, both of them included; where they are one number, only that.
    pub fn between(name: &str, published: &str, unit: FigureUnit, limits: (f64, f64), simulated: f64) -> Self {
        let (low, high) = limits;
        let verdict = match (low..=high).contains(&simulated) {
            false => Agreement::Differs,
            true if low >= high => Agreement::Exact,
            true => Agreement::Agrees,
        };
        Self {
            name: name.to_owned(),
            published: said(published),
            unit,
            low: Some(low),
            high: Some(high),
            simulated: Some(simulated),
            here: None,
            verdict,
        }
    }

    /// Returns a figure that has to be this very number.
    pub fn exactly(name: &str, published: &str, unit: FigureUnit, number: f64, simulated: f64) -> Self {
        Self::between(name, published, unit, (number, number), simulated)
    }

    /// Returns a figure that nothing simulates.
    pub fn unsimulated(name: &str, published: &str, unit: FigureUnit) -> Self {
        Self {
            name: name.to_owned(),
            published: said(published),
            unit,
            low: None,
            high: None,
            simulated: None,
            here: None,
            verdict: Agreement::NotSimulated,
        }
    }

    /// Returns it with what this machine gives.
    #[must_use]
    pub fn here(self, here: Option<f64>) -> Self {
        Self { here, ..self }
    }
}

/// What was published; nothing where the text says nothing.
fn said(published: &str) -> Option<String> {
    (!published.is_empty()).then(|| published.to_owned())
}

impl Claim {
    /// Returns how all of its figures compare: as the worst of them.
    pub fn verdict(&self) -> Agreement {
        let worst = |verdict: &Agreement| match verdict {
            Agreement::NotSimulated => 0,
            Agreement::Exact => 1,
            Agreement::Agrees => 2,
            Agreement::Differs => 3,
        };
        self.figures.iter().map(|figure| figure.verdict).max_by_key(worst).unwrap_or(Agreement::NotSimulated)
    }
}

impl Agreement {
    /// Returns it in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::NotSimulated => "not simulated",
        }
    }
}

impl Basis {
    /// Returns it in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Fitted => "fitted",
            Self::NotDerivable => "not derivable",
            Self::Input => "an input",
        }
    }
}
