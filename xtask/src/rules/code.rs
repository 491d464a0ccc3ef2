//! Reads Rust as a flat list of tokens, so that the rules never trip over a comment or a string.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A word, a literal, a mark such as `::`, or a bracket.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) text: String,
    /// Line in the file, from 1.
    pub(super) line: usize,
    is_word: bool,
}

/// A path such as `crate::analysis::quantile`, without generic arguments and what follows them.
#[derive(Debug)]
pub(super) struct PathUse {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    /// Number of inline modules (`mod a { … }`) around the path.
    pub(super) depth: usize,
}

/// Returns the tokens of a file; an error if it is not Rust.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not read as Rust: {error}"))?;
    let mut found = Vec::new();
    flatten(stream, &mut found);
    Ok(found)
}

fn flatten(stream: TokenStream, found: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                found.push(Token { text: open.to_owned(), line, is_word: false });
                flatten(group.stream(), found);
                let line = group.span_close().start().line;
                found.push(Token { text: close.to_owned(), line, is_word: false });
            }
            TokenTree::Punct(punct) => match found.last_mut() {
                Some(last) if punct.as_char() == ':' && last.text == ":" => last.text.push(':'),
                _ => found.push(Token { text: punct.as_char().to_string(), line, is_word: false }),
            },
            TokenTree::Ident(word) => found.push(Token { text: word.to_string(), line, is_word: true }),
            TokenTree::Literal(literal) => found.push(Token { text: literal.to_string(), line, is_word: false }),
        }
    }
}

/// Returns the text at a position, or an empty one behind the end.
pub(super) fn text(tokens: &[Token], position: usize) -> &str {
    tokens.get(position).map_or("", |token| token.text.as_str())
}

/// Returns the position behind the bracket that closes the one at `open`.
pub(super) fn behind(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return position + 1;
        }
    }
    tokens.len()
}

/// Returns the tokens without items under `#[cfg(test)]`, and the names of modules in files of their own that are only
/// for tests.
pub(super) fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut kept, mut test_files, mut position) = (Vec::new(), Vec::new(), 0);
    while position < tokens.len() {
        if !is_test_attribute(tokens, position) {
            kept.push(tokens[position].clone());
            position += 1;
            continue;
        }
        position = behind(tokens, position + 1);
        // A `use` with braces, and a constant's value in them, end with a semicolon; a `const fn` ends with its body.
        let mut to_semicolon = false;
        while position < tokens.len() {
            match text(tokens, position) {
                "use" | "static" | "type" => to_semicolon = true,
                "const" => to_semicolon |= text(tokens, position + 1) != "fn",
                "mod" if text(tokens, position + 2) == ";" => test_files.push(text(tokens, position + 1).to_owned()),
                _ => {}
            }
            let ends = text(tokens, position) == ";" || text(tokens, position) == "{" && !to_semicolon;
            position =
                if matches!(text(tokens, position), "(" | "[" | "{") { behind(tokens, position) } else { position + 1 };
            if ends {
                break;
            }
        }
    }
    (kept, test_files)
}

/// Returns whether `#[cfg(test)]` begins here, or `all` with it. With `any` or `not`, the code is not only for tests.
fn is_test_attribute(tokens: &[Token], position: usize) -> bool {
    let begins = ["#", "[", "cfg", "("].iter().enumerate().all(|(after, word)| text(tokens, position + after) == *word);
    if !begins {
        return false;
    }
    let condition = &tokens[position + 4..behind(tokens, position + 3) - 1];
    let required = |(i, token): (usize, &Token)| token.text == "test" && (i < 2 || text(condition, i - 2) != "not");
    match text(condition, 0) {
        "test" => condition.len() == 1,
        "all" => condition.iter().enumerate().any(required),
        _ => false,
    }
}

/// What a brace contains.
enum Brace {
    /// Branches of a path, which begin with these segments.
    Branches(Vec<String>),
    Module,
    Other,
}

/// Returns every path, with all its branches: `use a::{b, c}` has `a::b` and `a::c`.
pub(super) fn paths(tokens: &[Token]) -> Vec<PathUse> {
    let (mut found, mut braces, mut segments) = (Vec::new(), Vec::new(), Vec::<String>::new());
    for (position, token) in tokens.iter().enumerate() {
        let before = if position == 0 { "" } else { text(tokens, position - 1) };
        let goes_on = before == "::" && !segments.is_empty();
        if token.text == "::" && !segments.is_empty() || goes_on && (token.is_word || token.text == "*") {
            segments.extend((token.text != "::").then(|| token.text.clone()));
            continue;
        }
        if goes_on && token.text == "{" {
            braces.push(Brace::Branches(std::mem::take(&mut segments)));
            continue;
        }
        if !segments.is_empty() {
            let depth = braces.iter().filter(|brace| matches!(brace, Brace::Module)).count();
            found.push(PathUse { segments: std::mem::take(&mut segments), line: tokens[position - 1].line, depth });
        }
        match (token.text.as_str(), braces.last()) {
            ("{", _) => {
                let is_module = position > 1 && text(tokens, position - 2) == "mod";
                braces.push(if is_module { Brace::Module } else { Brace::Other });
            }
            ("}", _) => drop(braces.pop()),
            // The new name in `a as b` is no path.
            ("as", Some(Brace::Branches(_))) => {}
            (_, Some(Brace::Branches(first))) if token.is_word && before != "as" => {
                segments = [first.as_slice(), std::slice::from_ref(&token.text)].concat();
            }
            (_, Some(Brace::Branches(first))) if token.text == "*" => {
                segments = [first.as_slice(), std::slice::from_ref(&token.text)].concat();
            }
            (_, Some(Brace::Branches(_))) => {}
            _ if token.is_word => segments = vec![token.text.clone()],
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_with_all_its_branches_and_test_code_left_out() {
        let read = |code: &str| {
            let found = paths(&without_tests(&tokens(code).expect("Rust")).0);
            let found = found.iter().map(|path| format!("{}@{}", path.segments.join("::"), path.depth));
            found.filter(|path| path.contains("::")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            read("use crate::{a::b, c::{self, d as e}, *};"),
            "crate::a::b@0 crate::c::self@0 crate::c::d@0 crate::*@0"
        );
        assert_eq!(
            read("fn f() { g(crate::a::h(1) as b::C, <x::Y>::z) } mod i { use j::k; }"),
            "crate::a::h@0 b::C@0 x::Y@0 j::k@1"
        );
        let tests = "#[cfg(test)] use a::{b};\n#[cfg(all(test, unix))] mod tests { use a::c; }\n#[cfg(test)] const fn f() { a::d() }";
        assert_eq!(
            read(&format!("{tests} #[cfg(test)] mod t; use a::e; // a::f\nconst A: &str = \"a::g\";")),
            "a::e@0"
        );
        assert_eq!(read("#[cfg(not(test))] use a::b; #[cfg(any(test, unix))] use a::c;"), "a::b@0 a::c@0");
        assert_eq!(without_tests(&tokens("#[cfg(test)]\nmod t;\nmod u;").expect("Rust")).1, ["t"]);
    }
}
