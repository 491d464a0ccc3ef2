//! The function from counter to time, the same for all threads, and the time to return where it is not defined.
//!
//! Where lines are drawn, the time depends only on the counter: it rises with the counter, and each line starts
//! where the previous one ends. Everywhere else the system's clock is returned. No reading may be below one that was
//! completed before it, on whatever thread: so both kinds depend on one atomic word, which is only ever replaced as a
//! whole.
//!
//! - A system time is returned only after the word was replaced by one that contains it.
//! - Lines are in force from the moment that the word says so, and from the counter read after the word was found
//!   closed; they start above its time. If a system time was returned in between, the word has changed, and the lines are
//!   redrawn.
//! - Lines end for all threads when the word is closed with a time not below any of theirs.

use super::atomic::{AtomicU64, Ordering, fence};
use super::counter_and_clock::CounterAndClock;
use super::mapping::{Line, counts};
use super::published::Published;

/// A pair of lines that meet: `now` up to the counter at which `next` starts, `next` from there up to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LinePair {
    pub(super) now: Line,
    pub(super) next: Line,
    /// Counter from which on neither line is valid.
    pub(super) end: u64,
    /// Upper bound of the times on both lines.
    pub(super) most: u64,
}

impl LinePair {
    pub(super) fn new(now: Line, next: Line, end: u64) -> Self {
        Self { now, next, end, most: next.at(end) }
    }

    /// Returns whether `counter` is on the first line.
    pub(super) fn is_first(&self, counter: u64) -> bool {
        self.now.start <= counter && counter < self.next.start
    }

    /// Returns the time at `counter`; `None` from the end on. Before the start it returns the start's time: no thread
    /// that found these lines can read such a counter afterwards, if the counters of all processors agree.
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        let counter = counter.max(self.now.start);
        let line = if counter < self.next.start { self.now } else { self.next };
        (counter < self.end).then(|| line.at(counter))
    }
}

/// The state of the timeline: a time in ns, the slot of the latest lines, and whether they are in force (open).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TimelineState(u64);

impl TimelineState {
    /// 146 years. Until then no state occurs twice: times only rise, and lines start above what was returned.
    const LATEST: u64 = (1 << 62) - 1;

    fn new(time: u64, slot: usize, open: bool) -> Self {
        Self(time.min(Self::LATEST) << 2 | (slot as u64 & 1) << 1 | u64::from(open))
    }

    /// Returns the state's time. Closed: an upper bound of all readings. Open: the start of the present lines.
    fn time(self) -> u64 {
        self.0 >> 2
    }

    fn slot(self) -> usize {
        usize::from(self.0 & 2 != 0)
    }

    fn is_open(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns the state in which no lines are in force and no later reading is below `time`.
    fn closed(self, time: u64) -> Self {
        Self::new(time.max(self.time()), self.slot(), false)
    }
}

/// Lines in words that may be read while they are replaced: the reader then finds that the state has changed.
#[derive(Debug)]
struct Slot([AtomicU64; 8]);

impl Slot {
    fn new() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    fn load(&self) -> LinePair {
        let word = |i: usize| self.0[i].load(Ordering::Relaxed);
        let line = |i| Line { start: word(i), value: word(i + 1), slope: word(i + 2) };
        LinePair { now: line(0), next: line(3), end: word(6), most: word(7) }
    }

    /// Stores lines after a fence: a thread that sees one of these words also sees that the state no longer uses this
    /// slot.
    fn store(&self, lines: &LinePair) {
        let LinePair { now, next, end, most } = *lines;
        fence(Ordering::Release);
        let words = [now.start, now.value, now.slope, next.start, next.value, next.slope, end, most];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

/// How much longer withdrawn lines last, in ns: the time needed to cut them, if the thread is not interrupted.
const WHILE_CUTTING: u64 = 50_000;
/// Upper bound of how late, in ns, a processor may read its counter relative to later loads, which it may execute
/// first.
const SPECULATED: u64 = 10_000;

/// The lines, and the times returned where there are none. Any number of readers; the caller ensures one writer at a
/// time. No thread waits for another.
#[derive(Debug)]
pub(super) struct Timeline {
    /// Copy of the first of the present lines, enough for nearly every reading. It may be out of date, but is never
    /// wrong.
    first: Published,
    state: AtomicU64,
    slots: [Slot; 2],
}

impl Timeline {
    pub(super) fn new() -> Self {
        let state = AtomicU64::new(TimelineState::new(0, 0, false).0);
        Self { first: Published::new(), state, slots: [Slot::new(), Slot::new()] }
    }

    /// Returns the time at a counter just read, if it is on the first line.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        self.first.at(counter)
    }

    /// Returns the time now: from the lines in force, or else from the system's clock.
    pub(super) fn now(&self, clocks: &impl CounterAndClock) -> u64 {
        loop {
            let state = self.state();
            // Read after the state, because readings of the counter are ordered after earlier loads.
            let counter = clocks.counter();
            let at_least = if state.is_open() {
                let Some(lines) = self.lines_of(state) else { continue };
                match lines.at(counter) {
                    Some(ns) => return ns,
                    None => lines.most,
                }
            } else {
                state.time()
            };
            let ns = clocks.system().max(at_least);
            if state == state.closed(ns) || self.replace(state, state.closed(ns)) {
                return ns;
            }
        }
    }

    /// Returns the time now when no line will ever be drawn again: nothing needs to be stored for other threads.
    pub(super) fn without_lines(&self, clocks: &impl CounterAndClock) -> u64 {
        let state = self.state();
        if state.is_open() { self.now(clocks) } else { clocks.system().max(state.time()) }
    }

    /// Returns the lines in force, whether or not they have ended.
    pub(super) fn lines(&self) -> Option<LinePair> {
        loop {
            let state = self.state();
            if !state.is_open() {
                return None;
            }
            if let Some(lines) = self.lines_of(state) {
                return Some(lines);
            }
        }
    }

    /// Puts lines in force where there were none. They start at the counter read now, at the time of `line` there or
    /// above the times returned until now, whichever is later, but at most `tolerance` above `line`.
    ///
    /// Called by the writer. Returns `false` if the times returned are farther ahead, if other lines are in force, or
    /// if the thread was interrupted until after the counter `until`, because the error of a line grows with time.
    pub(super) fn open(
        &self,
        clocks: &impl CounterAndClock,
        line: Line,
        until: u64,
        tolerance: u64,
        draw: impl Fn(Line) -> LinePair,
    ) -> bool {
        loop {
            let state = self.state();
            let counter = clocks.counter();
            if state.is_open() {
                let Some(lines) = self.lines_of(state) else { continue };
                if lines.at(counter).is_some() {
                    return false;
                }
                self.replace(state, state.closed(lines.most));
                continue;
            }
            let value = line.at(counter).max(state.time() + 1);
            let lines = draw(Line { start: counter, value, ..line });
            if counter > until || value - line.at(counter) > tolerance {
                return false;
            }
            if self.publish(state, &lines) {
                return true;
            }
        }
    }

    /// Continues with lines of which the first is the present second. Called by the writer; returns `false` if another
    /// thread found that the present lines had ended.
    pub(super) fn go_on(&self, lines: &LinePair) -> bool {
        let state = self.state();
        state.is_open() && self.publish(state, lines)
    }

    /// Ends the lines: none is in force from now on, and nothing below their times is returned. Called by the writer.
    ///
    /// A counter read after the lines were cut tells what readers that just used them may have returned: if it is well
    /// before the cut, only times below that of the cut; otherwise any time up to the lines' end.
    pub(super) fn close(&self, clocks: &impl CounterAndClock) {
        self.first.write(&LinePair::default());
        loop {
            let state = self.state();
            if !state.is_open() {
                return;
            }
            let lines = self.slots[state.slot()].load();
            let cut = clocks.counter().saturating_add(counts(WHILE_CUTTING, lines.now.slope));
            let Some(latest) = lines.at(cut) else {
                // The lines end by themselves before the cut.
                self.replace(state, state.closed(lines.most));
                continue;
            };
            let Some(state) = self.offer(state, &LinePair { end: cut, ..lines }) else { continue };
            let in_time = clocks.counter().saturating_add(counts(SPECULATED, lines.now.slope)) < cut;
            self.replace(state, state.closed(if in_time { latest } else { lines.most }));
        }
    }

    fn publish(&self, state: TimelineState, lines: &LinePair) -> bool {
        let done = self.offer(state, lines).is_some();
        if done {
            self.first.write(lines);
        }
        done
    }

    /// Puts lines in force in place of a state, if the state has not changed meanwhile.
    fn offer(&self, state: TimelineState, lines: &LinePair) -> Option<TimelineState> {
        let slot = state.slot() ^ 1;
        self.slots[slot].store(lines);
        // Lines that are only cut start at the same time: the slot distinguishes them from the previous ones.
        let new = TimelineState::new(lines.now.value, slot, true);
        self.replace(state, new).then_some(new)
    }

    fn state(&self) -> TimelineState {
        TimelineState(self.state.load(Ordering::Acquire))
    }

    fn replace(&self, old: TimelineState, new: TimelineState) -> bool {
        self.state.compare_exchange(old.0, new.0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Returns the lines of an open state, unless the state has changed.
    fn lines_of(&self, state: TimelineState) -> Option<LinePair> {
        let lines = self.slots[state.slot()].load();
        fence(Ordering::Acquire);
        (self.state.load(Ordering::Relaxed) == state.0).then_some(lines)
    }
}
