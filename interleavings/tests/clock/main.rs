//! The files of the library's clock that threads share, compiled with loom's atomics in place of the standard library's.
#![allow(dead_code)] // the models call a part of them

use loom::sync::atomic;

#[path = "../../../crates/oversleep/src/clock/compare.rs"]
mod compare;
#[path = "../../../crates/oversleep/src/clock/counter_and_clock.rs"]
mod counter_and_clock;
#[path = "../../../crates/oversleep/src/clock/mapping.rs"]
mod mapping;
#[path = "../../../crates/oversleep/src/clock/published.rs"]
mod published;
#[path = "../../../crates/oversleep/src/clock/timeline.rs"]
mod timeline;

mod published_models;
mod timeline_models;
