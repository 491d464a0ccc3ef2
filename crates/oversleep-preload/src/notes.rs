//! Writes waits into the shared file.

use crate::wait_file::{
    BY_EVENT, BY_SIGNAL, BY_TIME, CALLS, DEADLINE, DETAILS, END, HEADER, IDS, MAGIC, NAME, NEXT, NUMBER, PROGRAMS,
    RECORDS, REQUESTED, SIZE, START, UNTIMED, VARIABLE, WORDS,
};
use libc::{c_char, c_int, clockid_t, timespec};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// What ended a wait.
pub(crate) enum Ended {
    Time,
    Event,
    Signal,
}

/// The time limit of a call.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// Returns at once, or the arguments are wrong: no wait.
    None,
    /// As long as it takes.
    Forever,
    /// A duration in ns.
    Duration(i64),
    /// A time in ns on the clock; `None` for the wall clock or the monotonic one, whichever it can be.
    Until(Option<clockid_t>, i64),
}

impl Limit {
    /// Reads a duration; a null pointer stands for no limit.
    pub(crate) unsafe fn duration(time: *const timespec) -> Self {
        // SAFETY: the caller of the C function promised a valid or null pointer.
        unsafe { time.as_ref() }.map_or(Self::Forever, |time| Self::nanos(nanos(time)))
    }

    /// Reads a time on a clock; a null pointer stands for no limit.
    pub(crate) unsafe fn until(clock: Option<clockid_t>, time: *const timespec) -> Self {
        // SAFETY: the caller of the C function promised a valid or null pointer.
        unsafe { time.as_ref() }.map_or(Self::Forever, |time| Self::Until(clock, nanos(time)))
    }

    /// Returns the limit of a number of ms, negative for none.
    pub(crate) fn millis(millis: c_int) -> Self {
        if millis < 0 { Self::Forever } else { Self::nanos(i64::from(millis) * 1_000_000) }
    }

    pub(crate) fn nanos(nanos: i64) -> Self {
        if nanos > 0 { Self::Duration(nanos) } else { Self::None }
    }
}

#[allow(clippy::useless_conversion)] // 32 bits on some systems
pub(crate) fn nanos(time: &timespec) -> i64 {
    i64::from(time.tv_sec).saturating_mul(1_000_000_000).saturating_add(i64::from(time.tv_nsec))
}

/// Makes a call and notes it. `ended` says what ended it, by its result and `errno`, which the program then finds as it was.
pub(crate) fn timed<R: Copy>(call: usize, limit: Limit, wait: impl FnOnce() -> R, ended: fn(R, c_int) -> Ended) -> R {
    if matches!(limit, Limit::None) {
        return wait();
    }
    let Some(file) = file() else { return wait() };
    let word = |at: usize| {
        // SAFETY: the mapping is as long as the file.
        let word = unsafe { file.add(at) };
        // SAFETY: the mapping is never removed.
        unsafe { &*word }
    };
    if matches!(limit, Limit::Forever) {
        word(UNTIMED).fetch_add(1, Ordering::Relaxed);
        return wait();
    }
    let (start, cpu_start) = (now(libc::CLOCK_MONOTONIC), cpu());
    let result = wait();
    let (end, errno) = (now(libc::CLOCK_MONOTONIC), errno());
    let deadline = match limit {
        Limit::Duration(duration) => start.saturating_add(duration),
        Limit::Until(clock, time) => {
            let clock = clock.unwrap_or(if time - end > FAR { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC });
            time.saturating_sub(ahead(clock))
        }
        Limit::None | Limit::Forever => start,
    };
    // It was over before it began.
    if deadline > start {
        let ended = match ended(result, errno) {
            Ended::Time => BY_TIME,
            Ended::Event => BY_EVENT,
            Ended::Signal => BY_SIGNAL,
        };
        let requested = if let Limit::Duration(duration) = limit { duration } else { deadline - start };
        // SAFETY: takes no arguments.
        let pid = unsafe { libc::getpid() };
        // SAFETY: takes no arguments.
        let tid = unsafe { libc::gettid() };
        let number = word(NEXT).fetch_add(1, Ordering::Relaxed);
        #[allow(clippy::cast_possible_truncation)] // less than the number of records
        let record = HEADER + (number % RECORDS as u64) as usize * WORDS;
        let set = |field: usize, value: u64| word(record + field).store(value, Ordering::Relaxed);
        word(record + NUMBER).store(0, Ordering::Release);
        set(START, start.cast_unsigned());
        set(END, end.cast_unsigned());
        set(REQUESTED, requested.cast_unsigned());
        set(DEADLINE, deadline.cast_unsigned());
        set(IDS, u64::from(pid.cast_unsigned()) | u64::from(tid.cast_unsigned()) << 32);
        set(DETAILS, call as u64 | ended << 16 | cpu_start << 32 | cpu() << 48);
        let name = name();
        set(NAME, name[0]);
        set(NAME + 1, name[1]);
        word(record + NUMBER).store(number + 1, Ordering::Release);
    }
    set_errno(errno);
    result
}

/// Returns the index of a call.
pub(crate) const fn call(name: &str) -> usize {
    let mut at = 0;
    while !same(CALLS[at].as_bytes(), name.as_bytes()) {
        at += 1;
    }
    at
}

/// Returns whether two names are the same.
pub(crate) const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A time further ahead than this is one of the wall clock, not of the monotonic one: 20 years in ns.
const FAR: i64 = 20 * 365 * 86_400 * 1_000_000_000;

/// The file's words; null before it was opened, [`MISSING`] where it cannot be.
static FILE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
const MISSING: *mut AtomicU64 = ptr::without_provenance_mut(1);

fn file() -> Option<*mut AtomicU64> {
    let known = FILE.load(Ordering::Acquire);
    if known.is_null() {
        let errno = errno();
        let opened = open().unwrap_or(MISSING);
        // Of two threads, the second one's mapping stays unused.
        let _ = FILE.compare_exchange(ptr::null_mut(), opened, Ordering::AcqRel, Ordering::Acquire);
        set_errno(errno);
        return file();
    }
    (known != MISSING).then_some(known)
}

fn open() -> Option<*mut AtomicU64> {
    let variable: *const c_char = VARIABLE_NAME.as_ptr().cast();
    // SAFETY: the name ends in NUL; a program that changes its environment meanwhile does what the C library forbids.
    let path = unsafe { libc::getenv(variable) };
    if path.is_null() {
        return None;
    }
    // SAFETY: the C library's string.
    let fd = unsafe { libc::open(path, libc::O_RDWR | libc::O_CLOEXEC) };
    if fd < 0 {
        return None;
    }
    // SAFETY: plain data.
    let mut about: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the descriptor is open, and the system writes the structure.
    let known = unsafe { libc::fstat(fd, &raw mut about) } == 0;
    let whole = known && usize::try_from(about.st_size) == Ok(SIZE);
    let (flags, access) = (libc::MAP_SHARED, libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: a new mapping of the whole file; nobody makes the file shorter.
    let mapped = unsafe { libc::mmap(ptr::null_mut(), if whole { SIZE } else { 0 }, access, flags, fd, 0) };
    // SAFETY: ours.
    unsafe { libc::close(fd) };
    if mapped == libc::MAP_FAILED {
        return None;
    }
    let words: *mut AtomicU64 = mapped.cast();
    // SAFETY: within the mapping, which is aligned to a page.
    let magic = unsafe { &*words };
    // SAFETY: within the mapping.
    let programs = unsafe { words.add(PROGRAMS) };
    // SAFETY: as the first word.
    let programs = unsafe { &*programs };
    if magic.load(Ordering::Relaxed) != MAGIC {
        return None;
    }
    programs.fetch_add(1, Ordering::Relaxed);
    Some(words)
}

/// [`VARIABLE`] with a NUL.
const VARIABLE_NAME: [u8; VARIABLE.len() + 1] = {
    let (mut name, mut at) = ([0; VARIABLE.len() + 1], 0);
    while at < VARIABLE.len() {
        name[at] = VARIABLE.as_bytes()[at];
        at += 1;
    }
    name
};

/// Counts the program as one that loaded the library, whether it waits or not.
extern "C" fn loaded() {
    file();
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

fn now(clock: clockid_t) -> i64 {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes the structure, or leaves it at zero.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    nanos(&time)
}

/// Returns by how much a clock is ahead of the monotonic one. Of three readings, the one that took the least time counts.
fn ahead(clock: clockid_t) -> i64 {
    if clock == libc::CLOCK_MONOTONIC {
        return 0;
    }
    let reading = || {
        let before = now(libc::CLOCK_MONOTONIC);
        let time = now(clock);
        let took = now(libc::CLOCK_MONOTONIC) - before;
        (took, time - before - took / 2)
    };
    [reading(), reading(), reading()].into_iter().min().map_or(0, |(_, ahead)| ahead)
}

fn cpu() -> u64 {
    // SAFETY: takes no arguments.
    u64::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(0) & 0xffff
}

fn name() -> [u64; 2] {
    let mut name = [0_u64; 2];
    // SAFETY: the kernel writes at most 16 bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}

pub(crate) fn errno() -> c_int {
    // SAFETY: takes no arguments.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the C library's own variable of this thread.
    unsafe { *place }
}

fn set_errno(value: c_int) {
    // SAFETY: takes no arguments.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the C library's own variable of this thread.
    unsafe { *place = value }
}
