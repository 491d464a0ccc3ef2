//! `NtDelayExecution`: the system call under `Sleep`, in steps of 100 ns.

use super::steps;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::procedure::procedure;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;

pub(super) const ENTRY: MethodEntry = MethodEntry { id: MethodId::NtDelayExecution, open };

/// `NTSTATUS NtDelayExecution(BOOLEAN Alertable, PLARGE_INTEGER DelayInterval)`: negative means a duration.
type DelayExecution = unsafe extern "system" fn(u8, *const i64) -> i32;

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let call = procedure(c"ntdll.dll", c"NtDelayExecution")
        .ok_or_else(|| Refusal::Unavailable("this system has no NtDelayExecution".to_owned()))?;
    // SAFETY: the call has this signature in every Windows since NT 3.1 (ntifs.h of ReactOS and Wine's winternl.h say
    // so).
    let call = unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, DelayExecution>(call) };
    Ok(Box::new(NtDelayExecution { call, interval: 0 }))
}

struct NtDelayExecution {
    call: DelayExecution,
    interval: i64,
}

impl Waiter for NtDelayExecution {
    fn prepare(&mut self, request: Request) {
        self.interval = -steps(request.duration(TimerClock::Tick));
    }

    /// At the end of its time the call returns `STATUS_SUCCESS`, or `STATUS_NO_YIELD_PERFORMED` for a time of zero.
    fn wait(&mut self) -> Woken {
        // SAFETY: not alertable; the interval outlives the call, which only reads it.
        match unsafe { (self.call)(0, &raw const self.interval) } {
            0 | STATUS_NO_YIELD_PERFORMED => Woken::TimedOut,
            status if status > 0 => Woken::Interrupted,
            status => Woken::Failed(status),
        }
    }
}

/// ntstatus.h: 0x40000024, an informational status.
const STATUS_NO_YIELD_PERFORMED: i32 = 0x4000_0024;
