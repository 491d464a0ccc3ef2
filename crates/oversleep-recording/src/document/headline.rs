//! The main result in words, before a document's figures.

use serde::Serialize;

/// A document with the main result in words, as the text of the same command begins.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithHeadline<D> {
    /// What was found, in words; empty where nothing was compared.
    pub headline: String,
    /// What to do about it, if something is known to help.
    pub advice: Option<String>,
    /// The document.
    #[serde(flatten)]
    pub document: D,
}
