use super::rounding::Level;
use super::*;
use crate::catalog::MethodId;
use crate::file::{ReadError, Tail, WriteError};
use crate::plan::{Conditions, Pattern, build};
use crate::{Bracket, End, Fault, Flags, Meta, Note, Origin, Recording, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::{Path, PathBuf};

const EACH: Nanos = Nanos::from_millis(10);
/// Samples that are flushed together: what 618 ms bring at 100 sleeps a second.
const FLUSHED: usize = 61;

/// Returns the head of a round of `serve`: 12 000 sleeps of 10 ms in turns of ten.
fn meta() -> Meta {
    let grid = build::Grid {
        rows: &[MethodId::Nanosleep.row()],
        requests: &[Pattern::Fixed { requested: EACH }],
        conditions: &[Conditions::default()],
    };
    let plan = build::measure(&grid, 12_000, 1);
    Meta { started: Some("2026-11-21T10:45:22Z".to_owned()), ..Meta::new("oversleep test", Origin::Live, plan) }
}

/// Returns 1200 sleeps of `serve` on a virtual machine with two processors that others kept busy. Each line has the time
/// since the end before, the lateness, and the processors.
fn measured() -> Vec<Sample> {
    let mut end = Nanos::new(371_000_123_456_789);
    let text = include_str!("../../../tests/data/serve-1200.txt");
    let sample = |(sequence, line): (usize, &str)| {
        let fields: Vec<i64> = line.split(' ').map(|field| field.parse().unwrap()).collect();
        let start = end + Nanos::new(fields[0]);
        end = start + EACH + Nanos::new(fields[1]);
        let cpu = |field: usize| u16::try_from(fields[field]).unwrap();
        let flags = if sequence == 0 { Flags::FIRST } else { Flags::default() };
        let sequence = sequence as u64;
        Sample { sequence, requested: EACH, start, end, cpu_start: cpu(2), cpu_end: cpu(3), flags, ..Sample::BLANK }
    };
    text.lines().enumerate().map(sample).collect()
}

fn note(at: Nanos) -> Note {
    let clock = crate::plan::ClockName::Realtime;
    let bracket = Bracket { clock, monotonic: at, width: Nanos::new(40), reading: at + Nanos::SECOND };
    Note { brackets: vec![bracket], ..Note::default() }
}

fn written(folder: &Path, samples: &[Sample], flushed: usize) -> PathBuf {
    let path = folder.join("run.ring");
    let mut writer = RingFileWriter::create(&path, &meta()).unwrap();
    for batch in samples.chunks(flushed) {
        writer.samples(batch);
        writer.note(&note(batch[0].start));
        writer.flush();
    }
    writer.note(&Note { end: Some(End::Complete), ..Note::default() });
    assert_eq!(writer.finish().unwrap(), samples.len() as u64);
    path
}

fn read(bytes: &[u8]) -> Result<(Recording, Tail), ReadError> {
    let mut reader = RingFileReader::new("x".to_owned(), bytes)?;
    let mut recording = Recording::new(reader.meta().clone());
    let tail = reader.read_into(&mut recording)?;
    Ok((recording, tail))
}

fn round_trip(samples: &[Sample]) -> (Recording, usize) {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path(), samples, FLUSHED)).unwrap();
    let (recording, tail) = read(&bytes).unwrap();
    assert_eq!((tail, recording.note.end.clone()), (Tail::Closed, Some(End::Complete)));
    assert_eq!(recording.meta, meta());
    (recording, bytes.len())
}

/// Sleeps with a lateness and a gap that are even over 2^`bits` and 2^`gap` nanoseconds.
fn even(count: u64, bits: u32, gap: u32) -> Vec<Sample> {
    let mut end = Nanos::new(371_000_123_456_789);
    let noise =
        |number: u64, bits: u32| Nanos::new((number.wrapping_mul(0xD134_2543_DE82_EF95) >> (64 - bits)).cast_signed());
    let sample = |sequence: u64| {
        let start = end + noise(2 * sequence + 1, gap);
        end = start + EACH + noise(2 * sequence + 2, bits);
        Sample { sequence, requested: EACH, start, end, cpu_start: 0, cpu_end: 0, ..Sample::BLANK }
    };
    (0..count).map(sample).collect()
}

#[test]
fn quiet_sleeps_come_back_exactly() {
    let samples = even(12_000, 9, 3);
    let (recording, bytes) = round_trip(&samples);
    assert!(recording.samples == samples && recording.note.conventions.is_empty());
    assert!(bytes <= 3 * samples.len(), "{bytes} bytes");
}

#[test]
fn measured_sleeps_take_three_bytes_and_their_rounding_is_what_is_stated() {
    let measured = measured();
    let (recording, bytes) = round_trip(&measured);
    // The head is there once in the 12 000 sleeps of a round.
    let folder = tempfile::tempdir().unwrap();
    let head = fs::metadata(written(folder.path(), &[], 1)).unwrap().len();
    let each = (bytes as f64 - head as f64) / 1_200.0 + head as f64 / 12_000.0;
    println!("{each} bytes a sample, {head} of the head; {:?}", recording.note.conventions);
    assert!(each <= 3.0, "{each} bytes a sample, {head} of the head");
    let [stated] = recording.note.conventions.as_slice() else { panic!("{:?}", recording.note.conventions) };
    let numbers: Vec<i64> = stated.split(' ').filter_map(|word| word.parse().ok()).collect();
    let (start, lateness) = (numbers[0], numbers.get(1).copied().unwrap_or(0));
    assert_eq!(recording.samples.len(), measured.len());
    for (back, sample) in recording.samples.iter().zip(&measured) {
        assert!((back.start - sample.start).get().abs() <= start, "{back:?} was {sample:?}");
        assert!((back.oversleep() - sample.oversleep()).get().abs() <= lateness, "{back:?} was {sample:?}");
        let untimed = |sample: &Sample| Sample { start: Nanos::ZERO, end: Nanos::ZERO, ..*sample };
        assert_eq!(untimed(back), untimed(sample));
    }
    let mean = |samples: &[Sample]| samples.iter().map(|sample| sample.oversleep().get()).sum::<i64>() / 1_200;
    assert!((mean(&recording.samples) - mean(&measured)).abs() <= 1, "rounding moves the mean");
}

#[test]
fn rounding_ends_where_it_would_hide_something() {
    let samples = even(12_000, 36, 30);
    let (recording, bytes) = round_trip(&samples);
    assert!(bytes > 3 * samples.len(), "sixty bits of noise do not go into three bytes: {bytes}");
    for (back, sample) in recording.samples.iter().zip(&samples) {
        assert!(
            (back.start - sample.start).get().abs() <= 512 && (back.oversleep() - sample.oversleep()).get().abs() <= 32
        );
    }
}

#[test]
fn any_sample_comes_back_exactly_beside_times_that_cannot_be() {
    let far = |sequence: u64| Sample {
        cell: 0,
        thread: u16::try_from(sequence % 3).unwrap(),
        sequence: sequence * sequence,
        requested: Nanos::new(1 << sequence),
        deadline: sequence.is_multiple_of(2).then_some(Nanos::MIN),
        start: Nanos::new(-3),
        end: Nanos::MAX,
        cpu_start: if sequence == 4 { 40_000 } else { 7 },
        cpu_end: Sample::NO_CPU,
        flags: Flags(u16::MAX),
    };
    let samples: Vec<_> = (0..60).map(far).collect();
    assert_eq!(round_trip(&samples).0.samples, samples);
    // What no plan has is written too, and found when it is read.
    let (recording, _) = round_trip(&[Sample { cell: 9, ..samples[1] }, samples[2]]);
    assert_eq!(recording.samples, [samples[2]]);
    assert_eq!(recording.note.unsound[0].fault, Fault::UnknownCell);
}

#[test]
fn short_sleeps_do_not_end_before_they_start() {
    // 30 ns each, between gaps so noisy that everything is rounded as far as it goes.
    let mut samples = even(2_000, 40, 40);
    for sample in &mut samples {
        sample.requested = Nanos::ZERO;
        sample.end = sample.start + Nanos::new(30);
    }
    let (recording, _) = round_trip(&samples);
    assert!(recording.note.unsound.is_empty() && recording.samples.len() == samples.len());
    assert!(recording.note.conventions[0].contains(" 512 ns"), "{:?}", recording.note.conventions);
}

#[test]
fn readings_of_clocks_are_kept_now_and_then_and_other_notes_always() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ring");
    let mut writer = RingFileWriter::create(&path, &meta()).unwrap();
    for second in 0..120 {
        writer.note(&Note { lost: 1, ..note(Nanos::from_secs(second)) });
        writer.flush();
    }
    writer.note(&Note { end: Some(End::Complete), ..note(Nanos::from_secs(119)) });
    writer.finish().unwrap();
    let (recording, _) = read(&fs::read(&path).unwrap()).unwrap();
    let at: Vec<_> = recording.note.brackets.iter().map(|bracket| bracket.monotonic).collect();
    assert_eq!(at, [0, 30, 60, 90, 119].map(Nanos::from_secs));
    assert_eq!(recording.note.lost, 120);
}

#[test]
fn cut_anywhere_it_gives_back_every_whole_flush() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path(), &measured()[..150], 50)).unwrap();
    let whole = read(&bytes).unwrap().0.samples;
    let mut seen = Vec::new();
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            Err(error) => assert!(matches!(error, ReadError::Foreign { .. }) && seen.is_empty(), "{length}: {error}"),
            Ok((recording, tail)) => {
                let count = recording.samples.len();
                assert!(recording.samples == whole[..count] && tail != Tail::Closed, "{length}");
                seen.push(count);
            }
        }
    }
    seen.dedup();
    assert_eq!(seen, [0, 50, 100, 150]);
}

/// Changes every byte of a file, in one bit and in all bits: the result is an error, or a file that seems truncated.
#[test]
fn a_changed_byte_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path(), &measured()[..150], 50)).unwrap();
    for (place, change) in (0..bytes.len()).flat_map(|place| [(place, 1 << (place % 8)), (place, 0xFF)]) {
        let mut bytes = bytes.clone();
        bytes[place] ^= change;
        match read(&bytes) {
            Err(error @ (ReadError::Damaged { .. } | ReadError::DamagedHead { .. })) => {
                assert!(error.to_string().contains("damaged at byte "), "{error}");
            }
            Err(ReadError::Foreign { .. }) | Ok((_, Tail::Torn { .. })) => {}
            other => panic!("byte {place} ^ {change}: {other:?}"),
        }
    }
}

#[test]
fn a_frame_that_is_missing_or_twice_there_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path(), &measured()[..150], 50)).unwrap();
    let mut frames = vec![MARK.len() + VERSION.len()];
    while let Some(&[a, b, c, _]) = bytes.get(*frames.last().unwrap()..).and_then(|rest| rest.first_chunk()) {
        frames.push(frames.last().unwrap() + 8 + u32::from_le_bytes([a, b, c, 0]) as usize);
    }
    assert_eq!(frames.last(), Some(&bytes.len()));
    for pair in frames.windows(2).skip(1).take(frames.len() - 3) {
        let without = [&bytes[..pair[0]], &bytes[pair[1]..]].concat();
        let twice = [&bytes[..pair[1]], &bytes[pair[0]..]].concat();
        for changed in [without, twice] {
            assert!(matches!(read(&changed), Err(ReadError::Damaged { .. })), "frame at {}", pair[0]);
        }
    }
}

#[test]
fn a_recording_after_another_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let closed = fs::read(written(folder.path(), &measured()[..150], 50)).unwrap();
    // Without its last frame, as a killed run leaves it.
    let open = &closed[..closed.len() - 8];
    for (first, why) in
        [(&closed[..], "bytes follow the end of the recording"), (open, "another recording begins here")]
    {
        let error = read(&[first, &closed[..]].concat()).unwrap_err();
        let ReadError::Damaged { offset, samples, .. } = error else { panic!("{error}") };
        assert_eq!((offset, samples), (first.len() as u64, 150));
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_is_no_ring_says_so() {
    let refused = |bytes: &[u8]| RingFileReader::new("x".to_owned(), bytes).err().unwrap().to_string();
    assert!(refused(b"").contains("its first line is not that of a ring"));
    let newer = "x has format 2, and this oversleep reads up to 1; use the newer version that wrote it";
    assert!(refused(b"oversleep ring 2\n").starts_with(newer));
    assert!(refused(b"oversleep ring A\n").contains("its first line is not that of a ring"));
    assert!(refused(b"oversleep ring 1\n").contains("it ends before its description is complete"));
    let mut zeros = b"oversleep ring 1\n".to_vec();
    zeros.extend([0; 40]);
    assert!(refused(&zeros).contains("damaged at byte 0"));
}

#[test]
fn an_existing_file_is_kept_and_a_file_is_locked_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ring");
    let writer = RingFileWriter::create(&path, &meta()).unwrap();
    assert!(matches!(RingFileWriter::create(&path, &meta()), Err(WriteError::Exists { .. })));
    assert!(crate::file::is_being_written(&path));
    writer.finish().unwrap();
    assert!(!crate::file::is_being_written(&path));
}

#[test]
fn levels_are_tried_from_the_last_one_down() {
    let mut model = super::samples::Model::new(&meta().plan);
    let mut level = Level::COARSEST;
    let quiet = even(200, 10, 3);
    for _ in 0..20 {
        model.encode(&quiet, &mut level).unwrap();
    }
    assert_eq!(level, Level::EXACT);
}

/// Reads what `serve` wrote in the first format by version 0.1.0, on a machine with eight threads for two processors, until
/// it was killed after thirteen seconds.
#[test]
fn the_first_format_is_read() {
    let bytes: &[u8] = include_bytes!("../../../tests/data/first.ring");
    let (recording, tail) = read(bytes).unwrap();
    assert_eq!((tail, recording.meta.format, recording.note.end.clone()), (Tail::Open, 2, None));
    assert_eq!((recording.samples.len(), recording.note.unsound.len()), (1_145, 0));
    let sum: i64 = recording.samples.iter().map(|sample| sample.oversleep().get()).sum();
    assert_eq!(sum, 879_710_023);
}
