//! What the calling thread has taken of the processor.

use oversleep_os::trace::wake_ups;
use oversleep_recording::SleepCost;
use oversleep_sys::clock::thread_processor_time;
use oversleep_sys::units::Nanos;

/// What the thread has taken so far. A reading costs about 0.4 µs.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    processor: Nanos,
    wake_ups: Option<u64>,
}

impl Spent {
    /// Reads it; `None` where the system does not count processor time.
    pub(crate) fn now() -> Option<Self> {
        let wake_ups = wake_ups();
        thread_processor_time().map(|processor| Self { processor, wake_ups })
    }

    /// Returns what `sleeps` have taken since.
    pub(crate) fn until_now(self, sleeps: u64) -> Option<SleepCost> {
        let processor = thread_processor_time()? - self.processor;
        let wake_ups = self.wake_ups.zip(wake_ups()).map(|(before, after)| after - before);
        Some(SleepCost { sleeps, processor, wake_ups, ..SleepCost::default() })
    }
}
