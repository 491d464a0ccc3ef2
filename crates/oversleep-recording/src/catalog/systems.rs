//! Lists of systems that share a feature, named once for the rows. A list is named after the feature, not after its
//! members; what the `libc` crate declares for each is in `oversleep-os/build.rs`.

use super::System::{self, DragonFly, FreeBsd, Illumos, Linux, MacOs, NetBsd, OpenBsd, Windows};

pub(super) const EVERYWHERE: &[System] = &System::ALL;
pub(super) const UNIX: &[System] = &[Linux, MacOs, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
/// macOS and OpenBSD have no `clock_nanosleep`.
pub(super) const CLOCK_NANOSLEEP: &[System] = &[Linux, FreeBsd, NetBsd, DragonFly, Illumos];
/// macOS has no `ppoll`; NetBSD has it from 10.
pub(super) const PPOLL: &[System] = &[Linux, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
/// macOS declares `sem_init`, and every call of it fails.
pub(super) const SEMAPHORE: &[System] = &[Linux, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
/// macOS and OpenBSD have no message queues and no `sigtimedwait`.
pub(super) const REALTIME_SIGNALS: &[System] = &[Linux, FreeBsd, NetBsd, DragonFly, Illumos];
/// Systems that have `aio_suspend` and read asynchronously from a socket; macOS reads only from files, OpenBSD has no
/// such calls. `DragonFly`'s (`lib/librt/aio.c`, of 2011) reads at once and never waits: it returns 0 whatever the
/// timeout.
pub(super) const AIO: &[System] = &[Linux, FreeBsd, NetBsd, Illumos];
/// macOS, OpenBSD and `DragonFly` have no `timer_create`.
pub(super) const TIMERS: &[System] = &[Linux, FreeBsd, NetBsd, Illumos];
/// FreeBSD has it from 14, NetBSD from 10; illumos provides it for ported programs.
pub(super) const TIMERFD: &[System] = &[Linux, FreeBsd, NetBsd, Illumos];
pub(super) const EPOLL: &[System] = &[Linux, Illumos];
pub(super) const SYSTEM_V: &[System] = &[Linux, Illumos];
pub(super) const LINUX: &[System] = &[Linux];
pub(super) const KQUEUE: &[System] = &[MacOs, FreeBsd, NetBsd, OpenBsd, DragonFly];
/// Timers of `kqueue` finer than a millisecond: macOS, FreeBSD 10.1, NetBSD 10, OpenBSD 7.3.
pub(super) const KQUEUE_FINE: &[System] = &[MacOs, FreeBsd, NetBsd, OpenBsd];
pub(super) const APPLE: &[System] = &[MacOs];
pub(super) const ILLUMOS: &[System] = &[Illumos];
pub(super) const WINDOWS: &[System] = &[Windows];
