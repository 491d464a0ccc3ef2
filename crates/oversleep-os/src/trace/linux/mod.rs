//! Linux: tracefs, perf's switch records, and the counters of `/proc`.

mod call_names;
mod calls;
mod cpu_buffer;
mod instance;
mod kernel_functions;
mod mount;
mod readings;
mod ring;
mod switches;
mod tracer;

use oversleep_sys::Refusal;

pub use call_names::call_name;
pub use calls::CallTracer;
pub use instance::reap;
pub use readings::{Readings, RunQueueCounter, wake_ups};
pub use switches::OwnSwitches;
#[cfg(target_arch = "x86_64")]
pub(crate) use switches::counter_khz;
pub use tracer::Tracer;

/// Returns the threads of this process: ID and name.
pub fn threads() -> Vec<(i32, String)> {
    let Ok(entries) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    let tids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    tids.filter_map(|tid: i32| {
        let name = std::fs::read_to_string(format!("/proc/self/task/{tid}/comm")).ok()?;
        Some((tid, name.trim_end().to_owned()))
    })
    .collect()
}

/// Writes a line into the machine's own trace (`trace_marker` of the top instance), where it appears in a recording
/// that another program is making.
///
/// # Errors
/// Without tracefs or rights on it.
pub fn mark(text: &str) -> Result<(), Refusal> {
    // Kept until the write is done: where tracefs is mounted for this process alone, the mount is removed with it.
    let tracefs = mount::find()?;
    let path = tracefs.root.join("trace_marker");
    std::fs::write(&path, text).map_err(|error| Refusal::from_os("tracefs trace_marker", &error))
}

/// Returns the calling thread's ID, as kernel events name it.
pub fn thread_id() -> i32 {
    // SAFETY: takes nothing, cannot fail.
    unsafe { libc::gettid() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::read_to_string;

    #[test]
    fn a_mark_stands_in_the_machines_own_trace() {
        let tracefs = match mount::find() {
            Ok(tracefs) => tracefs,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        if read_to_string(tracefs.root.join("tracing_on")).is_ok_and(|on| on.trim() != "1") {
            return println!("skipped: somebody has turned the machine's own trace off");
        }
        let text = format!("oversleep: a mark of process {}", std::process::id());
        if let Err(refusal) = mark(&text) {
            return println!("skipped: {refusal}");
        }
        let trace = read_to_string(tracefs.root.join("trace")).expect("what can be written can be read");
        assert!(trace.lines().any(|line| line.ends_with(&text)), "no such mark in the trace");
    }
}
