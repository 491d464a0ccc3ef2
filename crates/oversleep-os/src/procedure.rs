//! Calls that some versions of Windows lack.

use std::ffi::CStr;
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};

/// Returns a call of a library that every process has loaded (`ntdll.dll`, `kernel32.dll`, `kernelbase.dll`), or `None`
/// if that version of Windows lacks it. A call imported by name would instead prevent the program from starting there,
/// and would end it under Wine.
///
/// The caller converts it to its true type.
pub(crate) fn procedure(library: &CStr, name: &CStr) -> Option<unsafe extern "system" fn() -> isize> {
    // SAFETY: the name ends in a zero.
    let library = unsafe { GetModuleHandleA(library.as_ptr().cast()) };
    // SAFETY: the name ends in a zero; the call rejects a null library.
    unsafe { GetProcAddress(library, name.as_ptr().cast()) }
}
