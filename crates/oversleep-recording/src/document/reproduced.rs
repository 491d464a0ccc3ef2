//! Reproduced publications: each published number with the simulated one, and with this machine's where requested.

use super::Chart;
use crate::names;
use serde::{Deserialize, Serialize};

/// The document of `reproduce`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reproduced {
    /// Version of this document.
    pub format: u32,
    /// Program that computed it, with version.
    pub tool: String,
    /// Machine on which `here` was measured; `None` where nothing was measured.
    pub machine: Option<String>,
    /// When it was measured (RFC 3339, UTC).
    pub measured: Option<String>,
    /// Publications that were reproduced.
    pub publications: Vec<Publication>,
}

impl Reproduced {
    /// The version that this build writes.
    pub const FORMAT: u32 = 1;
}

/// One reproduced publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Publication {
    /// Name by which it is selected.
    pub name: String,
    /// Title.
    pub title: String,
    /// Author, place and year.
    pub by: String,
    /// Claims of the publication.
    pub claims: Vec<Claim>,
    /// Tables specific to this publication.
    pub tables: Vec<ReproducedTable>,
    /// Charts that the publication shows or describes.
    pub charts: Vec<Chart>,
}

/// One claim of a publication, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// Number of the claim in the list of 28; `None` for other statements of the publication.
    pub number: Option<u32>,
    /// The claim in short.
    pub about: String,
    /// How the simulation's parameters are known.
    pub basis: Basis,
    /// Numbers of the claim.
    pub figures: Vec<ReproducedFigure>,
    /// Reason for a difference, if there is one; otherwise a remark.
    pub why: Option<String>,
    /// Command that runs only this simulation.
    pub command: Option<String>,
}

/// A published number, with the simulated and the measured one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproducedFigure {
    /// Name of the quantity.
    pub name: String,
    /// The published value as the text writes it; `None` where the model says more than the text.
    pub published: Option<String>,
    /// Unit of the numbers below.
    pub unit: FigureUnit,
    /// Smallest number that agrees with the published one.
    pub low: Option<f64>,
    /// Largest number that agrees with the published one.
    pub high: Option<f64>,
    /// Simulated number; `None` where no model gives it.
    pub simulated: Option<f64>,
    /// Number measured on this machine.
    pub here: Option<f64>,
    /// How the published and the simulated number compare.
    pub verdict: Agreement,
}

names! {
    /// How the parameters of a simulation are known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Basis {
        /// Only from source code and documents.
        Documented = "documented",
        /// At least one parameter was fitted to a published number, perhaps to this one.
        Fitted = "fitted",
        /// No model gives the number.
        NotDerivable = "not derivable",
        /// The number is an input of a model, not an output.
        Input = "an input",
    }

    /// How a published number and the simulated one compare.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Agreement {
        /// They agree to the last printed digit.
        Exact = "exact",
        /// They agree within the range that the text allows.
        Agrees = "agrees",
        /// They differ.
        Differs = "differs",
        /// Nothing was simulated to compare with.
        NotSimulated = "not simulated",
        /// The text states nothing to compare with.
        NotPublished = "not published",
    }
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
    /// A count.
    #[serde(rename = "count")]
    Count,
}

/// A table of a reproduced publication.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproducedTable {
    /// What the table shows.
    pub title: String,
    /// Column headings.
    pub columns: Vec<String>,
    /// Rows, one text per column.
    pub rows: Vec<Vec<String>>,
}

impl ReproducedFigure {
    /// Returns a figure that agrees if it lies between two limits, inclusive; if the limits are equal, only if it
    /// equals them. Where nothing is published, nothing is compared.
    pub fn between(name: &str, published: &str, unit: FigureUnit, limits: (f64, f64), simulated: f64) -> Self {
        let (low, high) = limits;
        let verdict = match (low..=high).contains(&simulated) {
            _ if published.is_empty() => Agreement::NotPublished,
            false => Agreement::Differs,
            true if low >= high => Agreement::Exact,
            true => Agreement::Agrees,
        };
        Self {
            name: name.to_owned(),
            published: non_empty(published),
            unit,
            low: (!published.is_empty()).then_some(low),
            high: (!published.is_empty()).then_some(high),
            simulated: Some(simulated),
            here: None,
            verdict,
        }
    }

    /// Returns a figure that agrees only if it equals this number.
    pub fn exactly(name: &str, published: &str, unit: FigureUnit, number: f64, simulated: f64) -> Self {
        Self::between(name, published, unit, (number, number), simulated)
    }

    /// Returns a figure that is not simulated.
    pub fn unsimulated(name: &str, published: &str, unit: FigureUnit) -> Self {
        Self {
            name: name.to_owned(),
            published: non_empty(published),
            unit,
            low: None,
            high: None,
            simulated: None,
            here: None,
            verdict: Agreement::NotSimulated,
        }
    }

    /// Sets the number measured on this machine.
    #[must_use]
    pub fn here(self, here: Option<f64>) -> Self {
        Self { here, ..self }
    }
}

/// Returns the published text; `None` if it is empty.
fn non_empty(published: &str) -> Option<String> {
    (!published.is_empty()).then(|| published.to_owned())
}

impl Claim {
    /// Returns a claim with these figures, and with its number if it has one.
    pub const fn new(number: Option<u32>, basis: Basis, figures: Vec<ReproducedFigure>) -> Self {
        Self { number, about: String::new(), basis, figures, why: None, command: None }
    }

    /// Says in short what is claimed.
    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }

    /// Adds the reason for a difference, or a remark.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Self {
        Self { why: Some(why.into()), ..self }
    }

    /// Adds the command that runs only this simulation.
    #[must_use]
    pub fn by(self, command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..self }
    }

    /// Returns the worst verdict among the claim's figures.
    pub fn verdict(&self) -> Agreement {
        let worst = |verdict: &Agreement| match verdict {
            Agreement::NotSimulated | Agreement::NotPublished => 0,
            Agreement::Exact => 1,
            Agreement::Agrees => 2,
            Agreement::Differs => 3,
        };
        self.figures.iter().map(|figure| figure.verdict).max_by_key(worst).unwrap_or(Agreement::NotSimulated)
    }
}
