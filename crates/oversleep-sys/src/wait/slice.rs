//! The shortest time slice of the calling thread, for the duration of one wait: among busy threads, the kernel runs a
//! thread the sooner after its wake-up, the shorter its slice.
//!
//! Linux 6.12 and later: `sched_attr::sched_runtime` of a thread under `SCHED_OTHER` is its slice, 0.1 ms at least
//! (`kernel/sched/syscalls.c`, `__setparam_fair`); the virtual deadline of a waking thread follows from it, and a
//! thread with a shorter slice ends the protection of the one that runs (`kernel/sched/fair.c`, `PREEMPT_SHORT`). The
//! thread's share of the processor stays as it is, and no privilege is needed. Earlier kernels accept the value and
//! ignore it; that is found out once.

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::ShortSlice;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
/// Does nothing: on other systems no thread has a slice of its own.
#[derive(Debug)]
pub(super) struct ShortSlice;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl ShortSlice {
    pub(super) fn take() -> Self {
        Self
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use crate::sched_attr::{self, SCHED_OTHER, SchedAttr};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The only flag that is a state of the thread rather than a command (`SCHED_FLAG_RESET_ON_FORK`).
    const RESET_ON_FORK: u64 = 1;
    /// The shortest slice that the kernel gives.
    const SHORTEST: u64 = 100_000;

    /// What is known of the system's own slice, in ns.
    static USUAL: AtomicU64 = AtomicU64::new(UNKNOWN);
    const UNKNOWN: u64 = 0;
    /// The kernel ignores slices, or refuses the calls.
    const UNSUPPORTED: u64 = 1;

    /// Restores the slice when dropped.
    #[derive(Debug)]
    pub(crate) struct ShortSlice {
        /// The slice to restore, in ns; 0 is the system's own.
        before: Option<u64>,
    }

    impl ShortSlice {
        pub(crate) fn take() -> Self {
            let usual = USUAL.load(Ordering::Relaxed);
            if usual == UNSUPPORTED {
                return Self { before: None };
            }
            let Some(before) = read().filter(|now| now.policy == SCHED_OTHER) else {
                return Self { before: None };
            };
            let usual = if usual == UNKNOWN { find_usual(&before) } else { usual };
            if usual == UNSUPPORTED || before.runtime <= SHORTEST || !set(&SchedAttr { runtime: SHORTEST, ..before }) {
                return Self { before: None };
            }
            // A slice that is the system's own is restored as such, so that it still follows the number of processors.
            Self { before: Some(if before.runtime == usual { 0 } else { before.runtime }) }
        }
    }

    impl Drop for ShortSlice {
        fn drop(&mut self) {
            let Some(runtime) = self.before else { return };
            // Somebody else may have given the thread another niceness, policy or slice meanwhile, which stays.
            if let Some(now) = read().filter(|now| now.policy == SCHED_OTHER && now.runtime == SHORTEST) {
                // The system does not refuse what was in force a moment ago.
                set(&SchedAttr { runtime, ..now });
            }
        }
    }

    /// Finds out whether the kernel heeds slices, and which one it gives by itself. Leaves the thread as it was.
    #[cold]
    fn find_usual(before: &SchedAttr) -> u64 {
        let effect = |runtime| set(&SchedAttr { runtime, ..*before }).then(read).flatten().map(|now| now.runtime);
        let heeded = effect(SHORTEST) == Some(SHORTEST);
        let usual = effect(0).filter(|usual| heeded && *usual > UNSUPPORTED).unwrap_or(UNSUPPORTED);
        if usual != before.runtime {
            set(before);
        }
        USUAL.store(usual, Ordering::Relaxed);
        usual
    }

    fn read() -> Option<SchedAttr> {
        let attributes = sched_attr::get().ok()?;
        Some(SchedAttr { flags: attributes.flags & RESET_ON_FORK, ..attributes })
    }

    fn set(attributes: &SchedAttr) -> bool {
        sched_attr::set(attributes).is_ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_slice_is_put_back_also_one_of_the_thread_s_own() {
            let Some(before) = read().filter(|now| now.policy == SCHED_OTHER) else {
                return println!("not tested: this thread is not under SCHED_OTHER, or its attributes cannot be read");
            };
            drop(ShortSlice::take());
            assert_eq!(
                read().map(|now| (now.runtime, now.nice, now.flags)),
                Some((before.runtime, before.nice, before.flags))
            );
            if USUAL.load(Ordering::Relaxed) == UNSUPPORTED {
                return println!("not tested: this kernel gives no thread a slice of its own");
            }
            let slice = ShortSlice::take();
            assert_eq!(read().map(|now| now.runtime), Some(SHORTEST));
            drop(slice);
            assert_eq!(read().map(|now| now.runtime), Some(before.runtime));
            // Another niceness that is set meanwhile stays; a lower one would need a privilege.
            let nicer = SchedAttr { runtime: SHORTEST, nice: (before.nice + 1).min(19), ..before };
            let slice = ShortSlice::take();
            assert!(set(&nicer));
            drop(slice);
            assert_eq!(read().map(|now| (now.runtime, now.nice)), Some((before.runtime, nicer.nice)));
            let before = nicer;
            assert!(set(&SchedAttr { runtime: 777_000, ..before }));
            drop(ShortSlice::take());
            assert_eq!(read().map(|now| now.runtime), Some(777_000));
            assert!(set(&SchedAttr { runtime: 0, ..before }));
        }
    }
}
