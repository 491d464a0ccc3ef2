//! Recordings that cannot be read: one clear line on standard error, exit 3, no panic.

use crate::support::{name, recording, run};
use std::fs;
use std::path::Path;

/// Requires that `report` and `export` say why they refuse the file, in one line, and exit with 3.
fn refused(path: &str, reason: &str) {
    for command in ["report", "export"] {
        let ran = run(&[command, path]);
        assert_eq!(ran.code, Some(3), "{command} {path}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{command} {path}: {}", ran.err);
        assert!(ran.err.contains(reason) && ran.err.contains(path), "{command}: {}", ran.err);
    }
}

fn written(folder: &Path, file: &str, bytes: &[u8]) -> String {
    fs::write(folder.join(file), bytes).unwrap();
    name(folder, file)
}

#[test]
fn what_is_not_there_or_no_file() {
    let folder = tempfile::tempdir().unwrap();
    refused(&name(folder.path(), "none.arrows"), "cannot read");
    refused(&folder.path().display().to_string(), "cannot read");
}

#[test]
fn what_is_something_else() {
    let folder = tempfile::tempdir().unwrap();
    refused(&written(folder.path(), "empty", b""), "it is empty: no recording and no table");
    refused(&written(folder.path(), "text", b"method,requested_ns\n"), "the header lacks `start_ns`");
    refused(&written(folder.path(), "long", &[b'x'; 5_000]), "the header lacks `requested_ns`");
    refused(&written(folder.path(), "ones", &[0xFF; 5_000]), "not a recording of oversleep");
}

#[test]
fn tables_beyond_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let head = "method,requested_ns,start_ns,end_ns";
    let methods: String = (0..1_100).map(|n| format!("m{n},1,0,1\n")).collect();
    let keys: String = (0..1_100).map(|n| format!("\"k{n}\":1,")).collect();
    for (file, text, reason) in [
        ("name.csv", format!("{head}\n{},1,0,1\n", "m".repeat(5_000)), "a method's name of more than 4096 bytes"),
        ("methods.csv", format!("{head}\n{methods}"), "line 1026: more than 1024 different methods"),
        ("keys.jsonl", format!("{{\"requested_ns\":1,{keys}\"start_ns\":0,\"end_ns\":1}}\n"), "more than 1024 keys"),
    ] {
        refused(&written(folder.path(), file, text.as_bytes()), reason);
    }
}

#[test]
fn what_a_later_version_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(recording(folder.path())).unwrap();
    let place = |bytes: &[u8], needle: &[u8]| bytes.windows(needle.len()).position(|window| window == needle);
    let needle = b"\"format\":2,";
    let format = place(&bytes, needle).expect("the head says its format") + needle.len() - 2;
    bytes[format] = b'7';
    refused(&written(folder.path(), "changed.arrows", &bytes), "is damaged at byte 0, in its description");
    // A later version may do without our checksums.
    let sealed = place(&bytes, b"oversleep-crc32").expect("the head has a checksum");
    bytes[sealed] = b'O';
    refused(&written(folder.path(), "later.arrows", &bytes), "format 7");
}

#[test]
fn what_breaks_off_is_used_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(recording(folder.path())).unwrap();
    let cut = written(folder.path(), "cut.arrows", &bytes[..bytes.len() - 20]);
    let ran = run(&["report", &cut]);
    assert!(ran.err.contains("breaks off") || ran.err.contains("did not end properly"), "{}", ran.err);
    refused(&written(folder.path(), "head.arrows", &bytes[..500]), "ends before its description is complete");
}

#[test]
fn what_is_damaged_is_refused_and_partly_read_when_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(recording(folder.path())).unwrap();
    // The first byte of the marker that ends the stream: a message's marker and a length of zero.
    let end = bytes.len() - 8;
    bytes[end] = 0;
    let path = written(folder.path(), "hit.arrows", &bytes);
    refused(&path, "is damaged at byte");
    let partial = run(&["report", "--partial", &path]);
    assert_eq!(partial.code, Some(0), "{}", partial.err);
    assert!(partial.out.contains("nanosleep") && partial.err.contains("is damaged at byte"), "{partial:?}");
}

/// Returns where the last message of a recording begins: with a marker, its length and the place of its root.
fn last_message(bytes: &[u8]) -> usize {
    let number =
        |place: usize| bytes.get(place..place + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let is_message = |place: &usize| {
        number(*place) == Some(u32::MAX)
            && number(place + 4).is_some_and(|length| (64..65_536).contains(&length))
            && number(place + 8).is_some_and(|root| (4..64).contains(&root))
    };
    (0..bytes.len()).rfind(is_message).expect("a recording has messages")
}

#[test]
fn a_broken_structure_is_told_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(recording(folder.path())).unwrap();
    let begun = last_message(&bytes);
    bytes[begun + 8..begun + 12].fill(0x7F);
    let path = written(folder.path(), "broken.arrows", &bytes);
    refused(&path, &format!("is damaged at byte {begun}, in batch "));
    refused(&path, ": its structure is broken; ");
    assert!(!run(&["report", &path]).err.contains('\t'));
}

#[test]
fn what_breaks_off_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let whole = recording(folder.path()).display().to_string();
    let bytes = fs::read(&whole).unwrap();
    let cut = written(folder.path(), "cut.arrows", &bytes[..bytes.len() - 20]);
    let ran = run(&["compare", &whole, &cut]);
    assert!(ran.err.starts_with(&format!("{cut}: the recording breaks off at byte ")), "{}", ran.err);
}

#[test]
fn an_export_that_fails_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(recording(folder.path())).unwrap();
    let end = bytes.len() - 8;
    bytes[end] = 0;
    let path = written(folder.path(), "hit.arrows", &bytes);
    for form in ["csv", "jsonl", "hlog", "hgrm", "prom", "pftrace", "arrows"] {
        let out = written(folder.path(), &format!("old.{form}"), b"what was there");
        let ran = run(&["export", &path, "-o", &out, "--force"]);
        assert_eq!(ran.code, Some(3), "{form}: {}", ran.err);
        assert!(!ran.err.contains("exists already"), "{form}: {}", ran.err);
        assert_eq!(fs::read(&out).unwrap(), b"what was there", "{form}");
        assert!(run(&["export", "--partial", &path, "-o", &out, "--force"]).code == Some(0), "{form}");
        assert_ne!(fs::read(&out).unwrap(), b"what was there", "{form}");
    }
    let beside = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> = beside.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert!(parts.is_empty(), "{parts:?}");
}

#[test]
fn counts_are_no_samples_to_export() {
    let folder = tempfile::tempdir().unwrap();
    // A summary: minimum, average and maximum, but no times of single sleeps.
    let line = b"T: 0 (11543) P:80 I:1000 C:    981 Min:     15 Act:   64 Avg:   81 Max:    2064\n";
    let summary = written(folder.path(), "summary.txt", line);
    for form in ["csv", "jsonl", "hlog", "hgrm", "prom", "pftrace"] {
        let out = written(folder.path(), &format!("old.{form}"), b"what was there");
        let ran = run(&["export", &summary, "-o", &out, "--force"]);
        assert_eq!(ran.code, Some(3), "{form}: {}", ran.err);
        assert!(ran.err.contains("nothing to export: "), "{form}: {}", ran.err);
        assert_eq!(fs::read(&out).unwrap(), b"what was there", "{form}");
    }
    let out = name(folder.path(), "summary.arrows");
    assert_eq!(run(&["export", &summary, "-o", &out]).code, Some(0), "a recording holds counts too");
    assert_eq!(run(&["report", &out]).code, Some(0));
}

#[test]
fn a_name_of_two_lines_is_written_on_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two\nlines\u{1b}[31m.csv");
    if std::fs::write(&path, "requested_ns,start_ns,end_ns,colour\n1000,0,1058,red\n").is_err() {
        println!("skipped: this system has no such names");
        return;
    }
    let path = path.display().to_string();
    let ran = run(&["report", &path]);
    let lines: Vec<&str> = ran.err.lines().collect();
    let [remark, next] = lines[..] else { panic!("{lines:?}") };
    assert!(remark.ends_with("two\\nlines\\u{1b}[31m.csv: columns that are not read: colour"), "{remark}");
    assert!(next.starts_with("next: oversleep explain $'") && next.ends_with("two\\012lines\\033[31m.csv'"), "{next}");
    let named = |line: &str| line.starts_with("imported from ") && line.contains("two lines [31m.csv");
    assert!(ran.out.lines().any(named), "{}", ran.out);
}
