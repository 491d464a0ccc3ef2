//! What words of other programs, and endings of other forms, are answered, compared whole with the committed snapshot.

use crate::refused::errors;
use crate::shown::same;
use oversleep_recording::catalog::System;

#[test]
fn words_of_other_programs_are_answered_with_ours() {
    let folder = tempfile::tempdir().unwrap();
    let said = errors(
        folder.path(),
        &[
            "measure -o x.feather",
            "measure -o x.json",
            "measure -m python",
            "measure -m sleep",
            "measure --hz 60",
            "measure --save x.arrows",
            "measure nanosleep -r 1ms",
            "measure 16ms",
            "measure -r 60hz",
            "measure -i 60fps",
            "measure -i 60hz,144hz",
            "measure --fail-if p95>1ms",
            "measure --fail-if median>1ms",
            "measure -o .",
            "measure --force -o .",
            "history",
            "diff",
            "plot",
            "report --format html",
            "report --html",
            "report -o x.csv",
            "compare --plot time",
            "compare --html",
            "compare --page",
            "export -o x.md",
            "export -o x.json",
            "every 60Hz --jitter -- true",
        ],
    );
    if System::HERE == Some(System::Linux) {
        same("errors-foreign-words", &said);
    }
}
