//! The version of the library.

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
