//! A trace for ui.perfetto.dev and `trace_processor`: sleeps, their lateness, kernel events and stalls on one timeline.
//!
//! Field numbers are those of Perfetto's `trace_packet.proto`, `track_descriptor.proto` and `track_event.proto`.

use super::label;
use super::one_batch_behind::{OneBatchBehind, SampleWriter};
use oversleep_recording::plan::{Cell, Kind};
use oversleep_recording::trace::{Event, EventKind, Interrupt};
use oversleep_recording::{ClocksAhead, Flags, Meta, Note, Sample};
use std::collections::HashSet;
use std::io::{self, Write};

// TracePacket
const TIMESTAMP: u32 = 8;
const SEQUENCE_ID: u32 = 10;
const TRACK_EVENT: u32 = 11;
const TRACK_DESCRIPTOR: u32 = 60;
// TrackDescriptor
const UUID: u32 = 1;
const NAME: u32 = 2;
// TrackEvent
const ANNOTATION: u32 = 4;
const TYPE: u32 = 9;
const TRACK_UUID: u32 = 11;
const CATEGORIES: u32 = 22;
const EVENT_NAME: u32 = 23;
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
// DebugAnnotation
const INT_VALUE: u32 = 4;
const ANNOTATION_NAME: u32 = 10;

/// First track numbers of processors, and of cells.
const CPU_TRACKS: u64 = 1 << 32;
const CELL_TRACKS: u64 = 1 << 40;

/// Writes the trace sample by sample.
pub(super) struct Perfetto<W: Write> {
    out: W,
    stalls: bool,
    cells: Vec<Cell>,
    tracks: HashSet<u64>,
    /// Offsets of the clocks from the monotonic one, where they were read.
    ahead: ClocksAhead,
}

impl<W: Write> Perfetto<W> {
    pub(super) fn exporter(meta: &Meta, out: W) -> OneBatchBehind<Self> {
        OneBatchBehind::over(Self {
            out,
            stalls: meta.plan.kind == Kind::Stalls,
            cells: meta.plan.cells.clone(),
            tracks: HashSet::new(),
            ahead: ClocksAhead::default(),
        })
    }

    fn packet(&mut self, packet: Message) -> io::Result<()> {
        let packet = packet.number(SEQUENCE_ID, 1);
        self.out.write_all(&Message::default().message(1, &packet).into_bytes())
    }

    /// Describes a track the first time it is used.
    fn track(&mut self, uuid: u64, name: impl FnOnce() -> String) -> io::Result<()> {
        if !self.tracks.insert(uuid) {
            return Ok(());
        }
        let descriptor = Message::default().number(UUID, uuid).text(NAME, &name());
        self.packet(Message::default().message(TRACK_DESCRIPTOR, &descriptor))
    }

    fn event(&mut self, at: i64, event: &Message) -> io::Result<()> {
        // Perfetto's times are unsigned: a time below 0 becomes 0.
        let time = u64::try_from(at).unwrap_or(0);
        self.packet(Message::default().number(TIMESTAMP, time).message(TRACK_EVENT, event))
    }

    fn slice(&mut self, track: u64, (begin, end): (i64, i64), what: Message) -> io::Result<()> {
        self.event(begin, &what.number(TYPE, BEGIN).number(TRACK_UUID, track))?;
        self.event(end, &Message::default().number(TYPE, END).number(TRACK_UUID, track))
    }

    fn kernel(&mut self, event: &Event) -> io::Result<()> {
        let track = CPU_TRACKS + u64::from(event.cpu);
        self.track(track, || format!("kernel events on processor {}", event.cpu))?;
        let instant = Message::default()
            .number(TYPE, INSTANT)
            .number(TRACK_UUID, track)
            .text(EVENT_NAME, &describe(&event.kind))
            .text(CATEGORIES, "kernel")
            .message(ANNOTATION, &number("thread", event.thread.into()));
        self.event(event.at.get(), &instant)
    }
}

fn number(name: &str, value: i64) -> Message {
    Message::default().signed(INT_VALUE, value).text(ANNOTATION_NAME, name)
}

/// Describes a kernel event in a few words.
fn describe(kind: &EventKind) -> String {
    let interrupt = |what: &Interrupt| match what {
        Interrupt::Timer => "timer interrupt".to_owned(),
        Interrupt::Device { irq, name } if name.is_empty() => format!("interrupt {irq}"),
        Interrupt::Device { irq, name } => format!("interrupt {irq} ({name})"),
        Interrupt::Softirq(vector) => format!("softirq {vector}"),
        Interrupt::Vector(name) => format!("interrupt {name}"),
    };
    match kind {
        EventKind::TimerStart { timer, .. } => format!("timer {timer} armed"),
        EventKind::TimerExpire { timer, .. } => format!("timer {timer} fires"),
        EventKind::TimerCancel { timer } => format!("timer {timer} leaves its queue"),
        EventKind::CallEntry { call, .. } => format!("enters {call}"),
        EventKind::CallExit { result } => format!("returns {result}"),
        EventKind::TimerInterrupt => "timer interrupt".to_owned(),
        EventKind::InterruptEntry { what } => format!("{} begins", interrupt(what)),
        EventKind::InterruptExit { what } => format!("{} ends", interrupt(what)),
        EventKind::Waking { tid } => format!("thread {tid} is about to be woken"),
        EventKind::Wakeup { tid, .. } => format!("thread {tid} is ready to run"),
        EventKind::Moved { tid, queue } => format!("thread {tid} is moved to processor {queue}"),
        EventKind::Switch { prev, next, .. } => format!("{} gives way to {}", prev.comm, next.comm),
        EventKind::Idle { state: Some(state) } => format!("idle state {state}"),
        EventKind::Idle { state: None } => "idle ends".to_owned(),
    }
}

impl<W: Write> SampleWriter for Perfetto<W> {
    fn cell(&mut self, cell: &Cell) {
        self.cells.push(cell.clone());
    }

    fn learn(&mut self, note: &Note) {
        self.ahead.take(&note.brackets);
    }

    fn sample(&mut self, sample: &Sample) -> io::Result<()> {
        let Some(cell) = self.cells.get(sample.cell as usize).cloned() else { return Ok(()) };
        let track = CELL_TRACKS + (u64::from(sample.cell) << 16) + u64::from(sample.thread);
        let stalls = self.stalls;
        self.track(track, || match sample.thread {
            _ if stalls => format!("stalls: {}", label::label(&cell)),
            0 => label::label(&cell),
            thread => format!("{}, thread {thread}", label::label(&cell)),
        })?;
        let on_line = |time| self.ahead.monotonic(cell.clock, time).get();
        let (start, end) = (on_line(sample.start), on_line(sample.end));
        let late = sample.oversleep().get();
        let name = match () {
            () if self.stalls => "stall",
            () if sample.flags.has(Flags::FAILED) => "failed call",
            () => cell.method.as_str(),
        };
        let slept = Message::default()
            .text(EVENT_NAME, name)
            .text(CATEGORIES, if self.stalls { "stall" } else { "sleep" })
            .message(ANNOTATION, &number("requested_ns", sample.requested.get()))
            .message(ANNOTATION, &number("oversleep_ns", late))
            .message(ANNOTATION, &number("sequence", i64::try_from(sample.sequence).unwrap_or(i64::MAX)));
        self.event(start, &slept.number(TYPE, BEGIN).number(TRACK_UUID, track))?;
        let due = end.saturating_sub(late);
        if late > 0 && due >= start && !self.stalls && !sample.flags.has(Flags::FAILED) {
            let why = Message::default().text(EVENT_NAME, "late").text(CATEGORIES, "late");
            self.slice(track, (due, end), why)?;
        }
        self.event(end, &Message::default().number(TYPE, END).number(TRACK_UUID, track))
    }

    fn note(&mut self, note: &Note) -> io::Result<()> {
        let traced = note.traced_sleeps.iter().map(|sleeps| &sleeps.events);
        let stalled = note.stall_windows.iter().filter_map(|window| window.events.as_ref());
        traced.chain(stalled).flat_map(|events| &events.events).try_for_each(|event| self.kernel(event))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A message under construction.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

/// Wire type of numbers of variable length.
const VARINT: u32 = 0;
/// Wire type of bytes preceded by their length.
const BYTES: u32 = 2;

impl Message {
    /// Adds an unsigned number.
    #[must_use]
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        self.varint(u64::from(field << 3 | VARINT));
        self.varint(value);
        self
    }

    /// Adds a signed number, encoded as `int64`.
    #[must_use]
    pub(super) fn signed(self, field: u32, value: i64) -> Self {
        self.number(field, value.cast_unsigned())
    }

    /// Adds a text field.
    #[must_use]
    pub(super) fn text(self, field: u32, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a nested message.
    #[must_use]
    pub(super) fn message(self, field: u32, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Returns the encoded bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn bytes(mut self, field: u32, value: &[u8]) -> Self {
        self.varint(u64::from(field << 3 | BYTES));
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            #[allow(clippy::cast_possible_truncation)] // seven bits
            self.0.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        #[allow(clippy::cast_possible_truncation)] // below 0x80
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples in the encoding's documentation: field 1 with 150, field 2 with "testing", field 3 with the first
    /// message.
    #[test]
    fn bytes_are_those_of_the_description() {
        let first = Message::default().number(1, 150);
        assert_eq!(first.clone().into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().text(2, "testing").into_bytes();
        assert_eq!(text, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67]);
        assert_eq!(Message::default().message(3, &first).into_bytes(), [0x1A, 0x03, 0x08, 0x96, 0x01]);
        let minus_two = [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01];
        assert_eq!(Message::default().signed(1, -2).into_bytes()[1..], minus_two);
    }
}
