//! Types and data of recordings, the same on every system: what was slept, and on which machine.
//!
//! * [`catalog`]: one row per sleep method of every system; [`runtimes`]: one per timer of a language runtime;
//! * [`plan`]: what to sleep: cells (method × request × condition) and the order in which they take turns;
//! * [`Sample`], [`Note`], [`Meta`]: what a run produces, and what is known about the machine ([`machine`]) and the
//!   events in its kernel ([`trace`]);
//! * [`asked`]: a question about sleeps that nobody recorded, as people state it;
//! * [`document`]: the results of analysing a recording;
//! * [`Sink`]: receives samples and notes; [`Recording`]: a whole run in memory; [`file`](mod@file): a run as a file.
//!
//! A recording contains facts, never conclusions. This crate has no code for single platforms and no statistics; it
//! depends on `oversleep-sys` for units, refusals and timers' clocks alone.

mod names;

mod ahead;
pub mod asked;
mod attached;
pub mod catalog;
mod clock_survey;
pub mod cpus;
mod difference;
mod distribution;
pub mod document;
pub mod file;
mod late;
pub mod machine;
mod meta;
mod note;
pub mod plan;
pub mod runtimes;
mod sample;
mod shell;
mod sink;
mod stall;
pub mod table;
pub mod text;
pub mod trace;
mod tracing;
mod unsound;
mod wakes;

pub use ahead::ClocksAhead;
pub use attached::{AttachTier, AttachedCounts, AttachedProgram, AttachedThread};
pub use clock_survey::{
    ClockAcross, ClockCompared, ClockCost, ClockPoint, ClockReadings, ClockSeries, ClockSteps, ClockSurvey,
    CounterFacts, LoadedClockCost,
};
pub use difference::Difference;
pub use distribution::{Distribution, Loss, Quantity};
pub use late::LateSleep;
pub use meta::{Meta, Origin, Unobtained};
pub use note::Probe;
pub use note::{Bracket, End, HungSleep, Note, Obtained, Periods, SleepCost};
pub use sample::{Flags, RunQueueWait, Sample};
pub use shell::{exact_time, shell_option, shell_word, simulate_command};
pub use sink::Content;
pub use sink::{Recording, Sink};
pub use stall::{CauseTime, LateAccount, WatchedCpu};
pub use stall::{Stall, StallWindow, Watcher};
pub use tracing::{Missing, RefusedTier, TracedSleeps, Tracing};
pub use tracing::{TimedCall, TracedCalls};
pub use tracing::{Traced, TracedPart};
pub use unsound::{Fault, Unsound};
pub use wakes::{Wake, Wakes};
