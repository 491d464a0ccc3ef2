//! The sleep methods of this system, each called directly.
//!
//! A method is [opened](open) once (which makes descriptors, mappings and timers), then for every sleep
//! [prepared](Waiter::prepare) with a request and [waited](Waiter::wait) on. Only the wait is timed: preparing
//! converts units and fills in structures, waiting makes the call and does nothing else.
//!
//! Three rules hold for every method:
//!
//! * A request of zero (or a deadline that has passed) returns at once. Where the call reads zero as "never" or
//!   "disarm" (`timerfd_settime`, `setitimer`, `SO_RCVTIMEO`) it becomes the smallest time the call can express.
//! * A request longer than the call can express becomes the longest possible; it never wraps or turns negative.
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

/// The end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    /// The call reported that its time is over.
    TimedOut,
    /// A signal, or a spurious wake-up, ended the wait early.
    Interrupted,
    /// The call failed with this error code (`errno`, `GetLastError`).
    Failed(i32),
}

/// A method that is ready to use on one thread.
///
/// Not `Send`: some primitives (timers that signal a thread, thread-bound wait objects) are tied to the thread
/// that opened them.
pub trait Waiter {
    /// Converts a request to the call's arguments, rounding up to its unit. Not timed.
    fn prepare(&mut self, request: Request);

    /// Makes the call. Only this is timed.
    ///
    /// A periodic method starts its timer at the first wait after `prepare` and afterwards waits for the next
    /// expiry; [`Waiter::missed`] then returns how many expiries were missed.
    fn wait(&mut self) -> Woken;

    /// Prepares, and waits until a time on the method's clock: for schedules, where lateness counts from the deadline
    /// and not from the call.
    fn wait_until(&mut self, deadline: Nanos) -> Woken {
        self.prepare(Request::Until(deadline));
        self.wait()
    }

    /// Returns the expiries since the previous wait, not counting the one just waited for (periodic methods).
    fn missed(&self) -> u64 {
        0
    }
}

/// A call that waits, with one argument.
struct Call<A, C, W> {
    argument: A,
    convert: C,
    wait: W,
}

/// Returns the waiter of a call with one argument, to which `convert` turns a request. Both functions are parts of its type, so
/// that the timed call needs no branch.
fn call<A>(convert: impl Fn(Request) -> A, wait: impl FnMut(&A) -> Woken) -> impl Waiter {
    Call { argument: convert(Request::For(Nanos::ZERO)), convert, wait }
}

impl<A, C: Fn(Request) -> A, W: FnMut(&A) -> Woken> Waiter for Call<A, C, W> {
    fn prepare(&mut self, request: Request) {
        self.argument = (self.convert)(request);
    }

    fn wait(&mut self) -> Woken {
        (self.wait)(&self.argument)
    }
}

/// Opens one method; the code for a catalogue row.
pub type Open = fn() -> Result<Box<dyn Waiter>, Refusal>;

/// A method for which this build has code.
#[derive(Debug, Clone, Copy)]
pub struct MethodEntry {
    /// Identifier of its row.
    pub id: MethodId,
    /// Function that opens it on the calling thread.
    pub open: Open,
}

impl MethodEntry {
    const fn new(id: MethodId, open: Open) -> Self {
        Self { id, open }
    }
}

/// The methods of every family. This is the only list of families.
static FAMILIES: &[&[MethodEntry]] = &[
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

/// Returns every method for which this build has code.
pub fn entries() -> impl Iterator<Item = &'static MethodEntry> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Opens a method on the calling thread.
///
/// # Errors
/// [`Refusal::Unavailable`] where this system has no such call or its kernel lacks it, [`Refusal::Forbidden`]
/// where this user may not make it, [`Refusal::Failed`] where opening it failed.
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
