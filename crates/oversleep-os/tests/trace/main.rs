//! Kernel events on this machine: who may have them, and that nothing of them stays behind.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)] // one thread gives up its rights

mod events;
mod killed;
mod unprivileged;
