//! What every call across the border needs: no unwinding, checked handles, optional results.

use crate::Status;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs a call's work; a panic becomes a status.
pub(crate) fn call(work: impl FnOnce() -> Status) -> c_int {
    // What a panic leaves behind is only ever freed or locked again (see `lock`), and is whole between two calls.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Status::Panicked) as c_int
}

/// Hands an object out to C; null if it could not be made.
pub(crate) fn hand_out<T>(make: impl FnOnce() -> Option<T>) -> *mut T {
    let object = catch_unwind(AssertUnwindSafe(make)).ok().flatten();
    object.map_or(std::ptr::null_mut(), |object| Box::into_raw(Box::new(object)))
}

/// Takes an object back and drops it. Null is nothing to do.
///
/// # Safety
/// `object` came from [`hand_out`], was not taken back before, and no other thread uses it.
pub(crate) unsafe fn take_back<T>(object: *mut T) {
    if object.is_null() {
        return;
    }
    // SAFETY: made by `Box::into_raw` in `hand_out`, and taken back once, as the caller promises.
    let object = unsafe { Box::from_raw(object) };
    let _ = catch_unwind(AssertUnwindSafe(move || drop(object)));
}

/// Writes a result, if it is wanted.
///
/// # Safety
/// `result` is null or points to writable memory for a `T`.
pub(crate) unsafe fn give<T>(result: *mut T, value: T) {
    if !result.is_null() {
        // SAFETY: writable, as the caller promises; nothing is dropped, what was there may be uninitialised.
        unsafe { result.write(value) };
    }
}

/// One thread at a time. A panic in another left the object whole: no method of it stops half way.
pub(crate) fn lock<T>(object: &Mutex<T>) -> MutexGuard<'_, T> {
    object.lock().unwrap_or_else(PoisonError::into_inner)
}
