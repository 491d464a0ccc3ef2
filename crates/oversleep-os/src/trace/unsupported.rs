//! Systems whose kernel events are not read.

use super::Setup;
use oversleep_recording::TimedCall;
use oversleep_recording::trace::{KernelEvents, OwnSwitch, ThreadCounters};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

fn absent<T>() -> Result<T, Refusal> {
    Err(Refusal::Unavailable("this version of oversleep reads kernel events on Linux alone".to_owned()))
}

/// What a value here consists of, so that there is none. It is private: whoever uses these types sees no code that is never run.
#[derive(Debug)]
enum Absent {}

/// A tracer, which does not exist on this system.
#[derive(Debug)]
pub struct Tracer(Absent);

impl Tracer {
    /// Returns whether a thread is one of those whose program is traced, or has ended.
    pub fn traces(&self, _: i32) -> bool {
        match self.0 {}
    }

    /// Returns an error: not available on this system.
    pub fn open(_thread: i32, _setup: Setup) -> Result<Self, Refusal> {
        absent()
    }

    /// Returns an error: not available on this system.
    pub fn open_for(_threads: &[i32], _setup: Setup) -> Result<Self, Refusal> {
        absent()
    }

    /// Returns an error: not available on this system.
    pub fn open_program(_threads: &[i32], _setup: Setup) -> Result<Self, Refusal> {
        absent()
    }

    /// Adds threads of the program.
    pub fn add(&self, _threads: &[i32]) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Returns the events that this kernel lacks.
    pub fn missing(&self) -> &[(String, Refusal)] {
        match self.0 {}
    }

    /// Starts recording.
    pub fn start(&mut self) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Stops recording.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Returns whether events will be lost soon.
    pub fn is_filling(&self) -> bool {
        match self.0 {}
    }

    /// Returns the recorded events.
    pub fn drain(&mut self) -> Result<KernelEvents, Refusal> {
        match self.0 {}
    }
}

/// A tracer of system calls, which does not exist on this system.
#[derive(Debug)]
pub struct CallTracer(Absent);

impl CallTracer {
    /// Returns an error: not available on this system.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Starts recording.
    pub fn start(&mut self, _threads: &[i32]) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Stops recording and returns the calls.
    pub fn stop(&mut self) -> Result<Vec<TimedCall>, Refusal> {
        match self.0 {}
    }
}

/// Switch records, which do not exist on this system.
#[derive(Debug)]
pub struct OwnSwitches(Absent);

impl OwnSwitches {
    /// Returns an error: not available on this system.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Returns an error: not available on this system.
    pub fn open_for(_thread: i32) -> Result<Self, Refusal> {
        absent()
    }

    /// Starts recording.
    pub fn start(&mut self) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Stops recording.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        match self.0 {}
    }

    /// Returns the recorded switches.
    pub fn drain(&mut self) -> (Vec<OwnSwitch>, u64) {
        match self.0 {}
    }
}

/// The time that a thread has waited in run queues, which is not counted on this system.
#[derive(Debug)]
pub struct RunQueueCounter(Absent);

impl RunQueueCounter {
    /// Returns `None`: not counted on this system.
    pub fn open() -> Option<Self> {
        None
    }

    /// Returns the time waited since the thread began.
    pub fn read(&self) -> Option<Nanos> {
        match self.0 {}
    }
}

/// Returns `None`: not read on this system.
pub fn wake_ups() -> Option<u64> {
    None
}

/// Readings of counters, which do not exist on this system.
#[derive(Debug)]
pub struct Readings(Absent);

impl Readings {
    /// Returns an error: not available on this system.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Returns the current counters.
    pub fn now(&mut self) -> ThreadCounters {
        match self.0 {}
    }
}

/// Returns an empty list: there are no instances to remove.
pub fn reap() -> Vec<String> {
    Vec::new()
}

/// Returns an empty list: no threads can be traced.
pub fn threads() -> Vec<(i32, String)> {
    Vec::new()
}

/// Returns `None`: system calls are not traced here.
pub fn call_name(_number: i64) -> Option<&'static str> {
    None
}

/// Returns an error: not available on this system.
pub fn mark(_text: &str) -> Result<(), Refusal> {
    absent()
}

/// Returns 0: threads have no ID here.
pub fn thread_id() -> i32 {
    0
}
