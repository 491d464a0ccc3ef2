//! The C ABI of `oversleep`: `liboversleep`, static and shared.
//!
//! Times are signed 64-bit nanoseconds. Functions that can fail return a status, 0 for success, and write results
//! through pointers, which may be null where a result is not wanted. Any thread may use a handle, one at a time: other
//! threads wait. No panic leaves the library.
#![allow(unsafe_code)]

mod border;
mod options;
mod pacer;
mod plain;
mod schedule;
mod sleeper;
mod stats;
mod status;
mod ticker;
mod ticker_options;
mod version;

pub use options::*;
pub use pacer::*;
pub use plain::*;
pub use sleeper::*;
pub use stats::*;
pub use status::*;
pub use ticker::*;
pub use ticker_options::*;
pub use version::*;
