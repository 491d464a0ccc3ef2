//! What a kernel recorded around sleeps: facts, whichever kernel wrote them.

mod columns;
mod counters;
mod event;
mod events;
mod switches;
mod tier;

pub use columns::{Columns, ColumnsError};
pub use counters::ThreadCounters;
pub use event::{Event, Interrupt, Kind, Task};
pub use events::{Gap, KernelEvents};
pub use switches::{Direction, OwnSwitch};
pub use tier::Tier;
