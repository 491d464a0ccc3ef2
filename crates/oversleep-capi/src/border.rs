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

/// Hands an object out to C: `place` receives it, or null and the status says why.
///
/// # Safety
/// `place` is null or points to writable memory for a pointer.
pub(crate) unsafe fn hand_out<T>(place: *mut *mut T, make: impl FnOnce() -> Result<T, Status>) -> c_int {
    if place.is_null() {
        return Status::Invalid as c_int;
    }
    // SAFETY: writable, as the caller promises.
    unsafe { place.write(std::ptr::null_mut()) };
    call(|| match make() {
        Ok(object) => {
            // SAFETY: writable, as the caller promises.
            unsafe { place.write(Box::into_raw(Box::new(object))) };
            Status::Ok
        }
        Err(why) => why,
    })
}

/// Reads a structure of which the caller may know less than this library, or more: `size` bytes of it, at least `least`.
/// The rest is as in `otherwise`. `None` of other sizes.
///
/// # Safety
/// `given` points to as many readable bytes as `size`, and every pattern of bits is a `T`.
pub(crate) unsafe fn read_sized<T: Copy>(given: *const T, size: usize, least: usize, otherwise: T) -> Option<T> {
    if !(least..=size_of::<T>()).contains(&size) {
        return None;
    }
    let mut read = otherwise;
    // SAFETY: `size` bytes are readable, as the caller promises, and no more than a `T` has are written.
    unsafe { std::ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut read).cast::<u8>(), size) };
    Some(read)
}

/// Writes the part of a structure that the caller knows. Returns its number of bytes; `None` if fewer than `least`.
///
/// # Safety
/// `place` points to as many writable bytes as `size`.
pub(crate) unsafe fn write_sized<T: Copy>(place: *mut T, size: usize, least: usize, value: &T) -> Option<usize> {
    if size < least {
        return None;
    }
    let known = size.min(size_of::<T>());
    // SAFETY: `known` bytes are writable, as the caller promises, and `value` has no fewer.
    unsafe { std::ptr::copy_nonoverlapping((&raw const *value).cast::<u8>(), place.cast::<u8>(), known) };
    Some(known)
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

/// Lets one thread at a time in. A panic in another left the object whole: no method of it stops half way.
pub(crate) fn lock<T>(object: &Mutex<T>) -> MutexGuard<'_, T> {
    object.lock().unwrap_or_else(PoisonError::into_inner)
}
