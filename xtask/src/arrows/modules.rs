//! The crate and the module of a source file.

/// A file's crate and module, such as `oversleep-lab` and `["capture", "clocks"]`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ModulePath {
    pub(super) package: String,
    pub(super) module: Vec<String>,
}

/// Returns the crate and module of a file by its path; `None` for tests, examples and build scripts, which are not
/// library or program code.
pub(super) fn place(path: &str) -> Option<ModulePath> {
    let (package, file) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let file = file.strip_suffix(".rs")?;
    let mut module: Vec<String> = file.split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod")) || matches!(file, "lib" | "main") {
        module.pop();
    }
    Some(ModulePath { package: package.to_owned(), module })
}

/// Returns whether a file is a module that is only for tests, or below one.
pub(super) fn is_below(place: &ModulePath, tests: &[ModulePath]) -> bool {
    tests.iter().any(|test| test.package == place.package && place.module.starts_with(&test.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Option<String> {
        place(path).map(|place| format!("{} {}", place.package, place.module.join("::")))
    }

    #[test]
    fn a_file_stands_where_the_compiler_finds_it() {
        assert_eq!(of("crates/a/src/lib.rs").as_deref(), Some("a "));
        assert_eq!(of("crates/a/src/b.rs").as_deref(), Some("a b"));
        assert_eq!(of("crates/a/src/b/mod.rs").as_deref(), Some("a b"));
        assert_eq!(of("crates/a/src/b/c.rs").as_deref(), Some("a b::c"));
        assert_eq!(of("crates/a/tests/b.rs"), None);
        assert_eq!(of("crates/a/build.rs"), None);
    }

    #[test]
    fn what_is_below_a_test_module_is_for_tests() {
        let tests = [place("crates/a/src/b/tests.rs").expect("a place")];
        let below = |path: &str| is_below(&place(path).expect("a place"), &tests);
        assert!(below("crates/a/src/b/tests.rs") && below("crates/a/src/b/tests/c.rs"));
        assert!(!below("crates/a/src/b/mod.rs") && !below("crates/c/src/b/tests.rs"));
    }
}
