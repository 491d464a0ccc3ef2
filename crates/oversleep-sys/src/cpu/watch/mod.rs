//! Which processor a thread is on, asked many times.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod x86;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use x86 as here;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod ask;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use ask as here;

/// The calling thread's processor, by the cheapest way this system has, found out once.
///
/// Stays on its thread: it may hold the address of that thread's own memory.
#[derive(Debug, Clone, Copy)]
pub struct Watch(here::Way);

impl Watch {
    /// Returns a watch for the calling thread.
    pub fn new() -> Self {
        Self(here::Way::of_this_thread())
    }

    /// Returns the processor the thread is on, for a moment at least; `None` where the system does not tell.
    #[inline]
    pub fn cpu(self) -> Option<u16> {
        self.0.cpu()
    }
}

impl Default for Watch {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_the_system_says() {
        let watch = Watch::new();
        // The thread may move between two questions: then they are asked again.
        let agrees = (0..1_000).any(|_| {
            let before = super::super::current();
            let seen = watch.cpu();
            before == super::super::current() && seen == before
        });
        assert!(agrees, "{watch:?} says {:?}, the system {:?}", watch.cpu(), super::super::current());
    }
}
