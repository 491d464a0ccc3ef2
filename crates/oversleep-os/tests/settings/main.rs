//! The guarantees of the settings: read back as set, and restored when the guard is dropped, in whatever way.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)] // one thread gives up its rights

mod affinity;
mod killed;
mod latency_hold;
mod memory_lock;
mod nice;
mod policy;
mod realtime_limit;
mod support;
mod timer_slack;
mod unprivileged;
