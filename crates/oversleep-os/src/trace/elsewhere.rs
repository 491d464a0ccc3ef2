//! Systems whose kernel events are not read.

use super::Setup;
use oversleep_recording::TimedCall;
use oversleep_recording::trace::{KernelEvents, OwnSwitch, ThreadCounters};
use oversleep_sys::Refusal;

fn absent<T>() -> Result<T, Refusal> {
    Err(Refusal::Unavailable("this version of oversleep reads kernel events on Linux alone".to_owned()))
}

/// Never there.
#[derive(Debug)]
pub enum Tracer {}

impl Tracer {
    /// Refuses: not this system's.
    pub fn open(_thread: i32, _setup: Setup) -> Result<Self, Refusal> {
        absent()
    }

    /// Refuses: not this system's.
    pub fn open_for(_threads: &[i32], _setup: Setup) -> Result<Self, Refusal> {
        absent()
    }

    /// Returns what this kernel lacks.
    pub fn missing(&self) -> &[(String, Refusal)] {
        match *self {}
    }

    /// Begins to record.
    pub fn start(&mut self) -> Result<(), Refusal> {
        match *self {}
    }

    /// Records no more.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        match *self {}
    }

    /// Returns what was recorded.
    pub fn drain(&mut self) -> Result<KernelEvents, Refusal> {
        match *self {}
    }
}

/// Never there.
#[derive(Debug)]
pub enum CallTracer {}

impl CallTracer {
    /// Refuses.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Begins to record.
    pub fn start(&mut self, _threads: &[i32]) -> Result<(), Refusal> {
        match *self {}
    }

    /// Records no more.
    pub fn stop(&mut self) -> Result<Vec<TimedCall>, Refusal> {
        match *self {}
    }
}

/// Never there.
#[derive(Debug)]
pub enum OwnSwitches {}

impl OwnSwitches {
    /// Refuses: not this system's.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Refuses: not this system's.
    pub fn open_for(_thread: i32) -> Result<Self, Refusal> {
        absent()
    }

    /// Begins to record.
    pub fn start(&mut self) -> Result<(), Refusal> {
        match *self {}
    }

    /// Records no more.
    pub fn stop(&mut self) -> Result<(), Refusal> {
        match *self {}
    }

    /// Returns what was recorded.
    pub fn drain(&mut self) -> (Vec<OwnSwitch>, u64) {
        match *self {}
    }
}

/// Never there.
#[derive(Debug)]
pub enum Readings {}

impl Readings {
    /// Refuses: not this system's.
    pub fn open() -> Result<Self, Refusal> {
        absent()
    }

    /// Returns the counters now.
    pub fn now(&mut self) -> ThreadCounters {
        match *self {}
    }
}

/// Removes nothing.
pub fn reap() -> Vec<String> {
    Vec::new()
}

/// Returns nothing: no threads can be traced.
pub fn threads() -> Vec<(i32, String)> {
    Vec::new()
}

/// Refuses: not this system's.
pub fn mark(_text: &str) -> Result<(), Refusal> {
    absent()
}

/// Returns 0: threads have no number here.
pub fn thread_id() -> i32 {
    0
}
