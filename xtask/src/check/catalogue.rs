//! Checks that methods are named in the catalogue alone: facts about a method belong in its row and nowhere else.

mod mentions;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use self::mentions::{Mention, Name};
use super::exceptions::{self, Exception};
use crate::outcome::{self, Outcome};
use crate::tree::{self, Source};

/// The list of other places that may name a method.
const FILE: &str = "xtask/method-names.toml";
/// The folder of the catalogue's rows.
const ROWS: &str = "crates/oversleep-recording/src/catalog/rows/";
/// Places that may name methods: the catalogue, the code of each method and what builds it, the table of default
/// methods; and benchmarks, figures and other checks, which run methods as a user would.
const HOME: [&str; 7] = [
    "crates/oversleep-recording/src/catalog/",
    "crates/oversleep-os/src/method/",
    "crates/oversleep-os/build.rs",
    "crates/oversleep-recording/src/plan/build/defaults.rs",
    "benches/",
    "kernels/",
    "xtask/src/check/",
];

pub(super) fn check(root: &Path) -> Outcome {
    let read = || {
        let list = fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
        let sources = tree::sources(root, &[".rs"]).map_err(|error| error.to_string())?;
        Ok::<_, String>(faults(&sources, &exceptions::parse(FILE, &list)?))
    };
    read().map_or_else(Outcome::Failed, |faults| outcome::from_faults(&faults))
}

fn faults(sources: &[Source], exceptions: &[Exception]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    for rows in sources.iter().filter(|source| source.path.starts_with(ROWS)) {
        match mentions::names_of_rows(&rows.text) {
            Ok(of_family) => names.extend(of_family),
            Err(why) => faults.push(format!("{}: {why}", rows.path)),
        }
    }
    if names.is_empty() {
        faults.push(format!("{ROWS} holds no row, so no name could be looked for"));
    }
    let mut used = vec![false; exceptions.len()];
    for source in sources.iter().filter(|source| !at_home(&source.path) && !is_test(&source.path)) {
        let mentions = mentions::of(&source.text).unwrap_or_else(|why| {
            faults.push(format!("{}: {why}", source.path));
            Vec::new()
        });
        for Mention { line, name } in mentions {
            let (method, name) = match name {
                Name::Text(text) => (names.contains(&text), text),
                Name::Identity(identity) => (true, format!("MethodId::{identity}")),
            };
            match exceptions.iter().position(|exception| exception.covers(&source.path, &name)) {
                Some(at) if method => used[at] = true,
                None if method => faults.push(format!("{}:{line}: {name} is named outside the catalogue", source.path)),
                _ => {}
            }
        }
    }
    let stale = exceptions.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(stale.map(|(e, _)| format!("{FILE}: {} in {} is no longer there", e.name, e.path)));
    faults
}

fn at_home(path: &str) -> bool {
    HOME.iter().any(|home| path.starts_with(home))
}

/// Returns whether a file is a test: tests may name methods.
fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Source {
        let text = "rows! { Posix\n Poll \"poll\" \"poll(2)\" on UNIX; \"As select.\" \"https://a\"\n \
                    Rcvtimeo \"rcvtimeo\" \"recv(2)\" on UNIX; \"May wait.\" \"https://b\" }";
        Source { path: format!("{ROWS}posix.rs"), text: text.to_owned() }
    }

    fn found(path: &str, text: &str) -> Vec<String> {
        faults(&[Source { path: path.to_owned(), text: text.to_owned() }, rows()], &[])
    }

    #[test]
    fn a_method_named_outside_the_catalogue_is_a_fault() {
        let path = "crates/oversleep-lab/src/a.rs";
        let text = "fn f(m: &str) -> bool {\n    m == \"rcvtimeo\" }";
        assert_eq!(found(path, text), ["crates/oversleep-lab/src/a.rs:2: rcvtimeo is named outside the catalogue"]);
        for text in ["fn f() { g(MethodId::Spin) }", "use catalog::MethodId as M;", "use catalog::MethodId::*;"] {
            assert_eq!(found(path, text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_catalogue_without_rows_is_a_fault() {
        assert_eq!(faults(&[], &[]).len(), 1);
    }

    #[test]
    fn tests_comments_and_other_words_are_not() {
        let path = "crates/oversleep-lab/src/a.rs";
        let tested = "/// Such as \"nanosleep\".\n#[cfg(test)]\nmod tests { fn f() { g(MethodId::Spin, \"poll\") } }";
        for text in [tested, "fn f() { g(MethodId::from_name(\"naps\")) }", "use catalog::{MethodId, MethodRow};"] {
            assert_eq!(found(path, text), Vec::<String>::new(), "{text}");
        }
        for path in ["crates/a/tests/a.rs", "crates/a/src/b/tests.rs", "crates/oversleep-os/src/method/posix/poll.rs"] {
            assert_eq!(found(path, "const A: &str = \"poll\";"), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn an_exception_excuses_its_name_and_a_stale_one_is_a_fault() {
        let source = || Source { path: "crates/a/src/b.rs".to_owned(), text: "const A: &str = \"poll\";".to_owned() };
        let exception = |name: &str| Exception { path: "crates/a/src/".to_owned(), name: name.to_owned() };
        assert_eq!(faults(&[source(), rows()], &[exception("poll")]), Vec::<String>::new());
        assert_eq!(faults(&[source(), rows()], &[exception("poll"), exception("select")]).len(), 1);
    }
}
