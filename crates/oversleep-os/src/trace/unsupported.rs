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

/// Declares types that have no values on this system: what opens each, if anything does, is refused, and nothing else can be called.
macro_rules! absent {
    ($($name:ident ($($open:ident($($asked:ty),*)),*) {
        $(& $read:ident($($passed:ty)?) -> $answer:ty;)*
        $(mut $change:ident($($given:ty)?) -> $result:ty;)*
    })*) => {$(
        /// Does not exist on this system.
        #[derive(Debug)]
        pub struct $name(Absent);

        impl $name {
            $(/// Returns an error: not available on this system.
            pub fn $open($(_: $asked),*) -> Result<Self, Refusal> {
                absent()
            })*

            $(/// Cannot be called on this system.
            pub fn $read(&self $(, _: $passed)?) -> $answer {
                match self.0 {}
            })*

            $(/// Cannot be called on this system.
            pub fn $change(&mut self $(, _: $given)?) -> $result {
                match self.0 {}
            })*
        }
    )*};
}

absent! {
    Tracer(open(i32, Setup), open_for(&[i32], Setup), open_program(&[i32], Setup)) {
        & traces(i32) -> bool;
        & add(&[i32]) -> Result<(), Refusal>;
        & missing() -> &[(String, Refusal)];
        & is_filling() -> bool;
        mut start() -> Result<(), Refusal>;
        mut stop() -> Result<(), Refusal>;
        mut drain() -> Result<KernelEvents, Refusal>;
    }
    CallTracer(open()) {
        mut start(&[i32]) -> Result<(), Refusal>;
        mut stop() -> Result<Vec<TimedCall>, Refusal>;
    }
    OwnSwitches(open(), open_for(i32)) {
        mut start() -> Result<(), Refusal>;
        mut stop() -> Result<(), Refusal>;
        mut drain() -> (Vec<OwnSwitch>, u64);
    }
    Readings(open()) {
        mut now() -> ThreadCounters;
    }
    RunQueueCounter() {
        & read() -> Option<Nanos>;
    }
}

impl RunQueueCounter {
    /// Returns `None`: not counted on this system.
    pub fn open() -> Option<Self> {
        None
    }
}

/// Returns `None`: not read on this system.
pub fn wake_ups() -> Option<u64> {
    None
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
