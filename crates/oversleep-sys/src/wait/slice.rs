//! The shortest time slice of the calling thread, for the duration of one wait: among busy threads, the kernel runs a
//! thread the sooner after its wake-up, the shorter its slice.
//!
//! Linux 6.12 and later: `sched_attr::sched_runtime` of a thread under `SCHED_OTHER` is its slice, 0.1 ms at least
//! (`kernel/sched/syscalls.c`, `__setparam_fair`); the virtual deadline of a waking thread follows from it, and a
//! thread with a shorter slice ends the protection of the one that runs (`kernel/sched/fair.c`, `PREEMPT_SHORT`). The
//! thread's share of the processor stays as it is, and no privilege is needed. Earlier kernels report no slice (0), and
//! nothing is changed then.
//!
//! Each change keeps the policy that is in force (`SCHED_FLAG_KEEP_POLICY`, Linux 5.3), so a policy that another thread
//! sets during the wait stays. Under a real-time policy the kernel ignores a slice (`__setscheduler_params`): a thread that
//! got one during the wait is given its slice back by the first of its later waits without it. Niceness and slice are one
//! parameter of the call, so a niceness that another thread sets between the reading and the setting of them, a
//! microsecond, is lost (`SCHED_FLAG_KEEP_PARAMS` would keep the slice as well).
//!
//! A child that a signal handler forks during the wait has the short slice until its own copy of the wait ends, or for
//! good if it ends in `exec` instead, as it then has the timer slack. `SCHED_FLAG_RESET_ON_FORK` would prevent that, but
//! only a privileged thread can clear it again.

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{ShortSlice, put_back_late};

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

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn put_back_late() {}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use crate::sched_attr::{self, SCHED_OTHER, SchedAttr};
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Leaves the policy and what it implies for forks as they are (`SCHED_FLAG_KEEP_POLICY`).
    const KEEP_POLICY: u64 = 0x08;
    /// The policies under which a thread has a slice: `SCHED_OTHER`, `SCHED_BATCH` and `SCHED_IDLE`.
    const FAIR: [u32; 3] = [SCHED_OTHER, 3, 5];
    /// The shortest slice that the kernel gives, in ns.
    const SHORTEST: u64 = 100_000;

    /// The system's own slice as it was last seen, in ns.
    static USUAL: AtomicU64 = AtomicU64::new(0);

    thread_local! {
        /// The slice that could not be put back after an earlier wait, in ns.
        static OWED: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Restores the slice when dropped.
    #[derive(Debug)]
    pub(crate) struct ShortSlice {
        /// The slice before, in ns.
        before: Option<u64>,
    }

    impl ShortSlice {
        pub(crate) fn take() -> Self {
            put_back_late();
            let before = sched_attr::get().ok().filter(|now| now.policy == SCHED_OTHER && now.runtime > SHORTEST);
            Self { before: before.filter(|now| set(now, SHORTEST)).map(|before| before.runtime) }
        }
    }

    impl Drop for ShortSlice {
        fn drop(&mut self) {
            if let Some(before) = self.before {
                put_back(before);
            }
        }
    }

    /// Puts back what an earlier wait of this thread could not.
    pub(crate) fn put_back_late() {
        if let Some(before) = OWED.take() {
            put_back(before);
        }
    }

    /// Puts a slice back, unless somebody else has given the thread another meanwhile.
    fn put_back(before: u64) {
        let Ok(now) = sched_attr::get() else { return };
        if !FAIR.contains(&now.policy) {
            OWED.set(Some(before));
        } else if now.runtime == SHORTEST {
            // First 0, the system's own, which then follows changes of it (`base_slice_ns`). The thread has had one of its
            // own if that differs.
            set(&now, 0);
            if before != USUAL.load(Ordering::Relaxed) {
                let usual = sched_attr::get().map_or(before, |now| now.runtime);
                USUAL.store(usual, Ordering::Relaxed);
                if usual != before {
                    set(&now, before);
                }
            }
        }
    }

    fn set(now: &SchedAttr, slice: u64) -> bool {
        sched_attr::set(&SchedAttr { flags: KEEP_POLICY, runtime: slice, ..*now }).is_ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Returns the attributes of this thread, if the kernel gives it a slice.
        fn attributes() -> Option<SchedAttr> {
            sched_attr::get().ok().filter(|now| now.policy == SCHED_OTHER && now.runtime > SHORTEST)
        }

        fn slice() -> u64 {
            sched_attr::get().unwrap().runtime
        }

        fn nothing_tested() {
            println!("not tested: this kernel gives no thread a slice, or this one is not under SCHED_OTHER");
        }

        #[test]
        fn the_slice_is_put_back_also_one_of_the_thread_s_own() {
            let Some(before) = attributes() else { return nothing_tested() };
            for own in [0, 777_000, 0] {
                assert!(set(&before, own));
                let expected = slice();
                let short = ShortSlice::take();
                assert_eq!(slice(), SHORTEST);
                drop(short);
                let now = sched_attr::get().unwrap();
                assert_eq!((now.runtime, now.nice, now.flags), (expected, before.nice, before.flags));
            }
        }

        #[test]
        fn the_system_s_own_slice_is_known_anew_after_it_has_changed() {
            let Some(before) = attributes() else { return nothing_tested() };
            USUAL.store(before.runtime + 1, Ordering::Relaxed);
            drop(ShortSlice::take());
            assert_eq!((slice(), USUAL.load(Ordering::Relaxed)), (before.runtime, before.runtime));
        }

        /// Another niceness, policy or slice that is set meanwhile stays; the opposite would need a privilege.
        #[test]
        fn what_somebody_else_sets_meanwhile_stays() {
            let Some(before) = attributes() else { return nothing_tested() };
            let nicer = SchedAttr { policy: 3, nice: (before.nice + 1).min(19), runtime: SHORTEST, ..before };
            let short = ShortSlice::take();
            sched_attr::set(&nicer).unwrap();
            drop(short);
            let now = sched_attr::get().unwrap();
            assert_eq!((now.policy, now.nice, now.runtime), (3, nicer.nice, before.runtime));
            sched_attr::set(&SchedAttr { policy: SCHED_OTHER, ..now }).unwrap();
            let short = ShortSlice::take();
            assert!(set(&now, 900_000));
            drop(short);
            assert_eq!(slice(), 900_000);
        }

        #[test]
        fn a_thread_made_real_time_meanwhile_gets_its_slice_back_later() {
            let Some(before) = attributes() else { return nothing_tested() };
            let short = ShortSlice::take();
            let fifo = SchedAttr { policy: 1, priority: 1, nice: 0, runtime: 0, ..before };
            if sched_attr::set(&fifo).is_err() {
                return println!("not tested: SCHED_FIFO takes a privilege");
            }
            drop(short);
            put_back_late();
            assert_eq!(sched_attr::get().unwrap().policy, 1);
            // As sched_setscheduler(2) does, which keeps the slice.
            sched_attr::set(&SchedAttr { runtime: SHORTEST, ..before }).unwrap();
            put_back_late();
            assert_eq!((slice(), OWED.get()), (before.runtime, None));
        }
    }
}
