//! Recordings that cannot be read: one clear line, exit 3, no panic.

use crate::support::{name, recording, run};
use std::fs;
use std::path::Path;

/// Both commands that read say why, in one line, and exit with 3.
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
    refused(&written(folder.path(), "empty", b""), "nothing in it: no recording and no table");
    refused(&written(folder.path(), "text", b"method,requested_ns\n"), "the header lacks `start_ns`");
    refused(&written(folder.path(), "long", &[b'x'; 5_000]), "the header lacks `requested_ns`");
    refused(&written(folder.path(), "ones", &[0xFF; 5_000]), "not a recording of oversleep");
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
    refused(&written(folder.path(), "head.arrows", &bytes[..500]), "ends before its head");
}

#[test]
fn what_is_damaged_is_refused_and_partly_read_when_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(recording(folder.path())).unwrap();
    // The last message's length, which stands after the marker of the stream's end.
    let end = bytes.len() - 8;
    bytes[end] = 0;
    let path = written(folder.path(), "hit.arrows", &bytes);
    refused(&path, "is damaged at byte");
    let partial = run(&["report", "--partial", &path]);
    assert_eq!(partial.code, Some(0), "{}", partial.err);
    assert!(partial.out.contains("nanosleep") && partial.err.contains("is damaged at byte"), "{partial:?}");
}
