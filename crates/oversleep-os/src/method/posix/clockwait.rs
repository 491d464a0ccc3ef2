//! Functions of newer C libraries, looked up at run time so that the program also starts on older ones.

use oversleep_sys::Refusal;
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

/// Returns the address of a C library function; an error if the library has none with that name.
pub(super) fn symbol(name: &CStr) -> Result<NonNull<c_void>, Refusal> {
    // SAFETY: the name is a C string; looking a symbol up has no other effect.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    NonNull::new(address).ok_or_else(|| {
        Refusal::Unavailable(format!("{}: not in this C library (glibc has it from 2.30)", name.to_string_lossy()))
    })
}
