use super::*;
use crate::catalog::MethodId;
use crate::machine::Machine;
use crate::plan::{ClockName, Conditions, build};
use crate::{Bracket, End, Flags, Meta, Note, Origin, Recording, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::PathBuf;

fn meta() -> Meta {
    let plan = build::herman(MethodId::Nanosleep.row(), 3, &Conditions::default(), 5);
    Meta {
        format: Meta::FORMAT,
        tool: "oversleep test".to_owned(),
        origin: Origin::Live,
        started: Some("2026-11-21T10:45:22Z".to_owned()),
        plan,
        machine: Machine::default(),
        unavailable: Vec::new(),
    }
}

fn sample(sequence: u64) -> Sample {
    Sample {
        cell: 0,
        thread: 1,
        sequence,
        requested: Nanos::MILLISECOND,
        deadline: sequence.is_multiple_of(2).then_some(Nanos::MIN),
        start: Nanos::new(-3),
        end: Nanos::MAX,
        cpu_start: 7,
        cpu_end: Sample::NO_CPU,
        flags: Flags::INTERRUPTED,
    }
}

fn note(reading: i64) -> Note {
    let reading = Nanos::new(reading);
    let bracket = Bracket { clock: ClockName::Realtime, monotonic: Nanos::new(1), width: Nanos::new(2), reading };
    Note { brackets: vec![bracket], ..Note::default() }
}

/// Writes three flushes of 4, 0 and 5 samples, each with a note, and returns the file's path.
fn written(folder: &std::path::Path) -> PathBuf {
    let path = folder.join("run.arrows");
    let mut writer = Writer::create(&path, &meta(), false).unwrap();
    for (number, range) in [(1, 0..4), (2, 4..4), (3, 4..9)] {
        writer.samples(&range.map(sample).collect::<Vec<_>>());
        writer.note(&note(number));
        writer.flush();
    }
    writer.note(&Note { end: Some(End::Complete), ..Note::default() });
    assert_eq!(writer.finish().unwrap(), 9);
    path
}

#[test]
fn comes_back_as_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let (back, tail) = Reader::open(&written(folder.path())).unwrap().read_all().unwrap();
    assert_eq!(tail, Tail::Closed);
    let mut expected = Recording::new(meta());
    expected.samples(&(0..9).map(sample).collect::<Vec<_>>());
    for number in 1..=3 {
        expected.note(&note(number));
    }
    expected.note(&Note { end: Some(End::Complete), ..Note::default() });
    assert_eq!(back, expected);
}

#[test]
fn other_readers_of_arrow_see_one_plain_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::open(written(folder.path())).unwrap();
    let reader = arrow_ipc::reader::StreamReader::try_new(file, None).unwrap();
    let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(rows, 9);
}

#[test]
fn cut_anywhere_it_gives_back_every_whole_flush() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path())).unwrap();
    let mut seen = Vec::new();
    for length in 0..bytes.len() {
        match Reader::new("cut".to_owned(), &bytes[..length]) {
            Err(error) => assert!(matches!(error, ReadError::Foreign { .. }), "{length}: {error}"),
            Ok(reader) => {
                let (recording, tail) = reader.read_all().unwrap_or_else(|error| panic!("{length}: {error}"));
                let whole: Vec<_> = (0..recording.samples.len() as u64).map(sample).collect();
                assert_eq!(recording.samples, whole);
                assert_ne!(tail, Tail::Closed);
                seen.push(recording.samples.len());
            }
        }
    }
    seen.dedup();
    assert_eq!(seen, [0, 4, 9]);
}

#[test]
fn damage_is_told_with_its_place_and_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path())).unwrap();
    let mut damaged = 0;
    for place in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0xFF;
        if let Ok(reader) = Reader::new("hit".to_owned(), bytes.as_slice())
            && let Err(error) = reader.read_all()
        {
            assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
            damaged += 1;
        }
    }
    assert!(damaged > 100, "only {damaged} of the flipped bytes were noticed");
}

#[test]
fn what_is_no_recording_says_so() {
    let refused = |bytes: &[u8]| Reader::new("x".to_owned(), bytes).err().map(|error| error.to_string());
    assert!(refused(b"").unwrap().contains("ends before its head"));
    assert!(refused(b"method,requested_ns\nnanosleep,1\n").unwrap().contains("does not begin like an Arrow stream"));
    assert!(refused(&[0xFF; 64]).unwrap().contains("does not begin like an Arrow stream"));
    let schema = arrow_schema::Schema::empty();
    let foreign = frame::schema(&schema).unwrap();
    assert!(refused(&foreign).unwrap().contains("some other program"));
}

#[test]
fn a_later_format_is_refused_with_the_tool_to_use() {
    let document = serde_json::json!({"format": 99, "tool": "oversleep 9.0", "shape": "unknown"});
    let bytes = frame::schema(&columns::schema(document.to_string())).unwrap();
    let error = Reader::new("x".to_owned(), bytes.as_slice()).err().unwrap();
    assert!(matches!(error, ReadError::TooNew { format: 99, .. }), "{error}");
}

#[test]
fn an_existing_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let before = fs::read(&path).unwrap();
    assert!(matches!(Writer::create(&path, &meta(), false), Err(WriteError::Exists { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    Writer::create(&path, &meta(), true).unwrap().finish().unwrap();
    assert_ne!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_not_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let error = Writer::create(&folder.path().join("no/such/folder.arrows"), &meta(), false).err().unwrap();
    assert!(matches!(error, WriteError::Create { .. }));
    assert!(error.to_string().contains("--no-save"));
}
