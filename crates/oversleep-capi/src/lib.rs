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

pub use options::*;
pub use pacer::*;
pub use plain::*;
pub use sleeper::*;
pub use stats::*;
pub use status::*;
pub use ticker::*;
pub use ticker_options::*;

use std::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no zero bytes"),
};

/// Returns the version of the library that is running, such as `0.1.0`; `OVERSLEEP_VERSION` is that of the header.
/// Never null. Do not free it. May be called in a signal handler.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_version() -> *const c_char {
    VERSION.as_ptr()
}
