//! Tests on small workspaces in temporary folders.

use std::fs;
use std::path::Path;

use super::*;

const ROOMS: &str = r#"
[[room]]
name = "base"
floor = 0
column = 0
uses = []

[[room]]
name = "house"
floor = 2
column = 0
uses = ["base"]

[[room]]
name = "study"
inside = "house"
floor = 1
column = 0
uses = ["base"]

[[room]]
name = "hall"
inside = "house"
floor = 2
column = 1
uses = ["study"]
"#;

const SOUND: [(&str, &str); 6] = [
    ("crates/base/Cargo.toml", "[package]\nname = \"base\"\n"),
    ("crates/base/src/lib.rs", "pub mod a;\n"),
    ("crates/house/Cargo.toml", "[package]\nname = \"house\"\n[dependencies]\nbase.workspace = true\n"),
    ("crates/house/src/lib.rs", "pub mod study; pub mod hall;\n"),
    ("crates/house/src/study/mod.rs", "use base::a;\n#[cfg(test)]\nmod tests;\n"),
    ("crates/house/src/hall.rs", "use crate::study::b;\nuse super::study;\n"),
];

/// Returns the errors of a workspace with this table, which has no errors but in these files.
fn faults(rooms: &str, files: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in SOUND.iter().chain([&(FILE, rooms)]).chain(files) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let (table, arrows, mut faults) = read_all(root.path())?;
    faults.extend(refused(&table, &arrows));
    Ok(faults)
}

fn fault(files: &[(&str, &str)]) -> String {
    faults(ROOMS, files).expect("a table").join("; ")
}

#[test]
fn arrows_that_run_down_are_no_faults() {
    assert_eq!(fault(&[]), "");
}

#[test]
fn an_arrow_up_between_crates_is_told_with_its_line() {
    let code = ("crates/base/src/a.rs", "fn f() {\n    house::hall::g();\n}\n");
    assert_eq!(fault(&[code]), "crates/base/src/a.rs:2: base may not use house");
    let manifest = ("crates/base/Cargo.toml", "[package]\nname = \"base\"\n[target.x.dependencies]\nhouse = \"1\"\n");
    assert_eq!(fault(&[manifest]), "crates/base/Cargo.toml:4: base may not use house");
}

#[test]
fn an_arrow_up_between_rooms_is_told_however_it_is_written() {
    for text in [
        "use crate::hall::b;",
        "use crate::{hall::b};",
        "use super::super::hall;",
        "fn f() { crate::hall::b() }",
        "mod c { use super::super::super::hall; }",
    ] {
        let found = fault(&[("crates/house/src/study/b.rs", text)]);
        assert_eq!(found, "crates/house/src/study/b.rs:1: study may not use hall", "{text}");
    }
    assert_eq!(fault(&[("crates/house/src/study/b.rs", "use super::hall;")]), "", "a module of its own");
}

#[test]
fn what_a_crate_may_use_its_rooms_do_not_yet() {
    let found = fault(&[("crates/house/src/hall.rs", "use base::a;")]);
    assert_eq!(found, "crates/house/src/hall.rs:1: hall may not use base");
}

#[test]
fn a_module_that_is_no_room_cannot_be_used() {
    let found = fault(&[("crates/house/src/study/b.rs", "use crate::shed::c;\nuse crate::*;")]);
    assert_eq!(
        found,
        "crates/house/src/study/b.rs:1: `crate::shed` is not a room of xtask/rooms.toml; \
         crates/house/src/study/b.rs:2: `crate::*` is not a room of xtask/rooms.toml"
    );
}

#[test]
fn tests_may_use_anything() {
    let tests = [
        ("crates/house/src/study/tests.rs", "use crate::hall::b;"),
        ("crates/house/tests/c.rs", "use base::a;"),
        ("crates/base/src/a.rs", "#[cfg(test)] mod tests { use house::hall; }"),
        ("crates/base/Cargo.toml", "[package]\nname = \"base\"\n[dev-dependencies]\nhouse = \"1\"\n"),
    ];
    assert_eq!(fault(&tests), "");
}

#[test]
fn an_exception_needs_a_reason_and_goes_when_nothing_needs_it() {
    let up = ("crates/house/src/study/b.rs", "use crate::hall::b;");
    let exception = format!("{ROOMS}[[exception]]\nfrom = \"study\"\nto = \"hall\"\n");
    assert!(faults(&exception, &[up]).is_err_and(|why| why.contains("reason")));
    let reason = format!("{exception}reason = \"why\"\n");
    assert_eq!(faults(&reason, &[up]), Ok(Vec::new()));
    assert_eq!(
        faults(&reason, &[]),
        Ok(vec!["xtask/rooms.toml: study no longer uses hall; the exception can go".to_owned()])
    );
}

#[test]
fn a_table_that_allows_an_arrow_up_or_names_no_room_is_refused() {
    let up = ROOMS.replace("uses = []", "uses = [\"house\"]");
    assert!(faults(&up, &[]).is_err_and(|why| why.contains("not on a lower floor")));
    let unknown = ROOMS.replace("uses = []", "uses = [\"cellar\"]");
    assert!(faults(&unknown, &[]).is_err_and(|why| why.contains("not a room")));
}

#[test]
fn a_room_whose_folder_is_gone_is_a_fault() {
    let more = format!("{ROOMS}[[room]]\nname = \"attic\"\nfloor = 3\ncolumn = 0\nuses = []\n");
    let gone = "xtask/rooms.toml: attic is a room, and crates/attic is not a folder";
    assert_eq!(faults(&more, &[]), Ok(vec![gone.to_owned()]));
}

#[test]
fn the_picture_counts_what_code_mentions() {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in SOUND.iter().chain([&(FILE, ROOMS)]) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let picture = drawn(root.path()).expect("a picture");
    assert!(picture.contains("<title>hall uses study in 2 places</title>"), "{picture}");
    assert!(picture.contains("<title>study uses base in 1 place</title>"), "{picture}");
    assert!(!picture.contains("house uses"), "{picture}");
}

/// Of this workspace, whose picture has many lines from one room.
#[test]
fn numbers_of_the_picture_do_not_overlap() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let picture = drawn(root).expect("a picture");
    let numbers: Vec<Vec<usize>> = picture
        .lines()
        .filter(|line| line.starts_with("<text class=\"count\""))
        .map(|line| line.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect())
        .collect();
    assert!(numbers.len() > 20, "{picture}");
    for (at, one) in numbers.iter().enumerate() {
        for other in &numbers[at + 1..] {
            let [[x, y, number], [other_x, other_y, other]] = [one, other].map(|of| [of[0], of[1], of[2]]);
            let apart = 4 * (number.to_string().len() + other.to_string().len());
            let free = x.abs_diff(other_x) >= apart || y.abs_diff(other_y) >= 12;
            assert!(free, "{number} at {x}, {y} and {other} at {other_x}, {other_y}");
        }
    }
    assert!(picture.contains("Numbers: in how many places"), "no legend");
}
