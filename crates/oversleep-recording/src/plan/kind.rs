//! Kinds of recordings.

named! {
    /// What a recording is of, by the name used on the command line and in files.
    Kind, "kind of recording":
    /// Every method of this system, 300 sleeps of 1 ms each.
    CheckUp "check-up"
    /// Every combination of method, request and condition.
    Measure "measure"
    /// Sleeps to the next second of the wall clock.
    WallSecond "wall-second"
    /// Error against requested duration, 1 µs to 10 s.
    Sweep "sweep"
    /// 14 requests from 0 to 1000 ms, with 0 to 5 busy threads.
    Load "load"
    /// An absolute schedule, as in cyclictest.
    Periodic "periodic"
    /// Traced sleeps in turns with untraced ones.
    Trace "trace"
    /// Sleeps under conditions that are changed one at a time.
    Diagnose "diagnose"
    /// Stalls of processors: nothing sleeps.
    Stalls "stalls"
    /// A survey of clocks, without samples.
    Clocks "clocks"
    /// Timers of language runtimes.
    Runtimes "runtimes"
    /// Waits of another program.
    Attach "attach"
    /// Another program's file.
    Imported "imported"
}

impl Kind {
    /// The experiments of `measure` with a design of their own, which the option `--experiment` names.
    pub const EXPERIMENTS: &[Self] = &[Self::WallSecond, Self::Sweep, Self::Load, Self::Periodic];

    /// Returns whether the samples are sleeps.
    pub const fn has_sleeps(self) -> bool {
        !matches!(self, Self::Stalls | Self::Clocks)
    }

    /// Returns whether recordings of this kind have a document of their own and are not searched for causes of sleeps.
    pub const fn has_own_document(self) -> bool {
        matches!(self, Self::Clocks | Self::Stalls | Self::Runtimes | Self::Attach)
    }
}
