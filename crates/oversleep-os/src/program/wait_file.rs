//! The file into which the preloaded library writes waits: 64-bit words of the machine, a header, then a ring of records.
//!
//! `oversleep-preload` includes this very file. A writer takes a number from [`NEXT`], fills the record of that number,
//! and writes the number plus one into its word [`NUMBER`] last.

/// Environment variable with the path of the file.
pub(crate) const VARIABLE: &str = "OVERSLEEP_WAIT_FILE";
/// First word of the file; another version of the format has another.
pub(crate) const MAGIC: u64 = u64::from_ne_bytes(*b"oversle1");
/// Words of the header.
pub(crate) const HEADER: usize = 8;
/// Word of the header with the number of records begun so far.
pub(crate) const NEXT: usize = 1;
/// Word of the header with the number of calls without a time limit.
pub(crate) const UNTIMED: usize = 2;
/// Word of the header with the number of programs that loaded the library.
pub(crate) const PROGRAMS: usize = 3;
/// Number of records in the ring: 60 ms at a million waits a second.
pub(crate) const RECORDS: usize = 1 << 16;
/// Words of a record.
pub(crate) const WORDS: usize = 9;
/// Size of the file in bytes.
pub(crate) const SIZE: usize = (HEADER + RECORDS * WORDS) * 8;

/// Word of a record with its number plus one; the others follow.
pub(crate) const NUMBER: usize = 0;
/// Before the call, in ns of the monotonic clock.
pub(crate) const START: usize = 1;
/// After it.
pub(crate) const END: usize = 2;
/// The requested duration in ns.
pub(crate) const REQUESTED: usize = 3;
/// The deadline in ns of the monotonic clock.
pub(crate) const DEADLINE: usize = 4;
/// Process ID, and in the upper half the thread ID.
pub(crate) const IDS: usize = 5;
/// Index in [`CALLS`], then in 16 bits each what ended the wait, the processor before and the one after.
pub(crate) const DETAILS: usize = 6;
/// Name of the thread in 16 bytes.
pub(crate) const NAME: usize = 7;

/// The time limit ended the wait.
pub(crate) const BY_TIME: u64 = 0;
/// Something that it waited for happened.
pub(crate) const BY_EVENT: u64 = 1;
/// A signal ended it.
pub(crate) const BY_SIGNAL: u64 = 2;

/// Calls of the C library that are noted.
pub(crate) const CALLS: [&str; 20] = [
    "nanosleep",
    "clock_nanosleep",
    "usleep",
    "sleep",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "sem_timedwait",
    "sem_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "sigtimedwait",
    "mq_timedreceive",
    "thrd_sleep",
    "cnd_timedwait",
    "futex",
];
