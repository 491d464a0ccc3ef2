//! `explain` of other programs' tables: errors say what to correct in a table that cannot be read.

use crate::support::{name, run};
use std::fs;
use std::path::Path;

const HEAD: &str = "method,requested_ns,start_ns,end_ns";

/// Returns a table of forty sleeps, each about 60 µs late.
fn table() -> String {
    let row = |n: u64| format!("nap,1000000,{},{}\n", n * 2_000_000, n * 2_000_000 + 1_060_000 + n % 7);
    format!("{HEAD}\n{}", (0..40).map(row).collect::<String>())
}

fn explained(folder: &Path, text: &str, options: &[&str]) -> crate::support::Ran {
    let path = name(folder, "table.csv");
    fs::write(&path, text).unwrap();
    run(&[&["explain", &path], options].concat())
}

#[test]
fn semicolons_and_tabs_part_fields_as_commas_do() {
    let folder = tempfile::tempdir().unwrap();
    let usual = explained(folder.path(), &table(), &[]);
    assert!(usual.code == Some(0) && usual.out.contains("nap"), "{usual:?}");
    for separator in [";", "\t"] {
        assert_eq!(explained(folder.path(), &table().replace(',', separator), &[]).out, usual.out);
    }
    let spaces = explained(folder.path(), &table().replace(',', " "), &[]);
    assert_eq!((spaces.code, spaces.err.lines().count()), (Some(3), 1), "{}", spaces.err);
    assert!(spaces.err.contains("separated by commas, semicolons or tabs"), "{}", spaces.err);
}

#[test]
fn a_damaged_table_is_refused_and_partly_read_when_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let broken = format!("{}nap,1000000,5\n", table());
    let ran = explained(folder.path(), &broken, &[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(3), "", 1), "{}", ran.err);
    for words in ["line 42: 3 fields where the header has 4", "sound rows before that: 40", "--partial"] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let ran = explained(folder.path(), &broken, &["--partial"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, explained(folder.path(), &table(), &[]).out);
    assert!(ran.err.contains("line 42"), "{}", ran.err);
}

#[test]
fn what_has_no_lines_is_no_table() {
    if !Path::new("/dev/zero").exists() {
        println!("skipped: this system has no /dev/zero");
        return;
    }
    let ran = run(&["explain", "/dev/zero"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.contains("this is neither a recording nor text"), "{}", ran.err);
}

#[test]
fn a_table_is_reported_and_exported_as_it_is_explained_and_nothing_is_neither() {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "table.csv");
    fs::write(&path, table()).unwrap();
    let report = run(&["report", &path]);
    assert_eq!((report.code, &*report.err), (Some(0), &*format!("next: oversleep explain {path}\n")));
    assert!(report.out.lines().any(|line| line.starts_with("nap ") && line.contains(" 40 ")), "{report:?}");
    let export = run(&["export", &path]);
    assert_eq!(export.out.lines().count(), 41, "{export:?}");
    // The exported CSV can be read again as a table.
    let again = name(folder.path(), "again.csv");
    fs::write(&again, export.out).unwrap();
    assert_eq!(run(&["report", &again]).out.replace("again.csv", "table.csv"), report.out);
    for command in ["report", "export"] {
        fs::write(&path, format!("{}nap,1000000,5\n", table())).unwrap();
        let broken = run(&[command, &path]);
        assert_eq!(broken.code, Some(3), "{broken:?}");
        assert!(broken.err.contains("line 42: 3 fields where the header has 4"), "{broken:?}");
        assert_eq!(run(&[command, &path, "--partial"]).code, Some(0));
    }
    let ran = explained(folder.path(), "", &[]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("it is empty: no recording and no table"), "{}", ran.err);
}

#[test]
fn a_single_sleep_is_told_in_the_singular() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explained(folder.path(), &format!("{HEAD}\nnap,1000000,0,1060000\n"), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("\nUndecided: what rules the lateness of nap: not enough to tell: a single sleep"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("\n\n\n"), "{}", ran.out);
    // The table's machine may be another one, and `nap` is not a method of this program: no command is proposed.
    assert!(
        ran.out.contains("To decide, measure on their machine: 800 sleeps of nap of random lengths"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("oversleep measure"), "{}", ran.out);
}

/// A single stop moves no median, but a headline that no cause stands out would deny what stands below it.
#[test]
fn a_headline_names_what_was_found_even_if_it_does_not_explain_the_median() {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "early.csv");
    let rows = "4000000000000000000,0,10\n1,0,4000000000000000000\n".repeat(500);
    fs::write(&path, format!("requested_ns,start_ns,end_ns\n{rows}")).unwrap();
    let text = run(&["report", "--markdown", &path]).out;
    assert!(text.contains("**early wake**"), "{text}");
    let headline = text.lines().next().unwrap();
    assert!(headline.contains(", which no cause explains; other findings: early wake"), "{headline}");
    assert!(!text.contains("no cause stands out"), "{text}");
}

/// However narrow the terminal is, and in Markdown too, rows that differ in one column alone can be told from each other.
#[test]
fn rows_are_shown_with_what_distinguishes_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oversleep-lab/tests/data/imports");
    let rtla = name(&folder, "rtla-timerlat-hist-made-up.txt");
    let narrow = crate::support::finish(crate::support::oversleep().args(["report", &rtla]).env("COLUMNS", "60"));
    let heading = narrow.out.lines().find(|line| line.starts_with("method")).unwrap();
    assert!(heading.contains("what") && heading.contains("conditions"), "{}", narrow.out);
    let text = run(&["report", "--markdown", &rtla]).out;
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| rtla ")).collect();
    let names: std::collections::BTreeSet<&str> = rows.iter().filter_map(|row| row.split('|').nth(1)).collect();
    assert!(rows.len() > 1 && names.len() == rows.len(), "{text}");
}

/// Reports of other programs' files fit the terminal, whatever they hold.
#[test]
fn reports_of_other_programs_files_fit_the_terminal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oversleep-lab/tests/data/imports");
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path().display().to_string();
        for columns in [60, 80, 120] {
            let mut command = crate::support::oversleep();
            let ran = crate::support::finish(command.args(["report", &file]).env("COLUMNS", columns.to_string()));
            // A path is not broken.
            let long = ran.out.lines().find(|line| line.chars().count() > columns && !line.contains(&file));
            assert_eq!(long, None, "{file} at {columns}:\n{}", ran.out);
        }
    }
}
