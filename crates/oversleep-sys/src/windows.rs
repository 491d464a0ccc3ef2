//! What is shared by all that calls Windows.

use std::ffi::CStr;
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};

/// Returns a call of a library that every process has loaded (`ntdll.dll`, `kernel32.dll`, `kernelbase.dll`), or `None` where
/// that version of Windows lacks it. A call that is imported by name instead keeps the program from starting there, and under
/// Wine ends it.
///
/// The caller gives it its true type.
pub fn procedure(library: &CStr, name: &CStr) -> Option<unsafe extern "system" fn() -> isize> {
    // SAFETY: the name ends in a zero.
    let library = unsafe { GetModuleHandleA(library.as_ptr().cast()) };
    // SAFETY: the name ends in a zero; a null library is refused by the call.
    unsafe { GetProcAddress(library, name.as_ptr().cast()) }
}
