//! The timers of language runtimes: a row per API, with the script that measures it.
//!
//! Plain data, the same on every system. To measure another API, add a row and a script that follows the protocol of
//! `docs/RUNTIMES.md`.

mod rows;

use crate::catalog::{ArgumentUnit, Early, MethodId};

pub use rows::{APIS, RUNTIMES};

/// A language runtime.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    /// Name of the runtime, with which the names of its APIs begin.
    pub name: &'static str,
    /// Name shown to users.
    pub title: &'static str,
    /// Program that runs or builds the scripts.
    pub program: &'static str,
    /// How a script becomes a process.
    pub packaging: ProbePackaging,
    /// Part that all scripts share.
    pub common: &'static str,
    /// How to install the runtime.
    pub get: &'static str,
}

impl Runtime {
    /// Returns the runtime that people call so: by its name, its title or its program, in any case (`Node.js`, `nodejs`,
    /// `python3`).
    pub fn from_written(text: &str) -> Option<&'static Self> {
        let text = bare(text);
        let is_it =
            |runtime: &&Self| [runtime.name, runtime.title, runtime.program].iter().any(|name| bare(name) == text);
        RUNTIMES.iter().find(is_it).or_else(|| (text == "golang").then(|| Self::from_written("go")).flatten())
    }
}

/// Returns a name without dots and spaces, in lower case.
fn bare(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How the script of a runtime's probe becomes a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbePackaging {
    /// The API's part, then the common part, in one file with this ending, interpreted.
    ApiFirst(&'static str),
    /// The common part and those of all APIs in one file of Java, compiled once: a class per API ([`Api::class`]), named to
    /// the class `Probe` at its start.
    Classes,
    /// Two files with this ending, built by `program build -o PROBE FILE…`.
    Built(&'static str),
    /// No script: the program itself is given the API's name.
    Program,
}

/// A timer API of a runtime.
#[derive(Debug, Clone, Copy)]
pub struct Api {
    /// Name, in kebab-case.
    pub name: &'static str,
    /// The call, as its users write it.
    pub call: &'static str,
    /// Unit of the request.
    pub unit: ArgumentUnit,
    /// Whether the documentation allows it to wake early.
    pub early: Early,
    /// Kernel primitive that it should be built on.
    pub native: MethodId,
    /// What the documentation promises.
    pub promise: &'static str,
    /// Address of the documentation.
    pub source: &'static str,
    /// What the runtime's source code does to a request, and where; `None` where nothing is known to be done.
    pub does: Option<SourceBehaviour>,
    /// API to call in this language for a sleep that ends on time.
    pub instead: &'static str,
    /// Oldest version of the runtime that has it, where not every version in use has it.
    pub since: Option<&'static str>,
    /// Part of the script specific to this API.
    pub script: &'static str,
}

/// What a runtime's source code does to a request on its way to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceBehaviour {
    /// Description.
    pub what: &'static str,
    /// File, line and version of the source code.
    pub source: &'static str,
}

impl Api {
    /// Returns the API with this name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        APIS.iter().find(|api| api.name == name)
    }

    /// Returns the API that tables and people call so: by its name, or by its runtime and call (`Python asyncio.sleep`), in
    /// any case.
    pub fn from_written(text: &str) -> Option<&'static Self> {
        let text = bare(text);
        APIS.iter().find(|api| bare(api.name) == text || bare(api.runtime().title) + &bare(api.call) == text)
    }

    /// Returns the runtime that the API belongs to.
    pub fn runtime(&self) -> &'static Runtime {
        let owner = RUNTIMES.iter().find(|runtime| self.is_of(runtime));
        owner.unwrap_or_else(|| unreachable!("{}: a test says that every API has a runtime", self.name))
    }

    /// Returns the name of its class, where scripts are classes: its name without the runtime's, in capitals at the words'
    /// beginnings.
    pub fn class(&self) -> String {
        let words = self.name.split('-').skip(1);
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        words.map(capital).collect()
    }

    /// Returns whether it is an API of this runtime.
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
            let is_program = api.runtime().packaging == ProbePackaging::Program;
            assert_eq!(api.script.trim().is_empty(), is_program, "{}", api.name);
            let has_version = |does: SourceBehaviour| does.source.contains(|letter: char| letter.is_ascii_digit());
            assert!(api.does.is_none_or(|does| does.what.ends_with('.') && has_version(does)), "{}", api.name);
            assert!(MethodId::from_name(api.name).is_none(), "{} is a method too", api.name);
        }
    }

    #[test]
    fn names_are_read_as_people_and_tables_write_them() {
        for runtime in RUNTIMES {
            for written in [runtime.name, runtime.title, runtime.program, &runtime.title.to_uppercase()] {
                assert_eq!(Runtime::from_written(written).map(|found| found.name), Some(runtime.name), "{written}");
            }
        }
        for api in APIS {
            for written in [api.name.to_uppercase(), format!("{} {}", api.runtime().title, api.call)] {
                assert_eq!(Api::from_written(&written).map(|found| found.name), Some(api.name), "{written}");
            }
        }
        for (written, name) in [("nodejs", "node"), ("node.js", "node"), ("bash", "shell"), ("golang", "go")] {
            assert_eq!(Runtime::from_written(written).map(|found| found.name), Some(name));
        }
        assert!(Runtime::from_written("").is_none() && Api::from_written("").is_none());
    }

    #[test]
    fn every_script_of_classes_has_its_own() {
        for api in APIS.iter().filter(|api| api.runtime().packaging == ProbePackaging::Classes) {
            assert!(api.script.starts_with(&format!("class {} extends Sleeper", api.class())), "{}", api.name);
        }
    }

    #[test]
    fn every_script_says_which_protocol_it_speaks() {
        for runtime in RUNTIMES.iter().filter(|runtime| runtime.packaging != ProbePackaging::Program) {
            assert!(runtime.common.contains("# oversleep-probe 1 clock="), "{}", runtime.name);
            assert!(APIS.iter().any(|api| api.is_of(runtime)), "{}", runtime.name);
        }
    }
}
