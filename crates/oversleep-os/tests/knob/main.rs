//! What the knobs promise: read back as set, and put back when the guard goes, however it goes.
#![cfg(target_os = "linux")]

mod affinity;
mod nice;
mod policy;
mod support;
mod timer_slack;
