//! Clock bracketings, at a rate that falls as a run gets longer.

use oversleep_recording::Bracket;
use oversleep_recording::plan::ClockName;

/// At most `bound` bracketings: every reading of each clock, or every second, fourth, and so on.
#[derive(Debug)]
pub(super) struct Brackets {
    bound: usize,
    every: u64,
    kept: Vec<(u64, Bracket)>,
    counts: Vec<(ClockName, u64)>,
}

impl Brackets {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, every: 1, kept: Vec::new(), counts: Vec::new() }
    }

    pub(super) fn take(&mut self, brackets: &[Bracket]) {
        for bracket in brackets {
            let number = self.number(bracket.clock);
            if number.is_multiple_of(self.every) {
                self.kept.push((number, *bracket));
            }
            // As there are few clocks, this removes about half.
            while self.kept.len() > self.bound {
                self.every *= 2;
                let every = self.every;
                self.kept.retain(|(number, _)| number.is_multiple_of(every));
            }
        }
    }

    /// Returns the number of this clock's next reading, from 0.
    fn number(&mut self, clock: ClockName) -> u64 {
        if let Some((_, count)) = self.counts.iter_mut().find(|(known, _)| *known == clock) {
            *count += 1;
            return *count;
        }
        self.counts.push((clock, 0));
        0
    }

    pub(super) fn finish(self) -> Vec<Bracket> {
        self.kept.into_iter().map(|(_, bracket)| bracket).collect()
    }
}
