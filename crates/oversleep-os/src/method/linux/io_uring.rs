//! The part of `io_uring` that one timeout needs: one submission, one completion, by raw system calls.
//!
//! Layouts from the kernel's `include/uapi/linux/io_uring.h`, unchanged since Linux 5.4.

use oversleep_sys::Refusal;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

const ENTRIES: u32 = 2;
const OFF_SQ_RING: libc::off_t = 0;
const OFF_CQ_RING: libc::off_t = 0x0800_0000;
const OFF_SQES: libc::off_t = 0x1000_0000;
const ENTER_GETEVENTS: libc::c_uint = 1;
const OP_TIMEOUT: u8 = 11;

#[repr(C)]
#[derive(Default)]
struct SqOffsets {
    head: u32,
    tail: u32,
    ring_mask: u32,
    ring_entries: u32,
    flags: u32,
    dropped: u32,
    array: u32,
    reserved: u32,
    user_addr: u64,
}

#[repr(C)]
#[derive(Default)]
struct CqOffsets {
    head: u32,
    tail: u32,
    ring_mask: u32,
    ring_entries: u32,
    overflow: u32,
    cqes: u32,
    flags: u32,
    reserved: u32,
    user_addr: u64,
}

#[repr(C)]
#[derive(Default)]
struct Params {
    sq_entries: u32,
    cq_entries: u32,
    flags: u32,
    sq_thread_cpu: u32,
    sq_thread_idle: u32,
    features: u32,
    wq_fd: u32,
    reserved: [u32; 3],
    sq: SqOffsets,
    cq: CqOffsets,
}

/// A submission: 64 bytes, of which a timeout uses five fields.
#[repr(C)]
struct Submission {
    opcode: u8,
    flags: u8,
    priority: u16,
    descriptor: i32,
    offset: u64,
    address: u64,
    length: u32,
    op_flags: u32,
    user_data: u64,
    rest: [u64; 3],
}

/// A completion: 16 bytes.
#[repr(C)]
struct Completion {
    user_data: u64,
    result: i32,
    flags: u32,
}

/// The kernel's 64-bit time, the same on every architecture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct KernelTimespec {
    pub(super) seconds: i64,
    pub(super) nanoseconds: i64,
}

/// A ring and its three mappings. The mappings are dropped before the descriptor.
pub(super) struct Ring {
    submissions: Mapping,
    completions: Mapping,
    entries: Mapping,
    params: Params,
    descriptor: OwnedFd,
}

impl Ring {
    pub(super) fn new() -> Result<Self, Refusal> {
        let mut params = Params::default();
        // SAFETY: the parameters are ours; the kernel fills them in.
        let answer = unsafe { libc::syscall(libc::SYS_io_uring_setup, ENTRIES, &raw mut params) };
        let Some(number) = libc::c_int::try_from(answer).ok().filter(|number| *number >= 0) else {
            return Err(Refusal::last_os("io_uring_setup"));
        };
        // SAFETY: new from the kernel and owned by nobody else.
        let descriptor = unsafe { OwnedFd::from_raw_fd(number) };
        let submissions = params.sq.array as usize + params.sq_entries as usize * size_of::<u32>();
        let completions = params.cq.cqes as usize + params.cq_entries as usize * size_of::<Completion>();
        let entries = params.sq_entries as usize * size_of::<Submission>();
        Ok(Self {
            submissions: Mapping::new(&descriptor, OFF_SQ_RING, submissions)?,
            completions: Mapping::new(&descriptor, OFF_CQ_RING, completions)?,
            entries: Mapping::new(&descriptor, OFF_SQES, entries)?,
            params,
            descriptor,
        })
    }

    /// Writes a timeout of this length into the first submission. `time` must not move until it is over.
    pub(super) fn prepare(&mut self, time: &KernelTimespec) {
        let submission = Submission {
            opcode: OP_TIMEOUT,
            flags: 0,
            priority: 0,
            descriptor: -1,
            offset: 0, // complete for no count of other completions: only time ends it
            address: ptr::from_ref(time) as u64,
            length: 1,
            op_flags: 0, // relative, on the monotonic clock
            user_data: 1,
            rest: [0; 3],
        };
        // SAFETY: the mapping holds `sq_entries` submissions, and the kernel reads them only in `io_uring_enter`.
        unsafe { self.entries.at::<Submission>(0).write(submission) };
    }

    /// Submits what was prepared and waits for one completion: returns its result, or the call's error number.
    #[inline]
    pub(super) fn run(&mut self) -> Result<i32, i32> {
        self.push();
        // SAFETY: the descriptor is a ring; no mask is given.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_io_uring_enter,
                self.descriptor.as_raw_fd(),
                1 as libc::c_uint,
                1 as libc::c_uint,
                ENTER_GETEVENTS,
                ptr::null::<libc::sigset_t>(),
                0 as libc::size_t,
            )
        };
        if answer < 0 {
            return Err(io::Error::last_os_error().raw_os_error().unwrap_or(0));
        }
        // Submitted, but a signal came before the completion: the kernel then returns the count, not EINTR.
        self.pop().ok_or(libc::EINTR)
    }

    /// Passes submission 0 to the kernel by advancing the ring's tail.
    fn push(&mut self) {
        let tail = self.submissions.counter(self.params.sq.tail);
        let next = tail.load(Ordering::Relaxed);
        let slot = self.params.sq.array as usize + (next & (self.params.sq_entries - 1)) as usize * size_of::<u32>();
        // SAFETY: the array has `sq_entries` slots, a power of two; this one is not the kernel's until the store.
        unsafe { self.submissions.at::<u32>(slot).write(0) };
        tail.store(next.wrapping_add(1), Ordering::Release);
    }

    /// Takes the oldest completion, if there is one.
    fn pop(&mut self) -> Option<i32> {
        let head = self.completions.counter(self.params.cq.head);
        let oldest = head.load(Ordering::Relaxed);
        if oldest == self.completions.counter(self.params.cq.tail).load(Ordering::Acquire) {
            return None;
        }
        let slot = (oldest & (self.params.cq_entries - 1)) as usize * size_of::<Completion>();
        // SAFETY: the array has `cq_entries` slots, a power of two; the kernel published this one before the tail.
        let completion = unsafe { self.completions.at::<Completion>(self.params.cq.cqes as usize + slot).read() };
        head.store(oldest.wrapping_add(1), Ordering::Release);
        Some(completion.result)
    }
}

/// Memory shared with the kernel, unmapped when dropped.
struct Mapping {
    start: *mut u8,
    length: usize,
}

impl Mapping {
    fn new(ring: &OwnedFd, offset: libc::off_t, length: usize) -> Result<Self, Refusal> {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_POPULATE);
        // SAFETY: asks for a new mapping at an address of the kernel's choice.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, access, flags, ring.as_raw_fd(), offset) };
        if start == libc::MAP_FAILED {
            return Err(Refusal::last_os("mmap of an io_uring"));
        }
        Ok(Self { start: start.cast(), length })
    }

    /// Returns the object at a byte offset that the kernel gave, after checking that it lies inside.
    fn at<T>(&self, offset: usize) -> *mut T {
        assert!(offset + size_of::<T>() <= self.length, "the kernel gave an offset outside its own mapping");
        self.start.wrapping_add(offset).cast()
    }

    fn counter(&self, offset: u32) -> &AtomicU32 {
        let counter = self.at::<u32>(offset as usize);
        // SAFETY: inside the mapping, aligned as the kernel lays it out, and shared only by atomic access.
        unsafe { AtomicU32::from_ptr(counter) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length, unmapped once.
        unsafe { libc::munmap(self.start.cast(), self.length) };
    }
}
