//! Finds the paths that a Rust file mentions outside its test code. The file is read as tokens, so comments and strings
//! do not count.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A path such as `crate::analysis::quantile`, without generic arguments and what follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    /// Number of inline modules (`mod a { … }`) around the path.
    pub(super) depth: usize,
}

/// What is found in a file.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub(super) paths: Vec<Mention>,
    /// Names of modules in files of their own that are only for tests.
    pub(super) test_files: Vec<String>,
}

/// Reads a file; the error says why it is not Rust.
pub(super) fn read(text: &str) -> Result<Mentions, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not read as Rust: {error}"))?;
    let mut mentions = Mentions::default();
    walk(stream, 0, &mut mentions);
    Ok(mentions)
}

fn walk(stream: TokenStream, depth: usize, mentions: &mut Mentions) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens, at) {
            at = after_item(&tokens, at + 2, mentions);
        } else if let Some(group) = module(&tokens, at) {
            walk(group.stream(), depth + 1, mentions);
            at += 3;
        } else if word(&tokens, at).is_some() {
            at = path(&tokens, at, &[], depth, mentions);
        } else {
            if let TokenTree::Group(group) = &tokens[at] {
                walk(group.stream(), depth, mentions);
            }
            at += 1;
        }
    }
}

/// Adds the path that begins with `before` and goes on at `start`, or all paths of its braces; returns where it ends.
fn path(tokens: &[TokenTree], start: usize, before: &[String], depth: usize, mentions: &mut Mentions) -> usize {
    let mut segments = before.to_vec();
    let line = tokens[start].span().start().line;
    let mut at = start;
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => segments.push(ident.to_string()),
            Some(TokenTree::Punct(punct)) if punct.as_char() == '*' => segments.push("*".to_owned()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                branches(group, &segments, depth, mentions);
                return at + 1;
            }
            _ => break,
        }
        at += 1;
        if !is_separator(tokens, at) {
            break;
        }
        at += 2;
    }
    mentions.paths.push(Mention { segments, line, depth });
    at
}

/// Adds the paths of `before::{…}`.
fn branches(group: &Group, before: &[String], depth: usize, mentions: &mut Mentions) {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut start = 0;
    for branch in tokens.split(is_comma) {
        if !branch.is_empty() {
            path(&tokens[..start + branch.len()], start, before, depth, mentions);
        }
        start += branch.len() + 1;
    }
}

/// Returns whether the tokens are `#[cfg(test)]`, or a condition that includes it.
fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let Some(TokenTree::Group(attribute)) = tokens.get(at + 1) else { return false };
    let is_attribute = matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == '#');
    let inner: Vec<TokenTree> = attribute.stream().into_iter().collect();
    is_attribute
        && word(&inner, 0).as_deref() == Some("cfg")
        && matches!(inner.get(1), Some(TokenTree::Group(group)) if asks_for_tests(group.stream()))
}

/// Returns whether a condition is `test` or `all(…, test, …)`. With `any` or `not`, the code is not only for tests.
fn asks_for_tests(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match (word(&tokens, 0).as_deref(), tokens.get(1)) {
        (Some("test"), None) => true,
        (Some("all"), Some(TokenTree::Group(group))) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
            inner.split(is_comma).any(|part| asks_for_tests(part.iter().cloned().collect()))
        }
        _ => false,
    }
}

/// Returns where the item ends that starts here, after its attributes; adds it if it is a module in a file of its own.
fn after_item(tokens: &[TokenTree], start: usize, mentions: &mut Mentions) -> usize {
    let mut to_semicolon = false;
    let mut named_module = None;
    for (offset, token) in tokens[start..].iter().enumerate() {
        let at = start + offset;
        match token {
            TokenTree::Ident(ident) if ["use", "const", "static", "type", "let"].iter().any(|word| ident == word) => {
                // A `const fn` ends with its body, like other functions.
                to_semicolon |= word(tokens, at + 1).as_deref() != Some("fn");
            }
            TokenTree::Ident(ident) if ident == "mod" => named_module = word(tokens, at + 1),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !to_semicolon => return at + 1,
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                mentions.test_files.extend(named_module);
                return at + 1;
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Returns the body of an inline module that begins here.
fn module(tokens: &[TokenTree], at: usize) -> Option<&Group> {
    let named = word(tokens, at)? == "mod" && word(tokens, at + 1).is_some();
    match tokens.get(at + 2) {
        Some(TokenTree::Group(group)) if named => Some(group),
        _ => None,
    }
}

fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

fn word(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let mentions = read(text).expect("Rust");
        mentions.paths.iter().map(|mention| mention.segments.join("::")).filter(|path| path.contains("::")).collect()
    }

    #[test]
    fn a_path_is_read_with_all_its_branches() {
        assert_eq!(paths("use crate::{a::b, c::{self, d as e}};"), ["crate::a::b", "crate::c::self", "crate::c::d"]);
        assert_eq!(paths("fn f() { g(crate::a::h(1), <x::Y>::z) }"), ["crate::a::h", "x::Y"]);
        assert_eq!(paths("use crate::*;"), ["crate::*"]);
        assert_eq!(paths("// crate::a::b\nconst A: &str = \"crate::a::b\";"), Vec::<String>::new());
    }

    #[test]
    fn code_for_tests_alone_does_not_count_and_other_code_does() {
        let tests = "#[cfg(test)] use a::{b};\n#[cfg(all(test, unix))] mod tests { use a::c; }\n#[cfg(test)] const fn f() { a::d() }";
        assert_eq!(paths(&format!("{tests} use a::e;")), ["a::e"]);
        assert_eq!(paths("#[cfg(not(test))] use a::b; #[cfg(any(test, unix))] use a::c;"), ["a::b", "a::c"]);
    }

    #[test]
    fn a_test_module_in_its_own_file_is_told() {
        assert_eq!(read("#[cfg(test)]\nmod tests;\nmod other;").expect("Rust").test_files, ["tests"]);
    }

    #[test]
    fn a_module_written_out_is_one_step_deeper() {
        let mentions = read("mod a { use super::super::b::c; }").expect("Rust");
        let found = mentions.paths.iter().find(|mention| mention.segments.len() == 4).expect("a path");
        assert_eq!((found.depth, found.line), (1, 1));
    }
}
