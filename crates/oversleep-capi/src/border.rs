//! Helpers of every function of the C interface: no unwinding, checked handles, optional results.

use crate::Status;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs the body of a C function; a panic becomes a status.
pub(crate) fn call(work: impl FnOnce() -> Status) -> c_int {
    // After a panic an object is only freed or locked again (see `lock`), and every object is valid between two calls.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Status::Panicked) as c_int
}

/// Passes a new object to C: `place` receives the object, or null if `make` fails; the status gives the reason.
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

/// Reads the first `size` bytes of a structure from a caller whose version of it may be older and shorter. Missing
/// fields have the values of `otherwise`. Returns `None` if `size` is less than `least` or larger than a `T`.
///
/// # Safety
/// `given` points to `size` readable bytes, and every bit pattern is a valid `T`.
pub(crate) unsafe fn read_sized<T: Copy>(given: *const T, size: usize, least: usize, otherwise: T) -> Option<T> {
    if !(least..=size_of::<T>()).contains(&size) {
        return None;
    }
    let mut read = otherwise;
    // SAFETY: `size` bytes are readable, as the caller promises, and at most the size of a `T` is written.
    unsafe { std::ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut read).cast::<u8>(), size) };
    Some(read)
}

/// Writes the first `size` bytes of a structure, or all of it. Returns the number written; `None` if `size` < `least`.
///
/// # Safety
/// `place` points to `size` writable bytes.
pub(crate) unsafe fn write_sized<T: Copy>(place: *mut T, size: usize, least: usize, value: &T) -> Option<usize> {
    if size < least {
        return None;
    }
    let known = size.min(size_of::<T>());
    // SAFETY: `known` bytes are writable, as the caller promises, and `value` has no fewer.
    unsafe { std::ptr::copy_nonoverlapping((&raw const *value).cast::<u8>(), place.cast::<u8>(), known) };
    Some(known)
}

/// Takes an object back from C and drops it. Does nothing for null.
///
/// # Safety
/// `object` came from [`hand_out`], was not taken back before, and no other thread uses it.
pub(crate) unsafe fn take_back<T>(object: *mut T) {
    if object.is_null() {
        return;
    }
    // SAFETY: made by `Box::into_raw` in `hand_out`, and taken back only once, as the caller promises.
    let object = unsafe { Box::from_raw(object) };
    let _ = catch_unwind(AssertUnwindSafe(move || drop(object)));
}

/// Writes a result, unless `result` is null.
///
/// # Safety
/// `result` is null or points to writable memory for a `T`.
pub(crate) unsafe fn give<T>(result: *mut T, value: T) {
    if !result.is_null() {
        // SAFETY: writable, as the caller promises; nothing is dropped, because the memory may be uninitialised.
        unsafe { result.write(value) };
    }
}

/// Locks an object. A poisoned lock is ignored: a panic leaves the object valid, because no method of it stops half
/// way.
pub(crate) fn lock<T>(object: &Mutex<T>) -> MutexGuard<'_, T> {
    object.lock().unwrap_or_else(PoisonError::into_inner)
}
