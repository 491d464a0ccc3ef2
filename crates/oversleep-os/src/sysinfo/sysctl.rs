//! Named values of the BSDs and macOS.

#[cfg(any(target_os = "macos", target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"))]
mod here {
    use std::ffi::CString;
    use std::ptr;

    pub(in super::super) fn bytes(name: &str) -> Option<Vec<u8>> {
        let name = CString::new(name).ok()?;
        let mut value = vec![0_u8; 256];
        let mut length = value.len();
        // SAFETY: the name ends in zero; the system writes at most `length` bytes, the vector's, and says how many.
        let answer = unsafe {
            libc::sysctlbyname(name.as_ptr(), value.as_mut_ptr().cast(), &raw mut length, ptr::null_mut(), 0)
        };
        value.truncate(length);
        (answer == 0).then_some(value)
    }
}

#[cfg(not(any(target_os = "macos", target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly")))]
mod here {
    pub(in super::super) fn bytes(_name: &str) -> Option<Vec<u8>> {
        None
    }
}

/// A text.
pub(super) fn text(name: &str) -> Option<String> {
    let bytes = here::bytes(name)?;
    let text = String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The first number of a structure.
pub(super) fn first_int(name: &str) -> Option<i32> {
    here::bytes(name)?.first_chunk().map(|bytes| i32::from_ne_bytes(*bytes))
}
