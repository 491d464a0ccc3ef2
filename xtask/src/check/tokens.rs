//! Finds names in Rust code. The file is read as tokens, so comments and strings do not count.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A name that was found: its line, from 1, and the name as the exception list writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) line: usize,
    pub(super) name: &'static str,
}

/// Identifiers that always name a platform.
const PLATFORM_IDENTIFIERS: [&str; 7] =
    ["target_os", "target_family", "target_env", "target_vendor", "libc", "windows_sys", "rustix"];
/// Modules of `std::os`.
const OS_MODULES: [&str; 7] = ["unix", "windows", "linux", "fd", "raw", "macos", "wasi"];

/// Returns every platform name in `text`; an error if it is not Rust.
pub(super) fn platforms(text: &str) -> Result<Vec<Found>, String> {
    scan(text, platform)
}

/// Returns every `unsafe` and every mention of the lint `unsafe_code` in `text`.
pub(super) fn unsafety(text: &str) -> Result<Vec<Found>, String> {
    scan(text, |tokens, at| match word(tokens, at)?.as_str() {
        "unsafe" => Some("unsafe"),
        "unsafe_code" => Some("unsafe_code"),
        _ => None,
    })
}

/// A function that returns the name found at a position in a list of sibling tokens.
type Judge = fn(&[TokenTree], usize) -> Option<&'static str>;

fn scan(text: &str, judge: Judge) -> Result<Vec<Found>, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not read as Rust: {error}"))?;
    let mut found = Vec::new();
    descend(stream, judge, &mut found);
    Ok(found)
}

fn descend(stream: TokenStream, judge: Judge, found: &mut Vec<Found>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(name) = judge(&tokens, at) {
            found.push(Found { line: token.span().start().line, name });
        }
        if let TokenTree::Group(group) = token {
            descend(group.stream(), judge, found);
        }
    }
}

fn platform(tokens: &[TokenTree], at: usize) -> Option<&'static str> {
    let name = word(tokens, at)?;
    if let Some(known) = PLATFORM_IDENTIFIERS.iter().find(|known| **known == name) {
        return Some(known);
    }
    match name.as_str() {
        "cfg" | "cfg_attr" => condition(tokens, at),
        "os" if path_goes_on(tokens, at) => os_module(tokens, at + 3).then_some("std::os"),
        _ => None,
    }
}

/// Returns the name for a `cfg(…)` or `cfg!(…)` with `unix` or `windows` at any depth.
fn condition(tokens: &[TokenTree], at: usize) -> Option<&'static str> {
    let group = tokens[at + 1..].iter().take(2).find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    })?;
    if mentions(group.stream(), "unix") {
        return Some("cfg(unix)");
    }
    mentions(group.stream(), "windows").then_some("cfg(windows)")
}

fn mentions(stream: TokenStream, name: &str) -> bool {
    stream.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn path_goes_on(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(at + 1) && colon(at + 2)
}

/// Returns whether a module of `std::os`, or braces with one, is at this position.
fn os_module(tokens: &[TokenTree], at: usize) -> bool {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => OS_MODULES.iter().any(|module| ident == module),
        Some(TokenTree::Group(group)) => OS_MODULES.iter().any(|module| mentions(group.stream(), module)),
        _ => false,
    }
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

    fn names(text: &str) -> Vec<&'static str> {
        platforms(text).expect("Rust").iter().map(|found| found.name).collect()
    }

    #[test]
    fn each_kind_of_platform_name_is_found() {
        assert_eq!(names("#[cfg(target_os = \"linux\")] fn f() {}"), ["target_os"]);
        assert_eq!(names("#[cfg(any(test, not(unix)))] fn f() {}"), ["cfg(unix)"]);
        assert_eq!(names("fn f() -> bool { cfg!(windows) }"), ["cfg(windows)"]);
        assert_eq!(names("#[cfg_attr(windows, ignore)] fn f() {}"), ["cfg(windows)"]);
        assert_eq!(names("fn f() { let _ = libc::EINTR; }"), ["libc"]);
        assert_eq!(names("use windows_sys::Win32;"), ["windows_sys"]);
        assert_eq!(names("use std::os::fd::AsRawFd;"), ["std::os"]);
        assert_eq!(names("use std::{io, os::unix::fs::PermissionsExt};"), ["std::os"]);
        assert_eq!(names("use std::os::{fd::AsFd};"), ["std::os"]);
    }

    #[test]
    fn comments_strings_and_other_names_are_not() {
        assert_eq!(names("// target_os\n/// libc::EINTR\nconst A: &str = \"cfg(unix) libc::\";"), Vec::<&str>::new());
        assert_eq!(names("use oversleep_sys::units::Nanos; fn windows(unix: u8) {}"), Vec::<&str>::new());
    }

    #[test]
    fn the_line_is_given() {
        let found = platforms("fn f() {\n    g();\n    libc::h();\n}").expect("Rust");
        assert_eq!(found, [Found { line: 3, name: "libc" }]);
    }

    #[test]
    fn unsafe_blocks_and_lifted_lints_are_found() {
        let found = unsafety("#![allow(unsafe_code)]\nfn f() { unsafe { g() } }\n// unsafe\n").expect("Rust");
        assert_eq!(found, [Found { line: 1, name: "unsafe_code" }, Found { line: 2, name: "unsafe" }]);
    }

    #[test]
    fn what_is_not_rust_is_an_error_and_not_a_pass() {
        assert!(platforms("fn f( {").is_err());
    }
}
