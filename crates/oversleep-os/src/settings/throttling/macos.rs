//! `-[NSProcessInfo beginActivityWithOptions:reason:]`, called through the Objective-C runtime.
//!
//! An activity lasts until `endActivity:`, and ends with its process.

use super::Guard;
use oversleep_sys::Refusal;
use std::ffi::{CStr, c_char, c_void};

type Object = *mut c_void;
type Selector = *const c_void;

#[link(name = "objc", kind = "dylib")]
unsafe extern "C" {
    fn objc_getClass(name: *const c_char) -> Object;
    fn sel_registerName(name: *const c_char) -> Selector;
    fn objc_msgSend();
    fn objc_retain(object: Object) -> Object;
    fn objc_release(object: Object);
    fn objc_autoreleasePoolPush() -> *mut c_void;
    fn objc_autoreleasePoolPop(pool: *mut c_void);
}

#[link(name = "Foundation", kind = "framework")]
unsafe extern "C" {}

/// `NSActivityUserInitiatedAllowingIdleSystemSleep | NSActivityLatencyCritical` (`NSProcessInfo.h`): the process is
/// working for its user and needs timers that are as exact as possible; the machine may still go to sleep.
const OPTIONS: u64 = (0x00FF_FFFF & !(1 << 20)) | 0xFF_0000_0000;

/// A message without arguments: `id objc_msgSend(id, SEL)`.
type WithoutArguments = unsafe extern "C" fn(Object, Selector) -> Object;
/// A message with a pointer.
type WithPointer = unsafe extern "C" fn(Object, Selector, *const c_void) -> Object;
/// The message `beginActivityWithOptions:reason:`.
type BeginActivity = unsafe extern "C" fn(Object, Selector, u64, Object) -> Object;

pub(super) fn opt_out() -> Result<Guard<bool>, Refusal> {
    // SAFETY: takes nothing; popped below.
    let pool = unsafe { objc_autoreleasePoolPush() };
    let activity = begin();
    // SAFETY: pushed above, in this function.
    unsafe { objc_autoreleasePoolPop(pool) };
    if activity.is_null() {
        return Err(Refusal::Failed("NSProcessInfo began no activity".to_owned()));
    }
    // The system does not report whether a process naps; that an activity was begun is all there is to read.
    Guard::new(Ok(true), move || end(activity))
}

/// Returns an activity, which the caller must release; null if there is none.
fn begin() -> Object {
    // SAFETY: the runtime's only entry has the type of the method it is sent to; these take no argument, one, and two.
    let plain = unsafe { std::mem::transmute::<unsafe extern "C" fn(), WithoutArguments>(objc_msgSend) };
    // SAFETY: as above.
    let with_pointer = unsafe { std::mem::transmute::<unsafe extern "C" fn(), WithPointer>(objc_msgSend) };
    // SAFETY: as above.
    let begin = unsafe { std::mem::transmute::<unsafe extern "C" fn(), BeginActivity>(objc_msgSend) };
    let (info, strings) = (class(c"NSProcessInfo"), class(c"NSString"));
    if info.is_null() || strings.is_null() {
        return std::ptr::null_mut();
    }
    let reason = c"measuring how late sleeps end";
    // SAFETY: a class method that takes a C string and copies it; the pool owns what it returns.
    let reason = unsafe { with_pointer(strings, selector(c"stringWithUTF8String:"), reason.as_ptr().cast()) };
    // SAFETY: a class method that returns the one shared object.
    let process = unsafe { plain(info, selector(c"processInfo")) };
    // SAFETY: macOS 10.9 and later have the method; it retains the reason; the pool owns what it returns.
    let activity = unsafe { begin(process, selector(c"beginActivityWithOptions:reason:"), OPTIONS, reason) };
    // SAFETY: an object, or null, which is allowed. It then outlives the pool.
    unsafe { objc_retain(activity) }
}

fn end(activity: Object) {
    // SAFETY: as in `begin`.
    let plain = unsafe { std::mem::transmute::<unsafe extern "C" fn(), WithoutArguments>(objc_msgSend) };
    // SAFETY: as in `begin`.
    let with_pointer = unsafe { std::mem::transmute::<unsafe extern "C" fn(), WithPointer>(objc_msgSend) };
    // SAFETY: the class was there when the activity was begun.
    let process = unsafe { plain(class(c"NSProcessInfo"), selector(c"processInfo")) };
    // SAFETY: begun by `begin`, ended once.
    unsafe { with_pointer(process, selector(c"endActivity:"), activity) };
    // SAFETY: retained by `begin`.
    unsafe { objc_release(activity) };
}

fn class(name: &CStr) -> Object {
    // SAFETY: the name ends in a zero.
    unsafe { objc_getClass(name.as_ptr()) }
}

fn selector(name: &CStr) -> Selector {
    // SAFETY: the name ends in a zero and is copied.
    unsafe { sel_registerName(name.as_ptr()) }
}
