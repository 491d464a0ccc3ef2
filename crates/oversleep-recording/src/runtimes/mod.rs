//! The timers of language runtimes: a row per API, with the script that measures it.
//!
//! Plain data, the same on every system. A row and a script are all it takes to measure another API: the script prints
//! what the protocol of `docs/RUNTIMES.md` says.

mod rows;

use crate::catalog::{Early, MethodId, Unit};

pub use rows::{APIS, RUNTIMES};

/// A language runtime.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    /// Its name, which those of its APIs begin with.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The program that runs or builds its scripts.
    pub program: &'static str,
    /// How a script becomes a process.
    pub form: Form,
    /// The part that all its scripts share.
    pub common: &'static str,
    /// How to get it.
    pub get: &'static str,
}

/// How a script becomes a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The API's part, then the common part, in one file with this ending, interpreted.
    ApiFirst(&'static str),
    /// The common part, then the API's part, in one file with this ending.
    CommonFirst(&'static str),
    /// Two files with this ending, built by `program build -o PROBE FILE…`.
    Built(&'static str),
    /// No script: the program itself is told the API's name.
    Program,
}

/// A timer of a runtime.
#[derive(Debug, Clone, Copy)]
pub struct Api {
    /// Its name, in kebab-case.
    pub name: &'static str,
    /// The call, as its users write it.
    pub call: &'static str,
    /// The unit its request is counted in.
    pub unit: Unit,
    /// Whether its documentation lets it wake early.
    pub early: Early,
    /// The kernel's primitive it should stand on.
    pub native: MethodId,
    /// What its documentation promises.
    pub promise: &'static str,
    /// The page that says so.
    pub source: &'static str,
    /// What the runtime's own source does to a request, and where it says so; `None` where nothing is known to be done.
    pub does: Option<Does>,
    /// What to call for a sleep on time in this language.
    pub instead: &'static str,
    /// The oldest version of the runtime that has it, where that is not every one in use.
    pub since: Option<&'static str>,
    /// Its part of the script.
    pub script: &'static str,
}

/// What a runtime's source does to a request on its way to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Does {
    /// What it does.
    pub what: &'static str,
    /// File, line and version.
    pub source: &'static str,
}

impl Api {
    /// Returns the API of that name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        APIS.iter().find(|api| api.name == name)
    }

    /// Returns the runtime it belongs to.
    pub fn runtime(&self) -> &'static Runtime {
        let owner = RUNTIMES.iter().find(|runtime| self.is_of(runtime));
        owner.unwrap_or_else(|| unreachable!("{}: a test says that every API has a runtime", self.name))
    }

    /// Whether it is an API of this runtime.
    pub fn is_of(&self, runtime: &Runtime) -> bool {
        self.name.strip_prefix(runtime.name).is_some_and(|rest| rest.starts_with('-'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_a_runtime_a_promise_and_a_name_of_its_own() {
        let names: HashSet<_> = APIS.iter().map(|api| api.name).collect();
        assert_eq!(names.len(), APIS.len());
        for api in APIS {
            assert_eq!(RUNTIMES.iter().filter(|runtime| api.is_of(runtime)).count(), 1, "{}", api.name);
            assert!(api.promise.ends_with('.') && api.source.starts_with("https://"), "{}", api.name);
            let is_program = api.runtime().form == Form::Program;
            assert_eq!(api.script.trim().is_empty(), is_program, "{}", api.name);
            let has_version = |does: Does| does.source.contains(|letter: char| letter.is_ascii_digit());
            assert!(api.does.is_none_or(|does| does.what.ends_with('.') && has_version(does)), "{}", api.name);
            assert!(MethodId::from_name(api.name).is_none(), "{} is a method too", api.name);
        }
    }

    #[test]
    fn every_script_says_which_protocol_it_speaks() {
        for runtime in RUNTIMES.iter().filter(|runtime| runtime.form != Form::Program) {
            assert!(runtime.common.contains("# oversleep-probe 1 clock="), "{}", runtime.name);
            assert!(APIS.iter().any(|api| api.is_of(runtime)), "{}", runtime.name);
        }
    }
}
