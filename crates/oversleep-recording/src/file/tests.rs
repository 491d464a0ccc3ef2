use super::frame::Encoder;
use super::*;
use crate::catalog::MethodId;
use crate::plan::{Cell, ClockName, Conditions, build};
use crate::{Bracket, End, Fault, Flags, Meta, Note, Origin, Recording, RunQueueWait, Sample, Sink};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{RecordBatch, StringArray};
use oversleep_sys::units::Nanos;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn meta() -> Meta {
    let plan = build::wall_second(MethodId::Nanosleep.row(), 3, &Conditions::default(), 5);
    Meta { started: Some("2026-11-21T10:45:22Z".to_owned()), ..Meta::new("oversleep test", Origin::Live, plan) }
}

fn read(mut reader: Reader<impl Read>) -> Result<(Recording, Tail), ReadError> {
    let mut recording = Recording::new(reader.meta().clone());
    let tail = reader.read_into(&mut recording)?;
    Ok((recording, tail))
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
        run_queue: if sequence.is_multiple_of(3) { RunQueueWait::UNKNOWN } else { RunQueueWait::new(Nanos::new(7)) },
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
    let (back, tail) = read(Reader::open(&written(folder.path())).unwrap()).unwrap();
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
fn cells_that_become_known_later_come_before_their_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.arrows");
    let mut writer = Writer::create(&path, &meta(), false).unwrap();
    let later = |id| Cell { id, method: format!("later {id}"), ..meta().plan.cells[0].clone() };
    let first = u32::try_from(meta().plan.cells.len()).unwrap();
    let of_cell = |cell| Sample { cell, start: Nanos::ZERO, ..sample(0) };
    writer.cell(&later(first));
    writer.samples(&[of_cell(0), of_cell(first)]);
    writer.flush();
    writer.cell(&later(first + 1));
    writer.samples(&[of_cell(first + 1)]);
    writer.finish().unwrap();
    let (recording, tail) = read(Reader::open(&path).unwrap()).unwrap();
    assert_eq!((tail, recording.samples.len()), (Tail::Closed, 3));
    assert_eq!(recording.meta.plan.cells[first as usize..], [later(first), later(first + 1)]);
    assert_eq!((recording.note.cells.len(), recording.note.unsound.len()), (0, 0));

    let wrong = folder.path().join("wrong.arrows");
    let mut writer = Writer::create(&wrong, &meta(), false).unwrap();
    writer.cell(&later(first + 5));
    writer.finish().unwrap();
    let refused = read(Reader::open(&wrong).unwrap()).unwrap_err().to_string();
    assert!(refused.contains(&format!("a cell with the number {}, which is not the next", first + 5)), "{refused}");
}

#[test]
fn other_readers_of_arrow_see_one_plain_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::open(written(folder.path())).unwrap();
    let reader = arrow_ipc::reader::StreamReader::try_new(file, None).unwrap();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    let names = |column: &str| -> Vec<String> {
        let all = batches.iter().flat_map(|batch| {
            let column = batch.column_by_name(column).unwrap().as_dictionary::<Int32Type>();
            column.downcast_dict::<StringArray>().unwrap().into_iter().collect::<Vec<_>>()
        });
        all.map(|name| name.unwrap().to_owned()).collect()
    };
    assert_eq!(names("method"), vec!["nanosleep"; 9]);
    assert_eq!(names("condition"), vec!["default"; 9]);
    let oversleeps: Vec<i64> =
        batches.iter().flat_map(|batch| batch["oversleep_ns"].as_primitive::<Int64Type>().values().to_vec()).collect();
    assert_eq!(oversleeps, (0..9).map(|number| sample(number).oversleep().get()).collect::<Vec<_>>());
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
                let (recording, tail) = read(reader).unwrap_or_else(|error| panic!("{length}: {error}"));
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

/// Changes every byte of a file, in one bit and in all bits: the result is an error, a file that seems truncated, or
/// the same recording.
#[test]
fn a_changed_byte_is_told_with_its_place_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path())).unwrap();
    let whole = read(Reader::new("whole".to_owned(), bytes.as_slice()).unwrap()).unwrap();
    let mut refused = 0;
    for (place, change) in (0..bytes.len()).flat_map(|place| [(place, 1 << (place % 8)), (place, 0xFF)]) {
        let mut bytes = bytes.clone();
        bytes[place] ^= change;
        match Reader::new("hit".to_owned(), bytes.as_slice()).and_then(read) {
            Err(error @ (ReadError::Damaged { .. } | ReadError::DamagedHead { .. })) => {
                assert!(error.to_string().contains("damaged at byte "), "{error}");
                refused += 1;
            }
            Err(ReadError::Foreign { .. } | ReadError::TooNew { .. }) | Ok((_, Tail::Torn { .. } | Tail::Open)) => {
                refused += 1;
            }
            Err(error) => panic!("{place}: {error}"),
            Ok((recording, Tail::Closed)) => assert_eq!(recording, whole.0, "byte {place} ^ {change}"),
        }
    }
    assert_eq!(refused, 2 * bytes.len(), "no byte is without a checksum");
}

#[test]
fn what_has_no_checksum_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path())).unwrap();
    let key = checksum::KEY.as_bytes();
    let places: Vec<_> = (0..bytes.len() - key.len()).filter(|&at| bytes[at..].starts_with(key)).collect();
    assert_eq!(places.len(), 5, "a head and four batches");
    for (number, place) in places.into_iter().enumerate() {
        let mut bytes = bytes.clone();
        bytes[place] = b'O';
        let error = Reader::new("x".to_owned(), bytes.as_slice()).and_then(read).unwrap_err();
        assert!(error.to_string().contains("its checksum is missing"), "{error}");
        let batch = number as u64;
        assert!(number == 0 || matches!(error, ReadError::Damaged { batch: b, .. } if b == batch), "{error}");
    }
}

#[test]
fn samples_that_cannot_be_are_counted_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let mut meta = meta();
    meta.plan.cells[0].clock = ClockName::Monotonic;
    let mut writer = Writer::create(&path, &meta, false).unwrap();
    writer.samples(&[sample(0), Sample { cell: 7, ..sample(1) }, sample(2)]);
    writer.flush();
    let mended = sample(3);
    writer.samples(&[Sample { end: Nanos::new(-4), ..sample(3) }, mended, sample(3)]);
    writer.finish().unwrap();
    let (back, tail) = read(Reader::open(&path).unwrap()).unwrap();
    assert_eq!(tail, Tail::Closed);
    let counted: Vec<_> = back.note.unsound.iter().map(|unsound| (unsound.fault, unsound.samples)).collect();
    assert_eq!(counted, [(Fault::UnknownCell, 1), (Fault::EndsBeforeStart, 1), (Fault::OutOfOrder, 1)]);
    assert_eq!(back.samples, [sample(0), sample(2), mended, sample(3)]);
    let places: Vec<_> = back.note.unsound.iter().map(|unsound| unsound.first_byte).collect();
    assert!(places.windows(2).all(|pair| pair[0] <= pair[1]) && places[0] > 0, "{places:?}");
}

#[test]
fn of_two_writers_of_one_file_the_second_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.arrows");
    let mut first = Writer::create(&path, &meta(), false).unwrap();
    first.samples(&[sample(0)]);
    let refused = Writer::create(&path, &meta(), true).err().unwrap();
    assert!(matches!(refused, WriteError::Busy { .. }), "{refused}");
    assert_eq!(first.finish().unwrap(), 1);
    assert_eq!(read(Reader::open(&path).unwrap()).unwrap().0.samples, [sample(0)]);
    Writer::create(&path, &meta(), true).unwrap().finish().unwrap();
}

#[test]
fn what_is_no_recording_says_so() {
    let refused = |bytes: &[u8]| Reader::new("x".to_owned(), bytes).err().map(|error| error.to_string());
    assert!(refused(b"").unwrap().contains("ends before its description is complete"));
    assert!(refused(b"method,requested_ns\nnanosleep,1\n").unwrap().contains("its beginning is damaged"));
    assert!(refused(&[0xFF; 64]).unwrap().contains("its beginning is damaged"));
    let empty = RecordBatch::new_empty(Arc::new(arrow_schema::Schema::empty()));
    let (_, foreign) = Encoder::begin(&empty, None).unwrap();
    assert!(refused(&foreign).unwrap().contains("from another program"));
}

#[test]
fn a_later_format_is_refused_with_the_tool_to_use() {
    let document = serde_json::json!({"format": 99, "tool": "oversleep 9.0", "shape": "unknown"});
    let schema = Arc::new(columns::schema(document.to_string()));
    let empty = columns::batch(&schema, &columns::CellNames::from_plan(&meta().plan), &[]).unwrap();
    let (_, bytes) = Encoder::begin(&empty, None).unwrap();
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
fn a_file_that_is_replaced_stays_until_something_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let before = fs::read(&path).unwrap();
    let mut writer = Writer::create(&path, &meta(), true).unwrap();
    writer.flush();
    assert!(writer.is_untouched() && fs::read(&path).unwrap() == before);
    drop(writer);
    assert_eq!(fs::read(&path).unwrap(), before);
    let mut writer = Writer::create(&path, &meta(), true).unwrap();
    writer.samples(&[sample(0)]);
    writer.flush();
    assert!(!writer.is_untouched());
    assert_eq!(read(Reader::open(&path).unwrap()).unwrap().0.samples, [sample(0)]);
    writer.finish().unwrap();
    assert_eq!(read(Reader::open(&path).unwrap()).unwrap().0.samples, [sample(0)]);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_not_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let error_of = |path: &Path, replace| {
        let error = Writer::create(path, &meta(), replace).err().unwrap();
        assert!(matches!(error, WriteError::Create { .. }), "{error}");
        error.to_string()
    };
    let missing = folder.path().join("no/such");
    let text = error_of(&missing.join("folder.arrows"), false);
    assert!(text.contains(&format!("the folder '{}' does not exist; make it", missing.display())), "{text}");
    for replace in [false, true] {
        let text = error_of(folder.path(), replace);
        assert!(text.ends_with("it is a folder; name a file in it"), "{text}");
    }
}

/// Many flushes, small ones and such as are handed over (see `decode_ahead.rs`), with damage in one of the last: everything
/// before it comes, in order, as piece by piece.
#[test]
fn what_precedes_damage_comes_in_order_however_far_is_read_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.arrows");
    let mut writer = Writer::create(&path, &meta(), false).unwrap();
    let mut next = 0;
    for number in 0..200 {
        let rows = [1, 2, 40, 70, 40][number % 5];
        writer.samples(&(next..next + rows).map(sample).collect::<Vec<_>>());
        writer.note(&note(rows.cast_signed()));
        writer.flush();
        next += rows;
    }
    writer.finish().unwrap();
    let (whole, tail) = read(Reader::open(&path).unwrap()).unwrap();
    assert_eq!((whole.samples.len(), whole.note.brackets.len(), tail), (6_120, 200, Tail::Closed));
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.len() * 9 / 10;
    bytes[place] ^= 1;

    let mut pieces = Reader::new("cut".to_owned(), &bytes[..]).unwrap();
    let mut expected = Recording::new(meta());
    let wanted = loop {
        match pieces.next_piece() {
            Ok(piece) => {
                let piece = piece.expect("damage comes before the end");
                expected.samples(&piece.samples);
                piece.note.iter().for_each(|note| expected.note(note));
            }
            Err(error) => break error,
        }
    };
    let mut read = Recording::new(meta());
    let found = Reader::new("cut".to_owned(), &bytes[..]).unwrap().read_into(&mut read).unwrap_err();
    assert_eq!(found.to_string(), wanted.to_string());
    assert_eq!(read, expected);
    assert!(expected.samples.len() > 5_000 && expected.samples.len() < 6_120, "{}", expected.samples.len());
}

#[test]
fn a_short_recording_starts_no_thread() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let started = |path: &std::path::Path| {
        let before = decode_ahead::STARTED.get();
        read(Reader::open(path).unwrap()).unwrap();
        decode_ahead::STARTED.get() - before
    };
    assert_eq!(started(&path), 0);
    let mut writer = Writer::create(&path, &meta(), true).unwrap();
    for flush in 0..5 {
        writer.samples(&(flush * 100..flush * 100 + 100).map(sample).collect::<Vec<_>>());
        writer.flush();
    }
    writer.finish().unwrap();
    assert_eq!(started(&path), 1, "one, whatever the number of large batches");
}

/// A head is kept and takes more memory than bytes, so its length is bounded, however many parts it has.
#[test]
fn a_head_without_end_is_refused() {
    let mut head = vec![0xFF; 4];
    head.extend(u32::to_le_bytes(500 << 20));
    let error = Reader::new("x".to_owned(), head.as_slice().chain(std::io::repeat(0))).err().unwrap();
    assert!(error.to_string().contains("its header exceeds 64 MiB"), "{error}");
}
