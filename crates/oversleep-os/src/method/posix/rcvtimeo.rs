//! `recv` with `SO_RCVTIMEO` on a pair of sockets over which nothing is sent.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::requests::timeval;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::mem::size_of;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Rcvtimeo, open);

#[allow(clippy::cast_possible_truncation)] // 16
const LENGTH: libc::socklen_t = size_of::<libc::timeval>() as libc::socklen_t;

struct Rcvtimeo {
    socket: UnixStream,
    /// Kept open: a closed peer would end every wait at once.
    _peer: UnixStream,
    /// Error of setting the time, reported by the next wait.
    refused: Option<i32>,
}

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let (socket, peer) = UnixStream::pair().map_err(|error| Refusal::from_os("socketpair", &error))?;
    Ok(Box::new(Rcvtimeo { socket, _peer: peer, refused: None }))
}

impl Waiter for Rcvtimeo {
    /// The time starts with the receive, so setting the option is not part of the wait. Zero would mean for ever,
    /// so it becomes 1 µs.
    fn prepare(&mut self, request: Request) {
        let time = timeval(request.duration(TimerClock::Tick).max(Nanos::MICROSECOND));
        // SAFETY: the option's value is a timeval that outlives the call.
        let answer = unsafe {
            libc::setsockopt(
                self.socket.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_RCVTIMEO,
                (&raw const time).cast(),
                LENGTH,
            )
        };
        self.refused = (answer != 0).then(super::errno);
    }

    fn wait(&mut self) -> Woken {
        if let Some(errno) = self.refused {
            return Woken::Failed(errno);
        }
        let mut byte = 0_u8;
        // SAFETY: the buffer is one byte, ours, and outlives the call.
        let answer = unsafe { libc::recv(self.socket.as_raw_fd(), ptr::from_mut(&mut byte).cast(), 1, 0) };
        if answer >= 0 {
            return Woken::Interrupted;
        }
        match super::errno() {
            libc::EAGAIN => Woken::TimedOut,
            errno => super::woken_by(errno),
        }
    }
}
