//! What a kernel recorded around sleeps: facts, whichever kernel wrote them.

mod columns;
mod counters;
mod event;
mod events;
mod processor;
mod switches;

pub use columns::{Columns, ColumnsError};
pub use counters::ThreadCounters;
pub use event::{Event, Interrupt, Kind, Task};
pub use events::{Gap, KernelEvents};
pub use processor::ProcessorCounters;
pub use switches::{Direction, OwnSwitch};
