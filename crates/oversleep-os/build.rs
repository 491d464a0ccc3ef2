//! Defines which POSIX call exists on which system, in one place.
//!
//! The code says `#[cfg(has = "ppoll")]`, never a list of systems. A capability means that the system has the call
//! *and* that the `libc` crate (0.2.191) declares it for that system; `tests/methods/agreement.rs` names each pair
//! where only the first is true, with the reason.

use std::env;

const CAPABILITIES: &[(&str, &[&str])] = &[
    // macOS and OpenBSD never had it.
    ("clock_nanosleep", &["linux", "freebsd", "netbsd", "dragonfly", "illumos"]),
    // illumos has it; libc does not declare it there.
    ("ppoll", &["linux", "freebsd", "netbsd", "openbsd", "dragonfly"]),
    // macOS declares unnamed semaphores and returns ENOSYS for every one.
    ("sem_timedwait", &["linux", "freebsd", "netbsd", "openbsd", "dragonfly", "illumos"]),
    ("mq_timedreceive", &["linux", "freebsd", "netbsd", "dragonfly", "illumos"]),
    // DragonFly's library has it; whether its kernel does, which had it as an option in 2005, is not known.
    ("aio_suspend", &["linux", "freebsd", "netbsd", "illumos"]),
    // illumos has it; libc does not declare it there.
    ("sigtimedwait", &["linux", "freebsd", "netbsd", "dragonfly"]),
    // Timers that signal one chosen thread.
    ("sigev_thread_id", &["linux", "freebsd"]),
    // illumos has it; libc does not declare it there.
    ("setitimer", &["linux", "macos", "freebsd", "netbsd", "openbsd", "dragonfly"]),
    ("kqueue", &["macos", "freebsd", "netbsd", "openbsd", "dragonfly"]),
    // Timers finer than a millisecond, and until a time. DragonFly has only milliseconds.
    ("kqueue_fine", &["macos", "freebsd", "netbsd", "openbsd"]),
    // Looked up at run time: glibc 2.30 and later.
    ("clockwait", &["linux"]),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let names: Vec<_> = CAPABILITIES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    println!("cargo::rustc-check-cfg=cfg(has, values({}))", names.join(", "));
    for (name, systems) in CAPABILITIES {
        if systems.contains(&system.as_str()) {
            println!("cargo::rustc-cfg=has=\"{name}\"");
        }
    }
}
