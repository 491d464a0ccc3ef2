//! The C ABI of `oversleep`: `liboversleep`, static and shared.
//!
//! Times are signed 64-bit nanoseconds. Calls that can fail answer a status, 0 for success, and put results behind
//! pointers, which may be null where a result is not wanted. A handle may be used by any thread, by one at a time:
//! others wait. No panic crosses the border.
#![allow(unsafe_code)]

mod border;
mod pacer;
mod plain;
mod sleeper;
mod status;
mod ticker;
mod version;

pub use pacer::*;
pub use plain::*;
pub use sleeper::*;
pub use status::*;
pub use ticker::*;
pub use version::*;
