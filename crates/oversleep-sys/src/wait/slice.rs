//! The shortest time slice of the calling thread, for the duration of one wait: among busy threads, the kernel runs a
//! thread the sooner after its wake-up, the shorter its slice.
//!
//! Linux 6.12 and later: `sched_attr::sched_runtime` of a thread under `SCHED_OTHER` is its slice, 0.1 ms at least
//! (`kernel/sched/syscalls.c`, `__setparam_fair`); the virtual deadline of a waking thread follows from it, and a
//! thread with a shorter slice ends the protection of the one that runs (`kernel/sched/fair.c`, `PREEMPT_SHORT`). The
//! thread's share of the processor stays as it is, and no privilege is needed. Earlier kernels accept the value and
//! ignore it; that is found out once.

#[cfg(target_os = "linux")]
pub(super) use linux::ShortSlice;

#[cfg(not(target_os = "linux"))]
/// Does nothing: on other systems no thread has a slice of its own.
#[derive(Debug)]
pub(super) struct ShortSlice;

#[cfg(not(target_os = "linux"))]
impl ShortSlice {
    pub(super) fn take() -> Self {
        Self
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::atomic::{AtomicU64, Ordering};

    /// `struct sched_attr` in its first version, which every kernel accepts (`sched/types.h`, 48 bytes).
    #[derive(Debug, Clone, Copy, Default)]
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// The slice in ns, under a fair policy; 0 sets the system's own.
        runtime: u64,
        deadline: u64,
        period: u64,
    }

    const SIZE: u32 = 48;
    const _: () = assert!(size_of::<Attributes>() == SIZE as usize);

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
        before: Option<Attributes>,
    }

    impl ShortSlice {
        pub(crate) fn take() -> Self {
            let usual = USUAL.load(Ordering::Relaxed);
            if usual == UNSUPPORTED {
                return Self { before: None };
            }
            let Some(before) = read().filter(|now| now.policy == libc::SCHED_OTHER.unsigned_abs()) else {
                return Self { before: None };
            };
            let usual = if usual == UNKNOWN { find_usual(&before) } else { usual };
            if usual == UNSUPPORTED || before.runtime <= SHORTEST || !set(&Attributes { runtime: SHORTEST, ..before }) {
                return Self { before: None };
            }
            // A slice that is the system's own is restored as such, so that it still follows the number of processors.
            let runtime = if before.runtime == usual { 0 } else { before.runtime };
            Self { before: Some(Attributes { runtime, ..before }) }
        }
    }

    impl Drop for ShortSlice {
        fn drop(&mut self) {
            if let Some(before) = &self.before {
                // The system does not refuse what was in force a moment ago.
                set(before);
            }
        }
    }

    /// Finds out whether the kernel heeds slices, and which one it gives by itself. Leaves the thread as it was.
    #[cold]
    fn find_usual(before: &Attributes) -> u64 {
        let effect = |runtime| set(&Attributes { runtime, ..*before }).then(read).flatten().map(|now| now.runtime);
        let heeded = effect(SHORTEST) == Some(SHORTEST);
        let usual = effect(0).filter(|usual| heeded && *usual > UNSUPPORTED).unwrap_or(UNSUPPORTED);
        if usual != before.runtime {
            set(before);
        }
        USUAL.store(usual, Ordering::Relaxed);
        usual
    }

    fn read() -> Option<Attributes> {
        let mut attributes = Attributes::default();
        // SAFETY: the structure has the length that is stated, and outlives the call.
        let answer = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, SIZE, 0) };
        (answer == 0).then_some(Attributes { size: SIZE, flags: attributes.flags & RESET_ON_FORK, ..attributes })
    }

    fn set(attributes: &Attributes) -> bool {
        // SAFETY: the structure states its own length, and outlives the call.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(attributes), 0) == 0 }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_slice_is_put_back_also_one_of_the_thread_s_own() {
            let Some(before) = read().filter(|now| now.policy == libc::SCHED_OTHER.unsigned_abs()) else {
                return eprintln!("not tested: this thread is not under SCHED_OTHER, or its attributes cannot be read");
            };
            drop(ShortSlice::take());
            assert_eq!(
                read().map(|now| (now.runtime, now.nice, now.flags)),
                Some((before.runtime, before.nice, before.flags))
            );
            if USUAL.load(Ordering::Relaxed) == UNSUPPORTED {
                return eprintln!("not tested: this kernel gives no thread a slice of its own");
            }
            let slice = ShortSlice::take();
            assert_eq!(read().map(|now| now.runtime), Some(SHORTEST));
            drop(slice);
            assert_eq!(read().map(|now| now.runtime), Some(before.runtime));
            assert!(set(&Attributes { runtime: 777_000, ..before }));
            drop(ShortSlice::take());
            assert_eq!(read().map(|now| now.runtime), Some(777_000));
            assert!(set(&Attributes { runtime: 0, ..before }));
        }
    }
}
