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

/// A ring with room for two seconds of the busiest of `cells`: twice the time between two collections.
pub(super) fn ring<'a>(cells: impl Iterator<Item = &'a Cell>) -> (Outlet, Inlet) {
    let shortest = cells.map(|cell| cell.pattern.typical()).min().unwrap_or(Nanos::MILLISECOND).max(FASTEST);
    let samples = (2 * Nanos::SECOND.get() / shortest.get()).unsigned_abs();
    let capacity = usize::try_from(samples).unwrap_or(1).clamp(1 << 10, 1 << 17).next_power_of_two();
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

    /// Samples lost since this was last asked.
    pub(super) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}
