//! Names that shell completions offer. Any other text is accepted here and refused later, by an error that knows
//! aliases and near misses.

use crate::say::say;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use oversleep_lab::session::method;
use oversleep_recording::catalog::{MethodId, MethodRow, ROWS};
use oversleep_recording::runtimes::APIS;
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

/// Says on standard error which method stands for a name that is not a method's own, such as Python's `time.sleep` or a
/// library's function.
pub(crate) fn say_stand_ins(names: &[String]) {
    for name in names {
        let is_of_library = || MethodId::under_library(name.trim_end_matches("()")).is_some();
        let stands_in = |row: &&MethodRow| row.aliases.contains(&name.as_str()) || is_of_library();
        let Some(row) = method(name).ok().filter(stands_in) else { continue };
        let advice = APIS
            .iter()
            .find(|api| api.call == name)
            .map(|api| format!("; `oversleep runtimes --only {}` measures {}'s own", api.name, api.runtime().title));
        say!("{name} is measured as {}, the call underneath: {}{}", row.name, row.call, advice.unwrap_or_default());
    }
}

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
