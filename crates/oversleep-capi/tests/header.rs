//! Checks that the header in the repository matches the library.

use std::path::Path;

#[test]
fn the_header_s_version_is_the_library_s() {
    let header = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include/oversleep.h")).unwrap();
    let stated = [
        ("", format!("\"{}\"", env!("CARGO_PKG_VERSION"))),
        ("_MAJOR", env!("CARGO_PKG_VERSION_MAJOR").to_owned()),
        ("_MINOR", env!("CARGO_PKG_VERSION_MINOR").to_owned()),
        ("_PATCH", env!("CARGO_PKG_VERSION_PATCH").to_owned()),
    ];
    for (part, value) in stated {
        let line = format!("#define OVERSLEEP_VERSION{part} {value}");
        assert!(header.lines().any(|l| l == line), "include/oversleep.h lacks: {line}");
    }
}

/// Rewrites the header where `OVERSLEEP_UPDATE_HEADER` is set; otherwise compares.
#[test]
fn the_header_is_what_cbindgen_makes_of_the_sources() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new().with_crate(here).with_config(config).generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = here.join("include/oversleep.h");
    if std::env::var_os("OVERSLEEP_UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == made, "include/oversleep.h is stale: OVERSLEEP_UPDATE_HEADER=1 cargo test -p oversleep-capi");
}
