//! The library that `oversleep attach -- CMD` preloads where it may not record kernel events.
//!
//! It stands in for the C library's calls that wait with a time limit (Linux). Each does what it always does; its
//! request, start and end are then noted in a shared file. Nothing is written to a descriptor, no signal is sent and no
//! lock is taken: where the file cannot be opened, the calls are those of the C library and no more.
#![allow(unsafe_code)] // the border to C

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod notes;
#[cfg(target_os = "linux")]
#[path = "../../oversleep-os/src/program/wait_file.rs"]
#[allow(dead_code)] // the reader's parts
mod wait_file;
