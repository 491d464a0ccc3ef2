//! The clock that a timer runs on.

/// The clock a call's timer runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimerClock {
    /// Time since boot, without time suspended, steered in rate only.
    Monotonic,
    /// Wall-clock time; may be stepped.
    Realtime,
    /// Time since boot, including time suspended.
    Boottime,
    /// Atomic time: wall-clock time without leap seconds.
    Tai,
    /// The kernel's tick counter.
    Tick,
    /// A processor counter read in user space.
    Counter,
    /// The call takes no time.
    None,
}

impl TimerClock {
    /// Returns the clock as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Monotonic => "monotonic",
            Self::Realtime => "realtime",
            Self::Boottime => "boottime",
            Self::Tai => "tai",
            Self::Tick => "tick",
            Self::Counter => "counter",
            Self::None => "none",
        }
    }
}
