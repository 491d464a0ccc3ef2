//! From a sleeping thread to the coordinator without either waiting for the other.

use crate::plan::Cell;
use crate::recording::Sample;
use oversleep_os::units::Nanos;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sleeping thread's end. A full ring loses the sample and counts it.
pub(super) struct Outlet {
    ring: Producer<Sample>,
    lost: Arc<AtomicU64>,
}

/// The coordinator's end.
pub(super) struct Inlet {
    ring: Consumer<Sample>,
    lost: Arc<AtomicU64>,
}

/// The fastest any sleep has been seen to return; sets how many samples two seconds can bring.
const FASTEST: Nanos = Nanos::from_micros(15);

/// A ring with room for what may come between two collections: two seconds of the busiest cell, or two of its
/// longest turns where those are shorter (the coordinator empties rings that are half full between turns).
/// `cells` come with the sleeps of their longest turn.
pub(super) fn ring<'a>(cells: impl Iterator<Item = (&'a Cell, u64)>) -> (Outlet, Inlet) {
    let needed = |(cell, turn): (&Cell, u64)| {
        let each = cell.pattern.typical().max(FASTEST);
        let two_seconds = (2 * Nanos::SECOND.get() / each.get()).unsigned_abs();
        two_seconds.min(turn.saturating_mul(2))
    };
    let samples = cells.map(needed).max().unwrap_or(0);
    let capacity = usize::try_from(samples).unwrap_or(usize::MAX).clamp(1 << 10, 1 << 17).next_power_of_two();
    let (mut producer, mut consumer) = RingBuffer::new(capacity);
    touch(&mut producer, &mut consumer, capacity);
    let lost = Arc::new(AtomicU64::new(0));
    (Outlet { ring: producer, lost: Arc::clone(&lost) }, Inlet { ring: consumer, lost })
}

/// Fills and empties the ring once, so that no sample pays for a page's first touch.
fn touch(producer: &mut Producer<Sample>, consumer: &mut Consumer<Sample>, capacity: usize) {
    for _ in 0..capacity {
        let _ = producer.push(Sample::BLANK);
    }
    while consumer.pop().is_ok() {}
}

impl Outlet {
    #[inline]
    pub(super) fn push(&mut self, sample: Sample) {
        if self.ring.push(sample).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Inlet {
    /// Moves everything that is there to the end of `into`.
    pub(super) fn drain(&mut self, into: &mut Vec<Sample>) {
        let there = self.ring.slots();
        if let Ok(chunk) = self.ring.read_chunk(there) {
            let (first, second) = chunk.as_slices();
            into.extend_from_slice(first);
            into.extend_from_slice(second);
            chunk.commit_all();
        }
    }

    /// Whether it is time to make room.
    pub(super) fn half_full(&self) -> bool {
        self.ring.slots() * 2 >= self.ring.buffer().capacity()
    }

    /// Samples lost since this was last asked.
    pub(super) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}
