//! The segments that `serve` keeps in a folder, read as one recording.

use super::{Ending, ImportError, Records};
use oversleep_recording::file::{ReadError, Reader, Segment, Segments, Tail, is_being_written};
use oversleep_recording::{Meta, Note, Sample, Sink, SleepCost};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// Most by which the wall clock and the samples' clock may disagree about the time between two segments. They disagree by more
/// if the machine was started again, or slept, in between.
const DISAGREEMENT: Nanos = Nanos::from_secs(60);
/// Number of batches of a segment among which its first sample is looked for.
const FIRST_BATCHES: usize = 4;

/// The newest segments of a folder that belong together.
pub(super) struct SegmentedRecording {
    meta: Meta,
    /// The segments' files, oldest first.
    paths: Vec<PathBuf>,
    remarks: Vec<String>,
}

/// What tells whether a segment belongs to those after it.
struct Head {
    meta: Meta,
    /// When the segment began, by the wall clock and by the clock of its first sample; `None` before there is one.
    began: Option<(jiff::Timestamp, Nanos)>,
}

impl SegmentedRecording {
    /// Opens the newest segments in a folder that belong together.
    pub(super) fn open(folder: &Path) -> Result<Self, ImportError> {
        let refused = |source| ImportError::Read { name: folder.display().to_string(), source };
        let segments = Segments::in_folder(folder).list().map_err(refused)?;
        let mut heads: Vec<(PathBuf, Head)> = Vec::new();
        let (mut remarks, mut unreadable) = (Vec::new(), None);
        for Segment { path, .. } in segments.into_iter().rev() {
            match Head::read(&path) {
                Ok(head) if heads.last().is_some_and(|(_, later)| !head.belongs_to(later)) => {
                    remarks.push(format!(
                        "what was kept until {} is left out: it is of another measurement, or the machine was started again or \
                         slept in between",
                        path.display()
                    ));
                    break;
                }
                Ok(head) => heads.push((path, head)),
                // It was dropped in the meantime.
                Err(ReadError::Open { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    remarks.push(format!("{error}; it is left out"));
                    unreadable = unreadable.or(Some(error));
                }
            }
        }
        heads.reverse();
        let Some((_, oldest)) = heads.first() else {
            let nothing = || refused(io::Error::other("it is a folder without recordings; name a file"));
            return Err(unreadable.map_or_else(nothing, ImportError::Recording));
        };
        let mut meta = oldest.meta.clone();
        let count = heads.len() as u64;
        meta.plan.turns.iter_mut().for_each(|turn| turn.sleeps = turn.sleeps.saturating_mul(count));
        Ok(Self { meta, paths: heads.into_iter().map(|(path, _)| path).collect(), remarks })
    }
}

impl Head {
    fn read(path: &Path) -> Result<Self, ReadError> {
        let mut reader = Reader::open(path)?;
        let meta = reader.meta().clone();
        let wall = meta.started.as_deref().and_then(|text| text.parse().ok());
        let mut starts = (0..FIRST_BATCHES).filter_map(|_| Some(reader.next_piece().ok()??.samples.first()?.start));
        let began = wall.zip(starts.next());
        Ok(Self { meta, began })
    }

    /// Returns whether the same measurement went on from this segment to a later one.
    fn belongs_to(&self, later: &Self) -> bool {
        let went_on = match (self.began, later.began) {
            (Some((wall, first)), Some((later_wall, later_first))) => {
                let passed = i64::try_from(later_wall.duration_since(wall).as_nanos()).map_or(Nanos::MAX, Nanos::new);
                (passed - (later_first - first)).get().abs() < DISAGREEMENT.get()
            }
            _ => true,
        };
        let same = |a: &Meta, b: &Meta| a.plan == b.plan && a.tool == b.tool && a.origin == b.origin;
        went_on && same(&self.meta, &later.meta)
    }
}

impl Records for SegmentedRecording {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        let mut joined =
            JoinedSink { sink, numbers: HashMap::new(), before: Note::default(), now: Note::default(), is_last: false };
        let mut ending = Ending::Complete;
        for (place, path) in self.paths.iter().enumerate() {
            joined.begin(place + 1 == self.paths.len());
            let tail = Reader::open(path).and_then(|mut reader| reader.read_into(&mut joined));
            ending = match tail {
                Ok(Tail::Open | Tail::Torn { .. }) if joined.is_last && is_being_written(path) => {
                    self.remarks.push("it is being written, and whole up to now".to_owned());
                    Ending::Complete
                }
                Ok(tail) => tail.into(),
                // It was dropped in the meantime.
                Err(ReadError::Open { source, .. }) if source.kind() == io::ErrorKind::NotFound => ending,
                Err(error) => return Ending::Broken(error.into()),
            };
        }
        ending
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

/// Numbers the sleeps of all segments on, adds up their counts, and passes on how the last one ended.
struct JoinedSink<'a> {
    sink: &'a mut dyn Sink,
    /// By cell and thread: what is added to the numbers of this segment, and the next number.
    numbers: HashMap<(u32, u16), [u64; 2]>,
    /// Counts of the segments before this one, and these with what this one has counted up to now.
    before: Note,
    now: Note,
    is_last: bool,
}

impl JoinedSink<'_> {
    fn begin(&mut self, is_last: bool) {
        self.is_last = is_last;
        self.numbers.values_mut().for_each(|[added, next]| *added = *next);
        self.before = self.now.clone();
    }

    /// Returns the number, among those of all segments, of a sleep of a cell's thread.
    fn number(&mut self, of: (u32, u16), sequence: u64) -> u64 {
        let [added, next] = self.numbers.entry(of).or_default();
        let sequence = sequence.saturating_add(*added);
        *next = sequence.saturating_add(1).max(*next);
        sequence
    }
}

impl Sink for JoinedSink<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        let number = |sample: &Sample| Sample {
            sequence: self.number((sample.cell, sample.thread), sample.sequence),
            ..*sample
        };
        let numbered: Vec<Sample> = batch.iter().map(number).collect();
        self.sink.samples(&numbered);
    }

    fn note(&mut self, note: &Note) {
        let mut note = Note { end: note.end.clone().filter(|_| self.is_last), ..note.clone() };
        for late in &mut note.late_sleeps {
            late.sequence = self.number((late.cell, late.thread), late.sequence);
        }
        note.late = note.late.map(|late| self.before.late.map_or(late, |before| before.with(&late)));
        for cost in &mut note.costs {
            let same = |before: &&SleepCost| (before.cell, before.thread) == (cost.cell, cost.thread);
            *cost = self.before.costs.iter().find(same).map_or(*cost, |before| before.with(cost));
        }
        self.now.absorb(Note { late: note.late, costs: note.costs.clone(), ..Note::default() });
        self.sink.note(&note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, Pattern, build};
    use oversleep_recording::{End, LateAccount, LateSleep, Origin, Recording};
    use std::fs;

    const EACH: Nanos = Nanos::from_millis(10);

    fn meta(minute: i64, sleeps: u64) -> Meta {
        let grid = build::Grid {
            rows: &[MethodId::Nanosleep.row()],
            requests: &[Pattern::Fixed { requested: EACH }],
            conditions: &[Conditions::default()],
        };
        let started = Some(format!("2026-11-21T10:{minute:02}:00Z"));
        Meta { started, ..Meta::new("oversleep test", Origin::Live, build::measure(&grid, sleeps, 1)) }
    }

    /// Writes a segment of three sleeps that begins in this minute of the wall clock and of the monotonic clock.
    fn segment(folder: &Path, [wall, monotonic]: [i64; 2], sleeps: u64) {
        let mut writer = Segments::in_folder(folder).create(&meta(wall, sleeps)).unwrap();
        let sample = |sequence: u64| {
            let start = Nanos::from_secs(60 * monotonic) + EACH * sequence.cast_signed();
            Sample { sequence, requested: EACH, start, end: start + EACH, ..Sample::BLANK }
        };
        writer.samples(&[0, 1, 2].map(sample));
        // Counts replace earlier ones of the same segment.
        for done in [2, 3] {
            let late = LateAccount { planned: 3, slept: done, late: 1, found: 1, ..LateAccount::default() };
            let cost =
                SleepCost { cell: 0, thread: 0, sleeps: done, processor: EACH * done.cast_signed(), wake_ups: None };
            writer.note(&Note { late: Some(late), costs: vec![cost], ..Note::default() });
        }
        let late_sleeps = vec![LateSleep { sequence: 2, ..LateSleep::default() }];
        writer.note(&Note { lost: 1, late_sleeps, end: Some(End::Complete), ..Note::default() });
        writer.finish().unwrap();
    }

    fn read(folder: &Path) -> (Recording, Ending, Vec<String>) {
        let mut source = SegmentedRecording::open(folder).unwrap();
        let mut recording = Recording::new(source.meta().clone());
        let ending = source.read_into(&mut recording);
        (recording, ending, source.remarks().to_vec())
    }

    #[test]
    fn segments_are_one_recording() {
        let folder = tempfile::tempdir().unwrap();
        (0..3).for_each(|minute| segment(folder.path(), [minute, 90 + minute], 3));
        let (recording, ending, remarks) = read(folder.path());
        let numbers: Vec<_> = recording.samples.iter().map(|sample| sample.sequence).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(recording.samples.is_sorted_by_key(|sample| sample.start));
        assert_eq!((recording.note.lost, recording.note.end), (3, Some(End::Complete)));
        let late = LateAccount { planned: 9, slept: 9, late: 3, found: 3, ..LateAccount::default() };
        assert_eq!(recording.note.late, Some(late));
        assert_eq!(recording.note.late_sleeps.iter().map(|late| late.sequence).collect::<Vec<_>>(), [2, 5, 8]);
        assert_eq!(
            recording.note.costs.iter().map(|cost| (cost.sleeps, cost.processor)).collect::<Vec<_>>(),
            [(9, EACH * 9)]
        );
        assert_eq!(recording.meta.started.as_deref(), Some("2026-11-21T10:00:00Z"));
        assert_eq!(recording.meta.plan.turns.iter().map(|turn| turn.sleeps).sum::<u64>(), 9);
        assert!(matches!(ending, Ending::Complete) && remarks.is_empty(), "{remarks:?}");
    }

    #[test]
    fn a_segment_that_broke_off_loses_its_last_batch_alone() {
        let folder = tempfile::tempdir().unwrap();
        (0..3).for_each(|minute| segment(folder.path(), [minute, 90 + minute], 3));
        let cut = |name: &str, left: usize| {
            let path = folder.path().join(name);
            let bytes = fs::read(&path).unwrap();
            fs::write(path, &bytes[..left.min(bytes.len() - 20)]).unwrap();
        };
        // One in the middle lost its batch, and one that had only begun has no description.
        cut("0002.arrows", usize::MAX);
        let (recording, ending, _) = read(folder.path());
        assert_eq!((recording.samples.len(), recording.note.end), (6, Some(End::Complete)));
        assert!(matches!(ending, Ending::Complete));
        cut("0003.arrows", 100);
        let (recording, ending, remarks) = read(folder.path());
        assert_eq!((recording.samples.len(), recording.note.end), (3, None));
        assert!(matches!(ending, Ending::Torn { .. }), "{ending:?}");
        assert!(remarks[0].contains("0003.arrows") && remarks[0].ends_with("it is left out"), "{remarks:?}");
        // A changed byte is an error, with its file.
        let path = folder.path().join("0001.arrows");
        let mut bytes = fs::read(&path).unwrap();
        let place = bytes.len() - 60;
        bytes[place] ^= 1;
        fs::write(path, bytes).unwrap();
        let Ending::Broken(error) = read(folder.path()).1 else { panic!("the change is not found") };
        assert!(error.to_string().contains("0001.arrows is damaged"), "{error}");
    }

    #[test]
    fn another_measurement_and_another_start_of_the_machine_are_left_out() {
        for other in [[[0, 89], [1, 91]], [[0, 90], [1, 91]]] {
            let folder = tempfile::tempdir().unwrap();
            let [first, second] = other;
            let restarted = first[1] == 89;
            segment(folder.path(), first, if restarted { 3 } else { 4 });
            segment(folder.path(), second, 3);
            segment(folder.path(), [2, 92], 3);
            let (recording, _, remarks) = read(folder.path());
            assert_eq!(recording.samples.len(), 6, "{remarks:?}");
            assert!(remarks[0].contains("0001.arrows is left out"), "{remarks:?}");
        }
    }
}
