//! Checks that the manual page and the README agree with the header, and show the example that is compiled.

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Normalises a declaration: single spaces, and none where C does not need them.
fn plain(declaration: &str) -> String {
    let spaced = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
    [" (", "( ", " ,", " *", "* "].iter().fold(spaced, |text, wide| text.replace(wide, wide.trim())).replace(", ", ",")
}

/// Returns every declaration with brackets, as `int oversleep_f(int64_t a,int64_t*b)`, without what it tells compilers.
fn declared(header: &str) -> BTreeSet<String> {
    let code: String = header
        .lines()
        .filter(|line| !line.starts_with("//") && !line.starts_with('#'))
        .map(|line| format!("{} ", line.trim_start_matches("OVERSLEEP_MUST_USE")))
        .collect();
    let parts = code.split([';', '{', '}']).map(plain);
    parts.filter(|part| part.ends_with(')') && part.contains("oversleep_")).collect()
}

/// Returns the same from pairs of `.Ft TYPE` and `.Fn NAME PARAMETERS`.
fn described(page: &str) -> BTreeSet<String> {
    let synopsis = page.split(".Sh ").find(|section| section.starts_with("SYNOPSIS")).unwrap();
    let mut found = BTreeSet::new();
    let mut result = "";
    for line in synopsis.lines() {
        if let Some(kind) = line.strip_prefix(".Ft ") {
            result = kind.trim_matches('"');
        } else if let Some(function) = line.strip_prefix(".Fn ") {
            let (name, parameters) = function.split_once(' ').unwrap();
            let parameters = parameters.trim_matches('"').replace("\" \"", ",");
            found.insert(plain(&format!("{result} {name}({parameters})")));
        }
    }
    found
}

/// Returns the library's own names in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("oversleep_") || word.starts_with("OVERSLEEP_")).collect()
}

#[test]
fn the_manual_page_declares_what_the_header_declares() {
    let header = declared(&read("include/oversleep.h"));
    let page = described(&read("man/oversleep.3"));
    assert!(header.contains("int64_t oversleep_now(void)"), "{header:#?}");
    let missing: Vec<_> = header.difference(&page).collect();
    let other: Vec<_> = page.difference(&header).collect();
    assert!(missing.is_empty(), "in the header, not so in the manual page: {missing:#?}");
    assert!(other.is_empty(), "in the manual page, not so in the header: {other:#?}");
}

#[test]
fn no_document_names_what_the_header_does_not_and_the_page_names_every_constant() {
    let (header, page) = (read("include/oversleep.h"), read("man/oversleep.3"));
    let known = names(&header);
    for (name, text) in [("manual page", &page), ("README", &read("README.md"))] {
        let unknown: Vec<_> = names(text).into_iter().filter(|word| !known.contains(word)).collect();
        assert!(unknown.is_empty(), "only in the {name}: {unknown:?}");
    }
    let constants = known.iter().filter(|word| word.starts_with("OVERSLEEP_") && **word != "OVERSLEEP_H");
    let missing: Vec<_> = constants.filter(|word| !names(&page).contains(*word)).collect();
    assert!(missing.is_empty(), "not in the manual page: {missing:?}");
}

#[test]
fn every_function_with_a_status_is_tried_with_bad_values() {
    let tried = read("tests/c/misuse.c");
    let with_status = declared(&read("include/oversleep.h")).into_iter().filter_map(|declaration| {
        let name = declaration.strip_prefix("int ")?.split('(').next()?.to_owned();
        (!name.is_empty()).then_some(name)
    });
    let untried: Vec<_> = with_status.filter(|name| !names(&tried).contains(name.as_str())).collect();
    assert!(untried.is_empty(), "not in tests/c/misuse.c: {untried:?}");
}

/// Checks both; `programs.rs` compiles and runs the example.
#[test]
fn both_documents_show_the_example() {
    let example = read("examples/frames.c");
    assert!(read("README.md").contains(&example), "README.md does not show examples/frames.c as it is");
    // In roff a backslash must be escaped.
    let escaped = example.replace('\\', "\\e");
    assert!(read("man/oversleep.3").contains(&escaped), "oversleep.3 does not show examples/frames.c as it is");
}
