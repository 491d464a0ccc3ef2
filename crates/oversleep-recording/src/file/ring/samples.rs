//! Samples as bits: what follows from the samples before takes one bit, times take what their noise takes.

use super::bits::{Port, Reading, Writing};
use super::predict::Predictor;
use super::rounding::{Level, Rounding};
use super::{BUDGET, MOST_SAMPLES};
use crate::plan::{ClockName, Plan};
use crate::{Flags, Sample};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io;

/// What the samples so far say about the next one, alike for writer and reader.
#[derive(Debug, Clone)]
pub(super) struct Model {
    /// Clock of each cell.
    clocks: Vec<ClockName>,
    /// Sleeps of a turn: before the first of a turn, other cells sleep.
    turn: u64,
    tracks: HashMap<(u32, u16), Track>,
    last: Sample,
    /// Last end on each clock.
    ends: HashMap<ClockName, i64>,
    /// Time from the last end to the next start, within a turn and between two.
    gaps: [Predictor; 2],
    count: u64,
}

/// The sleeps of a cell's thread.
#[derive(Debug, Clone, Default)]
struct Track {
    next: u64,
    requested: Nanos,
    has_deadline: bool,
    /// From the start to the time at which the deadline is the request ahead.
    lead: Predictor,
    lateness: Predictor,
}

/// What a sample has besides its times and processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SampleHead {
    cell: u32,
    thread: u16,
    sequence: u64,
    requested: Nanos,
    has_deadline: bool,
    flags: Flags,
}

/// Number of pairs of cell and thread in a recording above which it is damaged; those of a whole frame may come on top.
const MOST_TRACKS: usize = 1 << 18;
/// Order of the code of a time that nothing predicts: nanoseconds since boot or since 1970.
const UNPREDICTED: u32 = 46;
/// Times beyond this (140 years) are not rounded: rounding could overflow.
const MODERATE: u64 = 1 << 62;

impl Model {
    /// Returns the model before the first sample.
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            clocks: plan.cells.iter().map(|cell| cell.clock).collect(),
            turn: plan.turns.first().map_or(1, |turn| turn.sleeps.max(1)),
            tracks: HashMap::new(),
            last: Sample { cpu_end: 0, ..Sample::BLANK },
            ends: HashMap::new(),
            gaps: [Predictor::default(), Predictor::default()],
            count: 0,
        }
    }

    /// Encodes samples, at most [`MOST_SAMPLES`], as finely as the budget allows; `level` is that of the samples before,
    /// and becomes that of these.
    pub(super) fn encode(&mut self, samples: &[Sample], level: &mut Level) -> io::Result<Vec<u8>> {
        let exact = !samples.iter().all(is_moderate);
        *level = if exact { Level::EXACT } else { level.finer() };
        loop {
            let mut after = self.clone();
            let mut out = Writing::new();
            out.number(samples.len() as u64, 6)?;
            for sample in samples {
                after.pass(&mut out, sample, *level)?;
            }
            let bytes = out.finish()?;
            match level.coarser() {
                Some(coarser) if !exact && bytes.len() as u64 * 8 > BUDGET * samples.len() as u64 => *level = coarser,
                _ => {
                    *self = after;
                    return Ok(bytes);
                }
            }
        }
    }

    /// Decodes what [`Model::encode`] made.
    pub(super) fn decode(&mut self, bytes: &[u8], level: Level) -> io::Result<Vec<Sample>> {
        let mut port = Reading::new(bytes);
        let count = usize::try_from(port.number(0, 6)?).unwrap_or(usize::MAX);
        if count > MOST_SAMPLES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let samples = (0..count).map(|_| self.pass(&mut port, &Sample::BLANK, level)).collect();
        // A few bits of a file can name a new cell.
        if self.tracks.len() > MOST_TRACKS { Err(io::ErrorKind::InvalidData.into()) } else { samples }
    }

    /// Passes a sample; returns it as the reader sees it.
    fn pass<P: Port>(&mut self, port: &mut P, given: &Sample, level: Level) -> io::Result<Sample> {
        let place = self.place(port, given)?;
        let (cpu_start, cpu_end) = self.processors(port, given)?;
        self.count += 1;
        let (of_start, of_lateness) = (level.of_start(self.count), level.of_lateness(self.count));
        let clock = self.clocks.get(place.cell as usize).copied().unwrap_or(ClockName::Monotonic);
        let start = match self.ends.get(&clock) {
            None => port.signed(given.start.get(), UNPREDICTED)?,
            Some(&end) => {
                let gap = &mut self.gaps[usize::from(place.sequence.is_multiple_of(self.turn))];
                end.wrapping_add(gap.pass(port, given.start.get().wrapping_sub(end), of_start)?)
            }
        };
        let track = self.tracks.entry((place.cell, place.thread)).or_default();
        let times =
            track.times(port, given, Times { start, requested: place.requested.get(), of_start, of_lateness })?;
        let SampleHead { cell, thread, sequence, requested, flags, .. } = place;
        let (start, (deadline, end)) = (Nanos::new(start), times);
        let sample = Sample { cell, thread, sequence, requested, deadline, start, end, cpu_start, cpu_end, flags };
        self.ends.insert(clock, end.get());
        self.last = sample;
        Ok(sample)
    }

    fn place<P: Port>(&mut self, port: &mut P, given: &Sample) -> io::Result<SampleHead> {
        let wanted = SampleHead {
            cell: given.cell,
            thread: given.thread,
            sequence: given.sequence,
            requested: given.requested,
            has_deadline: given.deadline.is_some(),
            flags: given.flags,
        };
        let next = |tracks: &mut HashMap<(u32, u16), Track>, cell, thread| {
            let track = tracks.entry((cell, thread)).or_default();
            let (sequence, requested, has_deadline) = (track.next, track.requested, track.has_deadline);
            SampleHead { cell, thread, sequence, requested, has_deadline, flags: Flags::default() }
        };
        let mut place = next(&mut self.tracks, self.last.cell, self.last.thread);
        if !port.bit(wanted == place)? {
            let cell = port.signed(i64::from(wanted.cell) - i64::from(place.cell), 1)?;
            let thread = port.signed(i64::from(wanted.thread) - i64::from(place.thread), 0)?;
            let cell = u32::try_from(i64::from(place.cell).wrapping_add(cell));
            let thread = u16::try_from(i64::from(place.thread).wrapping_add(thread));
            let (Ok(cell), Ok(thread)) = (cell, thread) else { return Err(io::ErrorKind::InvalidData.into()) };
            place = next(&mut self.tracks, cell, thread);
            if !port.bit(wanted == place)? {
                let ahead = port.signed(wanted.sequence.wrapping_sub(place.sequence).cast_signed(), 0)?;
                place.sequence = place.sequence.wrapping_add(ahead.cast_unsigned());
                let longer = wanted.requested.get().wrapping_sub(place.requested.get());
                place.requested = Nanos::new(place.requested.get().wrapping_add(port.signed(longer, 0)?));
                place.has_deadline = port.bit(wanted.has_deadline)?;
                let flags = u16::try_from(port.number(u64::from(wanted.flags.0), 0)?);
                place.flags = Flags(flags.map_err(|_| io::ErrorKind::InvalidData)?);
            }
        }
        let track = self.tracks.entry((place.cell, place.thread)).or_default();
        track.next = place.sequence.wrapping_add(1);
        (track.requested, track.has_deadline) = (place.requested, place.has_deadline);
        Ok(place)
    }

    fn processors<P: Port>(&self, port: &mut P, given: &Sample) -> io::Result<(u16, u16)> {
        let usual = self.last.cpu_end;
        if port.bit(given.cpu_start == usual && given.cpu_end == usual)? {
            return Ok((usual, usual));
        }
        let mut other = |given: u16, usual: u16| -> io::Result<u16> {
            let away = port.signed(i64::from(given.wrapping_sub(usual).cast_signed()), 0)?;
            Ok(i16::try_from(away).map_or(Sample::NO_CPU, |away| usual.wrapping_add_signed(away)))
        };
        let start = other(given.cpu_start, usual)?;
        Ok((start, other(given.cpu_end, start)?))
    }
}

/// What a sample's deadline and end follow from.
#[derive(Clone, Copy)]
struct Times {
    start: i64,
    requested: i64,
    of_start: Rounding,
    of_lateness: Rounding,
}

impl Track {
    /// Passes the deadline and the end of a sample.
    fn times<P: Port>(&mut self, port: &mut P, given: &Sample, times: Times) -> io::Result<(Option<Nanos>, Nanos)> {
        let Times { start, requested, of_start, of_lateness } = times;
        let mut due = start.wrapping_add(requested);
        // The lateness itself is rounded, and not the end: what was asked for is kept exactly.
        let asked = given.start.get().wrapping_add(requested);
        let mut late = given.end.get().wrapping_sub(asked);
        if self.has_deadline {
            let deadline = given.deadline.unwrap_or_default().get();
            late = given.end.get().wrapping_sub(deadline);
            due = due.wrapping_add(self.lead.pass(port, deadline.wrapping_sub(asked), of_start)?);
        }
        let mut end = due.wrapping_add(self.lateness.pass(port, late, of_lateness)?);
        let before = start.wrapping_sub(end);
        if before > 0 && before <= of_start.most().max(of_lateness.most()) {
            // Rounding must not let a sleep end before it starts.
            end = start;
        }
        Ok((self.has_deadline.then(|| Nanos::new(due)), Nanos::new(end)))
    }
}

fn is_moderate(sample: &Sample) -> bool {
    let times = [sample.start, sample.end, sample.deadline.unwrap_or_default(), sample.requested];
    times.iter().all(|time| time.get().unsigned_abs() < MODERATE)
}
