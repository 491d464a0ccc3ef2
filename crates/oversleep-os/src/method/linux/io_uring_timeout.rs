//! `io_uring`'s timeout, submitted and waited for in one `io_uring_enter`. Linux 5.4.

use super::io_uring::{KernelTimespec, Ring};
use crate::method::posix::probe::probed;
use crate::method::posix::woken_by;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::IoUringTimeout, || {
    let time = Box::new(KernelTimespec { seconds: 0, nanoseconds: 0 });
    probed("io_uring timeout", IoUringTimeout { ring: Ring::new()?, time, pending: false, refused: None })
});

struct IoUringTimeout {
    /// Before `time`, so that it is dropped before the time to which its timeout points.
    ring: Ring,
    time: Box<KernelTimespec>,
    /// Whether an interrupted wait left its timeout in the ring.
    pending: bool,
    /// Error of making a new ring, reported by the next wait.
    refused: Option<i32>,
}

impl Waiter for IoUringTimeout {
    /// After an interrupted wait the old timeout would still complete, during a later wait: a new ring has none.
    fn prepare(&mut self, request: Request) {
        if self.pending {
            self.renew();
        }
        let (seconds, nanoseconds) = request.duration(TimerClock::Monotonic).split();
        *self.time = KernelTimespec { seconds, nanoseconds };
        self.ring.prepare(&self.time);
    }

    fn wait(&mut self) -> Woken {
        if let Some(errno) = self.refused {
            return Woken::Failed(errno);
        }
        match self.ring.run() {
            Ok(result) if result == -libc::ETIME => Woken::TimedOut,
            Ok(result) => woken_by(-result),
            Err(errno) => {
                self.pending = true;
                woken_by(errno)
            }
        }
    }
}

impl IoUringTimeout {
    fn renew(&mut self) {
        match Ring::new() {
            Ok(ring) => {
                self.ring = ring;
                self.pending = false;
                self.refused = None;
            }
            Err(_) => self.refused = Some(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::ENOMEM)),
        }
    }
}
