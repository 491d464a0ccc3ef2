//! Names that shell completions offer. Any other text is accepted here and refused later, by an error that knows
//! aliases and near misses.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use oversleep_recording::catalog::ROWS;
use std::ffi::OsStr;

/// Accepts any text and offers the names of `known`.
#[derive(Clone, Copy)]
pub(crate) struct KnownNames {
    known: fn() -> Vec<PossibleValue>,
}

/// Sleep methods of this build, and `all`.
pub(crate) const METHODS: KnownNames = KnownNames { known: methods };
/// Sleep methods of this build, for options in which `all` has no meaning.
pub(crate) const METHOD: KnownNames = KnownNames { known: here };
/// Simulated kernels.
pub(crate) const PRESETS: KnownNames = KnownNames { known: presets };

fn here() -> Vec<PossibleValue> {
    let measurable: Vec<_> = oversleep_os::method::entries().map(|entry| entry.id).collect();
    ROWS.iter().filter(|row| measurable.contains(&row.id)).map(|row| PossibleValue::new(row.name)).collect()
}

fn methods() -> Vec<PossibleValue> {
    here().into_iter().chain([PossibleValue::new("all")]).collect()
}

fn presets() -> Vec<PossibleValue> {
    oversleep_sim::preset_names().map(PossibleValue::new).collect()
}

impl TypedValueParser for KnownNames {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.known)().into_iter()))
    }
}
