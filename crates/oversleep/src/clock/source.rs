//! The two clocks that are compared, so that tests may say what they read.

use oversleep_sys::clock::{self, counter};

/// A counter and a system's clock that runs beside it.
pub(super) trait Source {
    /// The counter, read after every earlier instruction.
    fn counter(&self) -> u64;
    /// The system's monotonic clock, nanoseconds.
    fn system(&self) -> u64;
    /// Whether the system trusts the counter. Asked anew each time: the kernel may have left it since.
    fn is_trusted(&self) -> bool;
    /// The number of this process, not 0.
    fn process(&self) -> u32;
}

/// The processor's counter, and the system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Here;

impl Source for Here {
    #[inline]
    fn counter(&self) -> u64 {
        counter::ordered()
    }

    /// Nothing reads its clock before the clock's own beginning; 0 if it did.
    fn system(&self) -> u64 {
        u64::try_from(clock::monotonic().get()).unwrap_or(0)
    }

    fn is_trusted(&self) -> bool {
        counter::support().is_ok_and(|support| support.trusted())
    }

    fn process(&self) -> u32 {
        std::process::id()
    }
}
