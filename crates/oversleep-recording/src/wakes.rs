//! The wake-ups of a schedule, in 16 bytes each.
//!
//! This second form of samples is used between the sleeping thread, its ring buffer, the file and the running figures:
//! a [`Sample`] has 64 bytes, of which all but these follow from the schedule, and they would be copied four times
//! (`docs/DESIGN.md`, "Why do a schedule's wake-ups travel in sixteen bytes?"). All other sinks receive the wake-ups
//! converted to samples, which is the default of [`crate::Sink::wakes`].

use super::{Flags, RunQueueWait, Sample};
use oversleep_sys::units::Nanos;

/// One wake-up. Values that all wake-ups of a schedule share are in [`Wakes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wake {
    /// Time of the cell's clock at the wake-up.
    pub end: Nanos,
    /// Lower 32 bits of the sample's number.
    pub sequence: u32,
    /// Processor after the wake-up; [`Sample::NO_CPU`] where unknown.
    pub cpu: u16,
    /// Further properties of the sample.
    pub flags: Flags,
}

impl Wake {
    /// An empty wake-up, to initialise memory.
    pub const BLANK: Self = Self { end: Nanos::ZERO, sequence: 0, cpu: Sample::NO_CPU, flags: Flags(0) };
}

/// Consecutive wake-ups of one thread that keeps a schedule, with the values needed to convert them to samples.
#[derive(Debug, Clone, Copy)]
pub struct Wakes<'a> {
    /// ID of the cell.
    pub cell: u32,
    /// Number of the cell's thread that slept.
    pub thread: u16,
    /// Period of the schedule.
    pub period: Nanos,
    /// Deadline that the sample numbered 0 would have had.
    pub anchor: Nanos,
    /// Start of the first sample: the wake-up before it.
    pub start: Nanos,
    /// Processor at the start of the first sample.
    pub cpu_start: u16,
    /// A number at or before that of the first wake-up, less than 2³² before that of the last.
    pub sequence: u64,
    /// The wake-ups, in order.
    pub wakes: &'a [Wake],
}

impl<'a> Wakes<'a> {
    /// Returns the full number of a wake-up.
    #[inline]
    pub fn sequence_of(&self, wake: &Wake) -> u64 {
        #[allow(clippy::cast_possible_truncation)] // the lower half is what is meant
        let first = self.sequence as u32;
        self.sequence + u64::from(wake.sequence.wrapping_sub(first))
    }

    /// Returns the deadline of the sample with this number.
    #[inline]
    pub fn deadline_of(&self, sequence: u64) -> Nanos {
        self.anchor + self.period * sequence.cast_signed()
    }

    /// Returns a wake-up's full number and its lateness.
    #[inline]
    pub fn oversleep_of(&self, wake: &Wake) -> (u64, Nanos) {
        let sequence = self.sequence_of(wake);
        (sequence, wake.end - self.deadline_of(sequence))
    }

    /// Splits before the wake-up with this index.
    pub fn split_at(&self, index: usize) -> (Self, Self) {
        let (before, after) = self.wakes.split_at(index);
        let mut rest = Self { wakes: after, ..*self };
        if let Some(last) = before.last() {
            (rest.start, rest.cpu_start, rest.sequence) = (last.end, last.cpu, self.sequence_of(last));
        }
        (Self { wakes: before, ..*self }, rest)
    }

    /// Returns the wake-ups as samples.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + use<'a> {
        let run = *self;
        let (mut start, mut cpu_start) = (run.start, run.cpu_start);
        run.wakes.iter().map(move |wake| {
            let sequence = run.sequence_of(wake);
            let sample = Sample {
                cell: run.cell,
                thread: run.thread,
                sequence,
                requested: run.period,
                deadline: Some(run.deadline_of(sequence)),
                start,
                end: wake.end,
                cpu_start,
                cpu_end: wake.cpu,
                flags: wake.flags,
                run_queue: RunQueueWait::UNKNOWN,
            };
            (start, cpu_start) = (wake.end, wake.cpu);
            sample
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_follow_from_what_they_share() {
        let wake = |end, sequence, cpu| Wake { end: Nanos::new(end), sequence, cpu, flags: Flags::default() };
        // The lower half of the number overflows between the first two wake-ups.
        let wakes = [wake(1_010, u32::MAX, 0), wake(1_120, 0, 1), wake(1_450, 3, 0)];
        let run = Wakes {
            cell: 7,
            thread: 2,
            period: Nanos::new(100),
            anchor: Nanos::new(1_000) - Nanos::new(100) * i64::from(u32::MAX),
            start: Nanos::new(900),
            cpu_start: 5,
            sequence: u64::from(u32::MAX),
            wakes: &wakes,
        };
        let samples: Vec<_> = run.samples().collect();
        let column = |f: fn(&Sample) -> i64| samples.iter().map(f).collect::<Vec<_>>();
        assert_eq!(column(|s| s.oversleep().get()), [10, 20, 50]);
        assert_eq!(column(|s| s.start.get()), [900, 1_010, 1_120]);
        assert_eq!(column(|s| s.sequence.cast_signed()), [4_294_967_295, 4_294_967_296, 4_294_967_299]);
        assert_eq!(column(|s| i64::from(s.cpu_start)), [5, 0, 1]);
        for index in 0..=3 {
            let (before, after) = run.split_at(index);
            assert_eq!(before.samples().chain(after.samples()).collect::<Vec<_>>(), samples, "split at {index}");
        }
    }
}
