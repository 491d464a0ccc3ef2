//! Counters of the calling thread, read between sleeps.

use crate::sysinfo::quota;
use oversleep_recording::trace::ThreadCounters;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The time that the calling thread has waited in run queues. A reading costs about 0.6 µs.
#[derive(Debug)]
pub struct RunQueueCounter(File);

impl RunQueueCounter {
    /// Opens the counter of the calling thread; `None` if the kernel has none.
    pub fn open() -> Option<Self> {
        let counter = Self(File::open("/proc/thread-self/schedstat").ok()?);
        counter.read().map(|_| counter)
    }

    /// Returns the time waited since the thread began; `None` if the kernel does not count it.
    #[inline]
    pub fn read(&self) -> Option<Nanos> {
        let mut bytes = [0; 64];
        let length = self.0.read_at(&mut bytes, 0).ok()?;
        run_delay(std::str::from_utf8(&bytes[..length]).ok()?)
    }
}

/// The files of the counters, kept open: a reading costs about 2 µs (schedstat 0.6, getrusage 0.25, cpu.stat 1).
#[derive(Debug)]
pub struct Readings {
    run_queue: Option<RunQueueCounter>,
    quota: Option<File>,
}

impl Readings {
    /// Opens the counters of the calling thread; one that does not exist is missing from every reading.
    ///
    /// # Errors
    /// None on Linux; other systems have none of these counters.
    pub fn open() -> Result<Self, Refusal> {
        Ok(Self { run_queue: RunQueueCounter::open(), quota: quota_file() })
    }

    /// Returns the current counters.
    pub fn now(&mut self) -> ThreadCounters {
        ThreadCounters {
            run_delay: self.run_queue.as_ref().and_then(RunQueueCounter::read),
            preempted: usage().map(|usage| i64::from(usage.ru_nivcsw)),
            throttled: self.quota.as_ref().and_then(text).and_then(|text| throttled(&text)),
        }
    }
}

/// Opens the statistics of the group with the tightest quota; `None` without a quota.
fn quota_file() -> Option<File> {
    let group = quota::now()?.group;
    let group = group.trim_end_matches('/');
    let mounts = ["", "/cpu", "/cpu,cpuacct", "/unified"];
    mounts.iter().find_map(|mount| File::open(format!("/sys/fs/cgroup{mount}{group}/cpu.stat")).ok())
}

fn text(file: &File) -> Option<String> {
    let mut bytes = [0; 1024];
    let length = file.read_at(&mut bytes, 0).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

/// Parses `running waiting slices`, the first two in ns. All are zero where the kernel does not count: a thread that reads them has run
/// (`proc_pid_schedstat` in `fs/proc/base.c`, 6.12, without `CONFIG_SCHEDSTATS` and delay accounting).
fn run_delay(text: &str) -> Option<Nanos> {
    if text.split_whitespace().all(|number| number == "0") {
        return None;
    }
    text.split_whitespace().nth(1)?.parse().ok().map(Nanos::new)
}

/// Parses the throttled time: version 2 counts microseconds, version 1 nanoseconds.
fn throttled(text: &str) -> Option<Nanos> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<i64>().ok());
    let fine = value("throttled_time ").map(Nanos::new);
    fine.or_else(|| Nanos::MICROSECOND.checked_mul(value("throttled_usec ")?))
}

/// Returns how often the calling thread has given up the processor to wait for something: each time it had to be woken. Costs
/// about 0.25 µs.
pub fn wake_ups() -> Option<u64> {
    usage().map(|usage| i64::from(usage.ru_nvcsw).cast_unsigned())
}

fn usage() -> Option<libc::rusage> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel writes the structure.
    let answer = unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
    // SAFETY: zeroed before the call, and all zero is a valid usage.
    let usage = unsafe { usage.assume_init() };
    (answer == 0).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_units_of_throttling_become_time() {
        assert_eq!(throttled("nr_periods 4\nthrottled_usec 250\n"), Some(Nanos::from_micros(250)));
        assert_eq!(throttled("nr_periods 4\nthrottled_time 1234\n"), Some(Nanos::new(1_234)));
        assert_eq!(throttled("usage_usec 4\n"), None);
        assert_eq!(run_delay("0 42134 1\n"), Some(Nanos::new(42_134)));
        assert_eq!((run_delay(""), run_delay("0 0 0\n")), (None, None));
        assert_eq!(run_delay("51200 0 3\n"), Some(Nanos::ZERO));
    }
}
