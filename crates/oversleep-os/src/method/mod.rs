//! The sleep primitives this system has, each called directly.
//!
//! A method is [opened](open) once (descriptors, mappings and timers are made here), then for every sleep
//! [armed](Waiter::arm) with a request and [waited](Waiter::wait) on. Only the wait is to be timed: arming
//! converts units and fills in structures, waiting makes the call and nothing else.
//!
//! Three rules hold for every method:
//!
//! * A request of zero (or a deadline that has passed) returns at once. Where the call reads zero as "never" or
//!   "disarm" (`timerfd_settime`, `setitimer`, `SO_RCVTIMEO`) it becomes the smallest time the call can express.
//! * A request longer than the call can express becomes the longest it can; it never wraps or turns negative.
//! * A signal ends the wait and is reported as [`Woken::Interrupted`]; nothing here waits again for the rest.
//!   The exceptions are calls that themselves wait again, and their rows say so.

#[cfg(target_os = "macos")]
mod apple;
#[cfg(target_os = "illumos")]
mod illumos;
#[cfg(has = "kqueue")]
mod kqueue;
#[cfg(target_os = "linux")]
mod linux;
mod portable;
#[cfg(unix)]
pub(crate) mod posix;
mod request;
#[cfg(windows)]
mod windows;

use oversleep_recording::catalog::{MethodId, System};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

pub use request::Request;

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    /// The call says its time is over.
    TimedOut,
    /// A signal, or a wake-up nobody asked for, ended it before.
    Interrupted,
    /// The call failed with this error code (`errno`, `GetLastError`).
    Failed(i32),
}

/// A method prepared on one thread.
///
/// Not `Send`: some primitives (timers that signal a thread, thread-bound wait objects) are tied to the thread
/// that opened them.
pub trait Waiter {
    /// Turns a request into what the call takes, rounding up to its unit. Not timed.
    fn arm(&mut self, request: Request);

    /// Makes the call. This, and nothing else, is what is timed.
    ///
    /// A periodic method starts its timer at the first wait after arming and afterwards waits for the next
    /// expiry; [`Waiter::missed`] then says how many expiries passed unseen.
    fn wait(&mut self) -> Woken;

    /// Arms and waits until a time on the method's clock: for schedules, where lateness counts from the deadline and
    /// not from the call.
    fn wait_until(&mut self, deadline: Nanos) -> Woken {
        self.arm(Request::Until(deadline));
        self.wait()
    }

    /// Expiries that went by since the previous wait, beyond the one just waited for (periodic methods).
    fn missed(&self) -> u64 {
        0
    }
}

/// Opens one method; the code behind a catalogue row.
pub type Open = fn() -> Result<Box<dyn Waiter>, Refusal>;

/// A method this build has code for.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its row.
    pub id: MethodId,
    /// Makes it ready on the calling thread.
    pub open: Open,
}

/// The families meet here and nowhere else.
static FAMILIES: &[&[Entry]] = &[
    portable::ENTRIES,
    #[cfg(unix)]
    posix::ENTRIES,
    #[cfg(target_os = "linux")]
    linux::ENTRIES,
    #[cfg(has = "kqueue")]
    kqueue::ENTRIES,
    #[cfg(target_os = "macos")]
    apple::ENTRIES,
    #[cfg(target_os = "illumos")]
    illumos::ENTRIES,
    #[cfg(windows)]
    windows::ENTRIES,
];

/// Returns every method this build has code for.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Makes a method ready on the calling thread.
///
/// # Errors
/// [`Refusal::Unavailable`] where this system has no such call or its kernel lacks it, [`Refusal::Forbidden`]
/// where this user may not make it, [`Refusal::Failed`] where making it ready went wrong.
pub fn open(id: MethodId) -> Result<Box<dyn Waiter>, Refusal> {
    match entries().find(|entry| entry.id == id) {
        Some(entry) => (entry.open)(),
        None => Err(Refusal::Unavailable(absent(id))),
    }
}

fn absent(id: MethodId) -> String {
    let row = id.row();
    let here = System::HERE.map_or("this system", System::name);
    let systems: Vec<_> = row.systems.iter().map(|system| system.name()).collect();
    if System::HERE.is_some_and(|system| row.systems.contains(&system)) {
        format!("{} is not built into this version of oversleep", row.call)
    } else {
        format!("{} does not exist on {here}; it is a call of {}", row.call, systems.join(", "))
    }
}
