//! The records of a kernel around sleeps, in the same form for every kernel.

mod around;
mod columns;
mod counters;
mod event;
mod switches;
mod tier;

pub use columns::{Columns, ColumnsError};
pub use counters::ProcessorCounters;
pub use counters::{CountedSleeps, ThreadCounters};
pub use event::{Event, EventKind, Interrupt, Task};
pub use event::{Gap, KernelEvents};
pub use switches::{Direction, OwnSwitch, OwnSwitches};
pub use tier::Tier;
