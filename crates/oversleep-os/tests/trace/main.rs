//! Kernel events on this machine: who may record them, and that nothing remains afterwards.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)] // one thread gives up its rights

mod events;
mod killed;
mod unprivileged;
