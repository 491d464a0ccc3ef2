//! Helpers of every function of the C interface: no unwinding, checked handles, optional results.

use crate::Status;
use oversleep::clock::{FARTHEST_DEADLINE, Time};
use oversleep::{Moment, Nanos};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs the body of a C function; a panic becomes a status.
pub(crate) fn call(work: impl FnOnce() -> Status) -> c_int {
    // After a panic an object is only freed or locked again (see `lock`), and every object is valid between two calls.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Status::Panicked) as c_int
}

/// Runs the body of a C function that may refuse its parameters.
pub(crate) fn attempt(work: impl FnOnce() -> Result<(), Status>) -> c_int {
    call(|| work().map_or_else(|why| why, |()| Status::Ok))
}

/// Returns the object behind a handle.
///
/// # Safety
/// `handle` is null or valid for as long as the caller uses the object.
pub(crate) unsafe fn object<'a, T>(handle: *const T) -> Result<&'a T, Status> {
    // SAFETY: null or valid, as the caller promises.
    unsafe { handle.as_ref() }.ok_or(Status::Invalid)
}

/// Returns a deadline on the monotonic clock. Refuses one that is so far ahead that it must be another clock's.
pub(crate) fn moment(ns: i64) -> Result<Moment, Status> {
    let deadline: Moment = deadline(ns)?;
    if deadline.saturating_since(oversleep::now()) > FARTHEST_DEADLINE { Err(Status::TooFar) } else { Ok(deadline) }
}

/// Returns a deadline to wait for. Refuses the end of the clock's range, which no clock reaches.
pub(crate) fn deadline<C>(ns: i64) -> Result<Time<C>, Status> {
    if ns == i64::MAX { Err(Status::TooLong) } else { Ok(Time::from_nanos(Nanos::new(ns))) }
}

/// Returns the deadline of a wait for a duration from now; one in the past for a negative duration.
pub(crate) fn deadline_in(ns: i64) -> Result<Moment, Status> {
    deadline((oversleep::now() + Nanos::new(ns)).as_nanos().get())
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

/// A structure that later versions of the library may extend at its end. It begins with its size in the program's
/// version; 0 stands for the size of the first version.
///
/// # Safety
/// The first field is a `usize`, and every bit pattern is valid.
pub(crate) unsafe trait Growing: Copy {
    /// The size of the first version of the structure. Stays as it is when fields are added.
    const FIRST: usize;
}

/// Returns the size that a structure of the program states.
///
/// # Safety
/// `given` points to a structure whose size can be read.
unsafe fn stated<T: Growing>(given: *const T) -> Result<usize, Status> {
    // SAFETY: the size is the first field of every version, and readable as the caller promises.
    match unsafe { given.cast::<usize>().read() } {
        0 => Ok(T::FIRST),
        size if size < T::FIRST => Err(Status::BadSize),
        size => Ok(size),
    }
}

/// Reads a structure of the program. Null stands for `otherwise`, as do the fields that an older program does not have.
///
/// # Safety
/// `given` is null or points to as many readable bytes as its size states.
pub(crate) unsafe fn read_sized<T: Growing>(given: *const T, otherwise: T) -> Result<T, Status> {
    let mut read = otherwise;
    if !given.is_null() {
        // SAFETY: as the caller promises.
        let size = unsafe { stated(given) }?;
        if size > size_of::<T>() {
            return Err(Status::BadSize);
        }
        // SAFETY: `size` bytes are readable, as the caller promises, and at most the size of a `T` is written.
        unsafe { std::ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut read).cast::<u8>(), size) };
    }
    Ok(read)
}

/// Writes what the program's version of a structure has room for; `value` receives the number of bytes and returns
/// what to write. Does nothing for null.
///
/// # Safety
/// `place` is null or points to as many writable bytes as its size states.
pub(crate) unsafe fn write_sized<T: Growing>(place: *mut T, value: impl FnOnce(usize) -> T) -> Result<(), Status> {
    if !place.is_null() {
        // SAFETY: as the caller promises.
        let known = unsafe { stated(place) }?.min(size_of::<T>());
        let value = value(known);
        // SAFETY: `known` bytes are writable, as the caller promises, and `value` has no fewer.
        unsafe { std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), place.cast::<u8>(), known) };
    }
    Ok(())
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
