//! Which version this is.

use std::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no zero bytes"),
};

/// Returns the version of the library that runs, such as `0.1.0`; that of the header is `OVERSLEEP_VERSION`. Never null, and
/// not to be freed. May be called in a signal handler.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_version() -> *const c_char {
    VERSION.as_ptr()
}
