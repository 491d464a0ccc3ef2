//! Reading many times which processor a thread is on.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod x86;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use x86 as here;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod ask;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use ask as here;

/// A reader of the calling thread's processor, by the cheapest way that this system has, determined once.
///
/// Not `Send`: it may contain the address of that thread's own memory.
#[derive(Debug, Clone, Copy)]
pub struct CpuReader(here::NumberSource);

impl CpuReader {
    /// Returns a reader for the calling thread.
    pub fn new() -> Self {
        Self(here::NumberSource::of_this_thread())
    }

    /// Returns the processor that the thread is on at this moment; `None` where the system does not tell.
    #[inline]
    pub fn read(self) -> Option<u16> {
        self.0.read()
    }
}

impl Default for CpuReader {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_the_system_says() {
        let reader = CpuReader::new();
        // The thread may move between two readings: then they are repeated.
        let agrees = (0..1_000).any(|_| {
            let before = super::super::current();
            let seen = reader.read();
            before == super::super::current() && seen == before
        });
        assert!(agrees, "{reader:?} says {:?}, the system {:?}", reader.read(), super::super::current());
    }
}
