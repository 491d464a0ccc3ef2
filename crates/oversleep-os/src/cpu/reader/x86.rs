//! Linux on x86-64: memory that the kernel keeps up to date, a register that it sets, or a call.

use std::arch::asm;
use std::arch::x86_64::__rdtscp;
use std::ptr::NonNull;

/// The source of the number of the processor.
#[derive(Debug, Clone, Copy)]
pub(super) enum NumberSource {
    /// `cpu_id` of this thread's `struct rseq`, which the kernel writes whenever it puts the thread on a processor
    /// (Linux 4.18, `include/uapi/linux/rseq.h`) and which glibc registers from 2.35 on. Its lower half: no machine has
    /// 65 535 processors, and that is the value for a thread that is not registered.
    Restartable(NonNull<u16>),
    /// `IA32_TSC_AUX`, in which Linux stores the number of the processor (bits 0 to 11; `arch/x86/entry/vdso`,
    /// `vdso_encode_cpunode`). Used only where it was found to agree with the call.
    Auxiliary,
    /// The call `sched_getcpu`.
    Call,
}

impl NumberSource {
    pub(super) fn of_this_thread() -> Self {
        if let Some(id) = restartable() {
            Self::Restartable(id)
        } else if auxiliary_agrees() {
            Self::Auxiliary
        } else {
            Self::Call
        }
    }

    #[inline]
    pub(super) fn read(self) -> Option<u16> {
        match self {
            // SAFETY: points into this thread's control block, which lives as long as the thread; the kernel may
            // write it at any time, hence volatile. The type is not `Send`.
            Self::Restartable(id) => Some(unsafe { id.as_ptr().read_volatile() }).filter(|id| *id != u16::MAX),
            Self::Auxiliary => Some(auxiliary()),
            Self::Call => super::super::current(),
        }
    }
}

/// Offset of `cpu_id` in `struct rseq`.
const CPU_ID: isize = 4;

fn restartable() -> Option<NonNull<u16>> {
    // SAFETY: looks up a name among the loaded symbols; the name is a C string.
    let offset = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()) };
    // SAFETY: as above.
    let size = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()) };
    let (offset, size) = (NonNull::new(offset.cast::<isize>())?, NonNull::new(size.cast::<u32>())?);
    // SAFETY: glibc's `const unsigned int __rseq_size` (sys/rseq.h).
    if unsafe { size.read() } == 0 {
        return None;
    }
    // SAFETY: glibc's `const ptrdiff_t __rseq_offset`, a multiple of the structure's alignment of 32 bytes.
    let offset = unsafe { offset.read() };
    let thread: *mut u32;
    // SAFETY: the System V ABI stores the thread pointer at fs:0; nothing is written.
    unsafe { asm!("mov {}, fs:0", out(reg) thread, options(nostack, readonly, preserves_flags)) };
    let id = NonNull::new(thread.wrapping_byte_offset(offset + CPU_ID))?;
    // SAFETY: glibc reserved `struct rseq` at this offset of every thread's control block. If the kernel refused to
    // register it, it contains a negative number.
    let registered = (unsafe { id.as_ptr().read_volatile() } as i32) >= 0;
    registered.then_some(id.cast())
}

#[inline]
fn auxiliary() -> u16 {
    let mut auxiliary = 0;
    // SAFETY: `auxiliary_agrees` found the instruction; the output outlives it.
    unsafe { __rdtscp(&raw mut auxiliary) };
    (auxiliary & 0xFFF) as u16
}

/// Returns whether the register agreed with the system a few times, with the thread not moving in between.
#[allow(unused_unsafe)] // safe since Rust 1.94, and older compilers are supported
fn auxiliary_agrees() -> bool {
    // CPUID 8000_0001h, EDX bit 27: RDTSCP (AMD64 Architecture Programmer's Manual, volume 3, appendix E).
    // SAFETY: every x86-64 processor has the instruction.
    let has = unsafe { std::arch::x86_64::__cpuid(0x8000_0001) }.edx & (1 << 27) != 0;
    has && (0..100).any(|_| {
        let before = super::super::current();
        let agrees = (0..4).all(|_| Some(auxiliary()) == before);
        before.is_some() && agrees && super::super::current() == before
    })
}
