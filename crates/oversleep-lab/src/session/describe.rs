//! The head of a recording: what is known of a run before its first sample.

use oversleep_recording::plan::Plan;
use oversleep_recording::{Meta, Origin};

/// Returns the head of a recording of this machine that begins now; `tool` is the name and version of the program.
pub fn describe(plan: Plan, tool: &str) -> Meta {
    let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let machine = oversleep_os::sysinfo::read();
    Meta { started: Some(started), machine, ..Meta::new(tool, Origin::Live, plan) }
}
