//! What cannot be done, with the whole answer: the files `snapshots/errors-*.snap` are read for what to try, and compared with what
//! is answered. To add a case, write its line, which begins with `$`, and set `INSTA_UPDATE=always`; then read the answer.

use crate::shown::same;
use crate::support::{finish, oversleep, words};
use oversleep_recording::catalog::System;
use serde_json::{Deserializer, Value};
use std::fs;
use std::path::Path;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Tries every line of a snapshot and compares all answers with it; only on Linux, as some names differ elsewhere.
fn answers(snapshot: &str, try_line: impl Fn(&Path, &str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(Path::new(HERE).join("tests/data/refused")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    fs::write(folder.path().join("large.toml"), "#".repeat((1 << 20) + 1)).unwrap();
    fs::write(folder.path().join("zeros.arrows"), [0; 4096]).unwrap();
    let committed = fs::read_to_string(format!("{HERE}/tests/cli/snapshots/{snapshot}.snap")).unwrap();
    let lines = committed.lines().filter_map(|line| line.strip_prefix("$ "));
    let text: String = lines.map(|line| format!("$ {line}\n{}", try_line(folder.path(), line))).collect();
    assert!(!text.is_empty(), "{snapshot} has no line to try");
    if System::HERE == Some(System::Linux) {
        same(snapshot, &text);
    }
}

/// Runs a command in the folder, where no recording is kept; returns its error, which is one line, with its exit status.
fn refusal(folder: &Path, line: &str, arguments: &[&str]) -> String {
    let ran = finish(oversleep().args(arguments).current_dir(folder).env("XDG_STATE_HOME", folder.join("state")));
    assert_eq!((ran.out.as_str(), ran.err.lines().count()), ("", 1), "{line}: {}{}", ran.out, ran.err);
    assert_ne!(ran.code, Some(0), "{line}");
    format!("{}[{}]\n\n", ran.err.replace(&folder.display().to_string(), "FOLDER"), ran.code.unwrap_or(-1))
}

/// Returns how `oversleep ARGUMENTS` is refused.
fn command(folder: &Path, line: &str) -> String {
    let words = words(line);
    refusal(folder, line, &words.iter().skip(1).map(String::as_str).collect::<Vec<_>>())
}

/// Returns the bytes of a text whose characters each stand for a byte.
fn bytes(text: &Value) -> Vec<u8> {
    text.as_str().expect("a text").chars().map(|letter| u8::try_from(letter).expect("a byte")).collect()
}

/// Returns a file with a change, such as `replace "from" "to"`.
fn changed(mut file: Vec<u8>, change: &str) -> Vec<u8> {
    let (verb, values) = change.split_once(' ').unwrap_or((change, ""));
    let values: Vec<Value> = Deserializer::from_str(values).into_iter().map(|value| value.expect("JSON")).collect();
    let place = |file: &[u8], text: &[u8]| file.windows(text.len()).position(|window| window == text).expect(change);
    match (verb, &values[..]) {
        ("write", [text]) => file = bytes(text),
        ("append", [text]) => file.extend(bytes(text)),
        ("repeat", []) => file.extend_from_within(..),
        ("cut-at", [text]) => file.truncate(place(&file, &bytes(text))),
        ("cut-off", [count]) => file.truncate(file.len() - usize::try_from(count.as_u64().unwrap()).unwrap()),
        ("replace", [from, to]) => {
            let (from, to) = (bytes(from), bytes(to));
            let begin = place(&file, &from);
            file.splice(begin..begin + from.len(), to);
        }
        _ => panic!("no change: {change}"),
    }
    file
}

/// Returns how `report` refuses a file of another program with one change, of a line `FILE OPTIONS: CHANGE`.
fn report(folder: &Path, line: &str) -> String {
    let (arguments, change) = line.split_once(": ").expect("a file and a change");
    let arguments = words(arguments);
    let sound = Path::new(HERE).join("../oversleep-lab/tests/data/imports").join(&arguments[0]);
    fs::write(folder.join(&arguments[0]), changed(fs::read(sound).unwrap_or_default(), change)).unwrap();
    refusal(folder, line, &["report"].into_iter().chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>())
}

#[test]
fn errors_of_commands() {
    for subject in [
        "recordings",
        "requests",
        "options",
        "passed-over",
        "empty-arguments",
        "asked",
        "files-and-kernels",
        "kernels-and-tools",
        "outputs",
        "schedules-and-servers",
        "foreign-words",
    ] {
        answers(&format!("errors-{subject}"), command);
    }
}

#[test]
fn errors_of_files() {
    for subject in ["imports", "tables"] {
        answers(&format!("errors-{subject}"), report);
    }
}
