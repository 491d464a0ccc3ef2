//! Winsock's `select` on a socket that receives nothing.

use super::failed;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::net::UdpSocket;
use std::os::windows::io::AsRawSocket;
use std::ptr;
use windows_sys::Win32::Networking::WinSock::{FD_SET, INVALID_SOCKET, SOCKET, SOCKET_ERROR, TIMEVAL, select};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::WinsockSelect, open);

/// Opens a socket on a local port to which nobody sends. The standard library starts Winsock.
fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).map_err(|error| Refusal::from_os("a socket to wait on", &error))?;
    Ok(Box::new(WinsockSelect { socket, timeout: timeval(Nanos::ZERO) }))
}

struct WinsockSelect {
    socket: UdpSocket,
    timeout: TIMEVAL,
}

/// Returns microseconds, rounded up; seconds are an `i32`, so at most 68 years.
fn timeval(duration: Nanos) -> TIMEVAL {
    let us = duration.max(Nanos::ZERO).ceil_to(Nanos::MICROSECOND).get() / 1_000;
    match i32::try_from(us / 1_000_000) {
        Ok(tv_sec) => TIMEVAL { tv_sec, tv_usec: i32::try_from(us % 1_000_000).unwrap_or(0) },
        Err(_) => TIMEVAL { tv_sec: i32::MAX, tv_usec: 999_999 },
    }
}

impl WinsockSelect {
    /// Returns the socket as Winsock identifies it: by a number as wide as a pointer.
    fn socket(&self) -> SOCKET {
        SOCKET::try_from(self.socket.as_raw_socket()).unwrap_or(INVALID_SOCKET)
    }
}

impl Waiter for WinsockSelect {
    fn prepare(&mut self, request: Request) {
        self.timeout = timeval(request.duration(TimerClock::Tick));
    }

    /// The call empties the set, so each call gets a new one.
    fn wait(&mut self) -> Woken {
        let mut readers = FD_SET { fd_count: 1, ..FD_SET::default() };
        readers.fd_array[0] = self.socket();
        // SAFETY: the set and the timeout outlive the call; the number of sockets is ignored.
        let answer = unsafe { select(0, &raw mut readers, ptr::null_mut(), ptr::null_mut(), &raw const self.timeout) };
        match answer {
            0 => Woken::TimedOut,
            SOCKET_ERROR => failed(),
            _ => Woken::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_rounded_up_to_microseconds() {
        let parts = |ns: i64| (timeval(Nanos::new(ns)).tv_sec, timeval(Nanos::new(ns)).tv_usec);
        assert_eq!([parts(-1), parts(1), parts(1_000_000_001)], [(0, 0), (0, 1), (1, 1)]);
        assert_eq!(parts(i64::MAX), (i32::MAX, 999_999));
    }
}
