//! Finds strings and method identities in Rust code. The file is read as tokens, so comments do not count.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A name by which code may mean a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// The text of a plain string.
    Text(String),
    /// The `X` of `MethodId::X`; `*` if several are meant.
    Identity(String),
}

/// A name and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// Line in the file, from 1.
    pub(super) line: usize,
    /// The name.
    pub(super) name: Name,
}

/// Returns every plain string in `text` and every `MethodId::X`, except in items under `#[cfg(test)]`.
pub(super) fn of(text: &str) -> Result<Vec<Mention>, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not read as Rust: {error}"))?;
    let mut found = Vec::new();
    mentions_in(stream, &mut found);
    Ok(found)
}

/// Returns the methods' names in a file of rows: the strings between a row's identity and its call.
pub(super) fn names_of_rows(text: &str) -> Result<Vec<String>, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not read as Rust: {error}"))?;
    let mut names = Vec::new();
    for group in stream.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        for row in tokens.windows(4) {
            if let [TokenTree::Ident(_), name, call, TokenTree::Ident(on)] = row
                && let (Some(name), Some(_)) = (plain(name), plain(call))
                && on == "on"
            {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Returns the text of a plain string.
fn plain(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let written = literal.to_string();
    Some(written.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

fn mentions_in(stream: TokenStream, found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut tested = false;
    for (at, token) in tokens.iter().enumerate() {
        tested |= is_test_attribute(&tokens, at);
        let name = match token {
            TokenTree::Literal(_) => plain(token).map(Name::Text),
            TokenTree::Ident(_) => identity(&tokens, at),
            _ => None,
        };
        found.extend(name.map(|name| Mention { line: token.span().start().line, name }));
        if let TokenTree::Group(group) = token {
            let body = group.delimiter() == Delimiter::Brace;
            if !(tested && body) {
                mentions_in(group.stream(), found);
            }
            tested &= !body;
        }
        tested &= !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    }
}

/// Returns whether the tokens are `#[cfg(test)]`, after which the item's braces contain only tests.
fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    match (&tokens[at], tokens.get(at + 1)) {
        (TokenTree::Punct(mark), Some(TokenTree::Group(group))) => {
            mark.as_char() == '#' && group.stream().to_string().replace(' ', "") == "cfg(test)"
        }
        _ => false,
    }
}

/// Returns the name in `MethodId::X`, or `*` for `MethodId::*`, `MethodId::{…}` and `MethodId as X`, which can stand
/// for any.
fn identity(tokens: &[TokenTree], at: usize) -> Option<Name> {
    let any = || Name::Identity("*".to_owned());
    if word(tokens, at)? != "MethodId" {
        return None;
    }
    if word(tokens, at + 1).is_some_and(|word| word == "as") {
        return Some(any());
    }
    match path_goes_on(tokens, at).then(|| tokens.get(at + 3)).flatten()? {
        TokenTree::Ident(ident) => {
            let name = ident.to_string();
            name.starts_with(char::is_uppercase).then_some(Name::Identity(name))
        }
        _ => Some(any()),
    }
}

fn path_goes_on(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(at + 1) && colon(at + 2)
}

fn word(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}
