//! How calls end, and the words for it.

use std::ffi::{c_char, c_int};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A null handle.
    Invalid = 1,
    /// Units are not due yet; nothing was taken, and `ready_at` received when they are.
    NotReady = 2,
    /// More units than may ever go at once; nothing was taken, and `ready_at` is left alone.
    BeyondBurst = 3,
    /// The schedule has reached the end of the clock's range.
    Ended = 4,
    /// A defect of this library, caught at its border. The handle may still be freed.
    Panicked = 5,
}

/// What a status means, as a sentence. Never null; for numbers that are no status too. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_status_text(status: c_int) -> *const c_char {
    let text = match status {
        0 => c"done",
        1 => c"a null handle",
        2 => c"not due yet; nothing was taken",
        3 => c"more units than may ever go at once; take fewer",
        4 => c"the schedule has reached the end of the clock's range",
        5 => c"a defect of liboversleep; please report it",
        _ => c"no status of liboversleep",
    };
    text.as_ptr()
}
