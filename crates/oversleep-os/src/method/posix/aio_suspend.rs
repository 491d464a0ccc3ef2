//! `aio_suspend` for a read from a socket over which nothing is sent.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::cell::UnsafeCell;
use std::net::Shutdown;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::AioSuspend, || {
    Ok(Box::new(AioSuspend { read: Read::begun()?, timeout: timespec(Nanos::ZERO) }))
});

struct AioSuspend {
    read: Read,
    timeout: libc::timespec,
}

impl Waiter for AioSuspend {
    fn prepare(&mut self, request: Request) {
        self.timeout = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        match self.read.suspend(&raw const self.timeout) {
            // Nothing was sent, so the read failed, and every further wait would end at once.
            0 => Woken::Failed(self.read.error()),
            _ => match super::errno() {
                libc::EAGAIN => Woken::TimedOut,
                errno => super::woken_by(errno),
            },
        }
    }
}

/// An asynchronous read that is in progress until its socket is shut down.
struct Read {
    operation: Box<Operation>,
    socket: UnixStream,
    /// Kept open: a closed peer would end the read.
    _peer: UnixStream,
}

/// The memory to which the system writes while the read is in progress; it does not move.
struct Operation {
    block: UnsafeCell<libc::aiocb>,
    byte: UnsafeCell<u8>,
}

impl Read {
    fn begun() -> Result<Self, Refusal> {
        let (socket, peer) = UnixStream::pair().map_err(|error| Refusal::from_os("socketpair", &error))?;
        // SAFETY: all zero is a valid block: it notifies nobody of its end (SIGEV_NONE is set below).
        let mut block: libc::aiocb = unsafe { std::mem::zeroed() };
        block.aio_fildes = socket.as_raw_fd();
        block.aio_nbytes = 1;
        block.aio_sigevent.sigev_notify = libc::SIGEV_NONE;
        let mut operation = Box::new(Operation { block: UnsafeCell::new(block), byte: UnsafeCell::new(0) });
        operation.block.get_mut().aio_buf = operation.byte.get().cast();
        // SAFETY: block and byte stay where they are until `drop` has seen the read end.
        if unsafe { libc::aio_read(operation.block.get()) } != 0 {
            return Err(Refusal::last_os("aio_read"));
        }
        let read = Self { operation, socket, _peer: peer };
        match read.error() {
            libc::EINPROGRESS => Ok(read),
            error => Err(Refusal::from_os("aio_read", &std::io::Error::from_raw_os_error(error))),
        }
    }

    /// Waits until the read has ended, at most for `timeout`, or without limit if `timeout` is null.
    #[inline]
    fn suspend(&self, timeout: *const libc::timespec) -> libc::c_int {
        let list = [self.operation.block.get().cast_const()];
        // SAFETY: a list of one live block; the timeout outlives the call or is null.
        unsafe { libc::aio_suspend(list.as_ptr(), 1, timeout) }
    }

    /// Returns `EINPROGRESS` while the read is in progress, then its error number.
    fn error(&self) -> i32 {
        // SAFETY: the block is alive and was given to `aio_read`.
        unsafe { libc::aio_error(self.operation.block.get()) }
    }
}

impl Drop for Read {
    /// Ends the read, which then reads nothing, and waits until the system no longer uses block and byte.
    fn drop(&mut self) {
        // A socket that is no longer connected has nothing to read either.
        let _ = self.socket.shutdown(Shutdown::Both);
        while self.error() == libc::EINPROGRESS {
            self.suspend(ptr::null());
        }
        // SAFETY: the read has ended, and its result is taken once.
        unsafe { libc::aio_return(self.operation.block.get()) };
    }
}
