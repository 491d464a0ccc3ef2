//! Linux: tracefs, perf's switch records, and the counters of `/proc`.

mod instance;
mod mount;
mod readings;
mod ring;
mod switches;
mod tracer;

pub use instance::reap;
pub use readings::Readings;
pub use switches::OwnSwitches;
pub use tracer::Tracer;

/// The calling thread's number, as kernel events name it.
pub fn thread_id() -> i32 {
    // SAFETY: takes nothing, cannot fail.
    unsafe { libc::gettid() }
}
