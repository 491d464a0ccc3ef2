//! Which time belongs to which count of the counter, for all threads alike, and what to say where none does.
//!
//! Where lines are drawn, the time is a function of the counter alone: it rises with it, and a line that follows another
//! starts where that one ends. Everywhere else the system's clock is handed out. No reading may be below one that was
//! finished before it, on whatever thread: so both kinds go through one word, which is only ever replaced whole.
//!
//! - A system time is handed out only after the word was replaced by one that holds it.
//! - Lines count from the moment that the word says so, and from the counter read after the word was found closed; they
//!   start above its time. Where a system time was handed out in between, the word is another, and they start anew.
//! - Lines end for everybody when the word is closed with a time not below any of theirs.

use super::mapping::{Line, counts};
use super::published::Published;
use super::source::Source;
use crate::sync::{AtomicU64, Ordering, fence};

/// Two lines that meet: `now` up to the counter at which `next` starts, `next` from there up to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lines {
    pub(super) now: Line,
    pub(super) next: Line,
    /// Counter from which on neither is valid.
    pub(super) end: u64,
    /// Nothing that they give is above.
    pub(super) most: u64,
}

impl Lines {
    pub(super) fn new(now: Line, next: Line, end: u64) -> Self {
        Self { now, next, end, most: next.at(end) }
    }

    /// Returns whether `counter` is on the first line.
    pub(super) fn is_first(&self, counter: u64) -> bool {
        self.now.start <= counter && counter < self.next.start
    }

    /// Returns the time at `counter`; `None` from the end on. Before the start it is the start's: no thread that looks
    /// there after these lines were found has such a counter, if the counters of all processors agree.
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        let counter = counter.max(self.now.start);
        let line = if counter < self.next.start { self.now } else { self.next };
        (counter < self.end).then(|| line.at(counter))
    }
}

/// What the time is made of at present: a time in nanoseconds, the slot of the latest lines, and whether they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State(u64);

impl State {
    /// 146 years. Until then no state comes twice: times only rise, and lines start above what was handed out.
    const LATEST: u64 = (1 << 62) - 1;

    fn new(time: u64, slot: usize, open: bool) -> Self {
        Self(time.min(Self::LATEST) << 2 | (slot as u64 & 1) << 1 | u64::from(open))
    }

    /// Closed: no reading was above. Open: where the present lines start.
    fn time(self) -> u64 {
        self.0 >> 2
    }

    fn slot(self) -> usize {
        usize::from(self.0 & 2 != 0)
    }

    fn is_open(self) -> bool {
        self.0 & 1 != 0
    }

    /// No lines count any more, and no later reading is below `time`.
    fn closed(self, time: u64) -> Self {
        Self::new(time.max(self.time()), self.slot(), false)
    }
}

/// Lines in words that may be read while they are replaced: the reader finds the state changed then.
#[derive(Debug)]
struct Slot([AtomicU64; 8]);

impl Slot {
    fn new() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    fn load(&self) -> Lines {
        let word = |i: usize| self.0[i].load(Ordering::Relaxed);
        let line = |i| Line { start: word(i), value: word(i + 1), slope: word(i + 2) };
        Lines { now: line(0), next: line(3), end: word(6), most: word(7) }
    }

    /// Behind a fence: who sees one of these words also sees that the state is not what made this slot the present one.
    fn store(&self, lines: &Lines) {
        let Lines { now, next, end, most } = *lines;
        fence(Ordering::Release);
        let words = [now.start, now.value, now.slope, next.start, next.value, next.slope, end, most];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

/// Lines that are withdrawn last so much longer, nanoseconds: what cutting them takes, if the thread is not stopped.
const WHILE_CUTTING: u64 = 50_000;
/// More than a processor reads its counter too late of the loads that follow, which it may carry out before.
const SPECULATED: u64 = 10_000;

/// The lines, and the times handed out where there are none. Any number of readers; one writer at a time, by the
/// caller's care. Nobody waits for anybody.
#[derive(Debug)]
pub(super) struct Timeline {
    /// What nearly every reading needs of the present lines. May be late, never wrong.
    first: Published,
    state: AtomicU64,
    slots: [Slot; 2],
}

impl Timeline {
    pub(super) fn new() -> Self {
        let state = AtomicU64::new(State::new(0, 0, false).0);
        Self { first: Published::new(), state, slots: [Slot::new(), Slot::new()] }
    }

    /// Returns the time at a counter just read, if it is on the first line.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        self.first.at(counter)
    }

    /// Returns the time now: by the lines that count, else the system's.
    pub(super) fn now(&self, source: &impl Source) -> u64 {
        loop {
            let state = self.state();
            // After the state, as the next reading of the counter always is after an earlier load.
            let counter = source.counter();
            let at_least = if state.is_open() {
                let Some(lines) = self.lines_of(state) else { continue };
                match lines.at(counter) {
                    Some(ns) => return ns,
                    None => lines.most,
                }
            } else {
                state.time()
            };
            let ns = source.system().max(at_least);
            if state == state.closed(ns) || self.replace(state, state.closed(ns)) {
                return ns;
            }
        }
    }

    /// Returns the time now where no line will ever be drawn again: nothing needs to be kept for the others.
    pub(super) fn without_lines(&self, source: &impl Source) -> u64 {
        let state = self.state();
        if state.is_open() { self.now(source) } else { source.system().max(state.time()) }
    }

    /// Returns the lines that count, whether or not they have ended.
    pub(super) fn lines(&self) -> Option<Lines> {
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

    /// Lets lines count from now on where none did, drawn through a counter and a time: those of `line`, or as far above as
    /// what was handed out until now, but no more than `tolerance`.
    ///
    /// By the writer. `false` if the times handed out are farther ahead, if other lines count, or if the thread was stopped
    /// until after the counter `until`: a line goes wrong with time.
    pub(super) fn open(
        &self,
        source: &impl Source,
        line: Line,
        until: u64,
        tolerance: u64,
        draw: impl Fn(Line) -> Lines,
    ) -> bool {
        loop {
            let state = self.state();
            let counter = source.counter();
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

    /// Goes on with lines of which the first is the present second. By the writer; `false` if somebody found the present
    /// ones ended.
    pub(super) fn go_on(&self, lines: &Lines) -> bool {
        let state = self.state();
        state.is_open() && self.publish(state, lines)
    }

    /// Ends the lines: none counts from now on, and nothing is handed out that is below what they gave. By the writer.
    ///
    /// What they gave to readers that are just done with them is told by a counter read after they were cut: if that is well
    /// before where they were cut, all of it is below the time there. Else it may be anything up to their end.
    pub(super) fn close(&self, source: &impl Source) {
        self.first.write(&Lines::default());
        loop {
            let state = self.state();
            if !state.is_open() {
                return;
            }
            let lines = self.slots[state.slot()].load();
            let cut = source.counter().saturating_add(counts(WHILE_CUTTING, lines.now.slope));
            let Some(latest) = lines.at(cut) else {
                // They end by themselves as soon.
                self.replace(state, state.closed(lines.most));
                continue;
            };
            let Some(state) = self.offer(state, &Lines { end: cut, ..lines }) else { continue };
            let in_time = source.counter().saturating_add(counts(SPECULATED, lines.now.slope)) < cut;
            self.replace(state, state.closed(if in_time { latest } else { lines.most }));
        }
    }

    fn publish(&self, state: State, lines: &Lines) -> bool {
        let done = self.offer(state, lines).is_some();
        if done {
            self.first.write(lines);
        }
        done
    }

    /// Lets lines count instead of a state, if that has not changed meanwhile.
    fn offer(&self, state: State, lines: &Lines) -> Option<State> {
        let slot = state.slot() ^ 1;
        self.slots[slot].store(lines);
        // Lines that are only cut start where they did: the slot tells them from those before.
        let new = State::new(lines.now.value, slot, true);
        self.replace(state, new).then_some(new)
    }

    fn state(&self) -> State {
        State(self.state.load(Ordering::Acquire))
    }

    fn replace(&self, old: State, new: State) -> bool {
        self.state.compare_exchange(old.0, new.0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// The lines of an open state, unless that is over.
    fn lines_of(&self, state: State) -> Option<Lines> {
        let lines = self.slots[state.slot()].load();
        fence(Ordering::Acquire);
        (self.state.load(Ordering::Relaxed) == state.0).then_some(lines)
    }
}

#[cfg(all(test, loom))]
mod loom_tests;
