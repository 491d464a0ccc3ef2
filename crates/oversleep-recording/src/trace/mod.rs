//! The records of a kernel around sleeps, in the same form for every kernel.

mod around;
mod columns;
mod counters;
mod event;
mod events;
mod processor;
mod switches;
mod tier;

pub use columns::{Columns, ColumnsError};
pub use counters::{CountedSleeps, ThreadCounters};
pub use event::{Event, EventKind, Interrupt, Task};
pub use events::{Gap, KernelEvents};
pub use processor::ProcessorCounters;
pub use switches::{Direction, OwnSwitch, OwnSwitches};
pub use tier::Tier;
