//! Checks that methods are named in the catalogue only: facts about a method belong in its row and nowhere else.

use std::collections::HashSet;
use std::path::Path;

use super::code::{self, Token, text};
use super::exceptions::Exceptions;
use crate::tree;

/// The list of other places that may name a method.
const FILE: &str = "xtask/method-names.toml";
/// The folder of the catalogue's rows.
const ROWS: &str = "crates/oversleep-recording/src/catalog/rows/";
/// Places that may name methods: the catalogue, the code of each method and what builds it, the table of default
/// methods, and benchmarks, which run methods as a user would.
const HOME: [&str; 5] = [
    "crates/oversleep-recording/src/catalog/",
    "crates/oversleep-os/src/method/",
    "crates/oversleep-os/build.rs",
    "crates/oversleep-recording/src/plan/build/defaults.rs",
    "benches/",
];

/// Returns an error for each method that is named elsewhere, except in tests.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut exceptions = Exceptions::read(root, FILE)?;
    let sources = tree::sources(root, &[".rs"])?;
    let mut names = HashSet::new();
    for rows in sources.iter().filter(|source| source.path.starts_with(ROWS)) {
        names.extend(names_of_rows(&code::tokens(&rows.text)?));
    }
    if names.is_empty() {
        return Err(format!("{ROWS} holds no row, so no name could be looked for"));
    }
    let is_test = |path: &str| path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests");
    let elsewhere = |path: &str| !HOME.iter().any(|home| path.starts_with(home)) && !is_test(path);
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| elsewhere(&source.path)) {
        let tokens = code::tokens(&source.text).map_err(|why| format!("{}: {why}", source.path))?;
        for (line, name) in mentions(&code::without_tests(&tokens).0, &names) {
            if !exceptions.allow(&source.path, &name) {
                faults.push(format!("{}:{line}: {name} is named outside the catalogue", source.path));
            }
        }
    }
    faults.extend(exceptions.stale());
    Ok(faults)
}

/// Returns the text of a plain string.
fn plain(token: &Token) -> Option<&str> {
    token.text.strip_prefix('"')?.strip_suffix('"')
}

/// Returns the methods' names in a file of rows: in `Poll "poll" "poll(2)" on UNIX`, the first string.
fn names_of_rows(tokens: &[Token]) -> Vec<String> {
    let name =
        |row: &[Token]| (text(row, 2) == "on" && plain(&row[1]).is_some()).then(|| plain(&row[0]))?.map(str::to_owned);
    tokens.windows(3).filter_map(name).collect()
}

/// Returns the line and name of each string that is a method's name, and of each `MethodId::X`; `MethodId::*` where all
/// may be meant.
fn mentions(tokens: &[Token], names: &HashSet<String>) -> Vec<(usize, String)> {
    let mention = |(position, token): (usize, &Token)| {
        let name = match (plain(token), token.text.as_str(), text(tokens, position + 1)) {
            (Some(string), _, _) => names.get(string)?.clone(),
            (None, "MethodId", "as") => "MethodId::*".to_owned(),
            (None, "MethodId", "::") => match text(tokens, position + 2) {
                identity if identity.starts_with(char::is_uppercase) => format!("MethodId::{identity}"),
                function if function.starts_with(char::is_alphabetic) => return None,
                _ => "MethodId::*".to_owned(),
            },
            _ => return None,
        };
        Some((token.line, name))
    };
    tokens.iter().enumerate().filter_map(mention).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_found_by_its_string_and_its_identity() {
        let rows = code::tokens("rows! { Posix\n Poll \"poll\" \"poll(2)\" on UNIX; \"As select.\" \"https://a\" }")
            .expect("Rust");
        let names = HashSet::from_iter(names_of_rows(&rows));
        assert_eq!(names, HashSet::from(["poll".to_owned()]));
        let found = |code: &str| mentions(&code::without_tests(&code::tokens(code).expect("Rust")).0, &names);
        assert_eq!(found("fn f(m: &str) -> bool {\n    m == \"poll\" }"), [(2, "poll".to_owned())]);
        for text in ["fn f() { g(MethodId::Spin) }", "use catalog::MethodId as M;", "use catalog::MethodId::*;"] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        let others = "/// Such as \"poll\".\nfn f() { MethodId::from_name(\"naps\") }\n#[cfg(test)] mod t { fn g() { \"poll\" } }";
        assert_eq!(found(others), []);
    }
}
