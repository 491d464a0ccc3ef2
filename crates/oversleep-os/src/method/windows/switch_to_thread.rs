//! `SwitchToThread`: lets another thread run, if one is ready.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::MethodId;
use windows_sys::Win32::System::Threading::SwitchToThread as switch_to_thread;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::SwitchToThread, open: || Ok(Box::new(SwitchToThread)) };

struct SwitchToThread;

impl Waiter for SwitchToThread {
    fn prepare(&mut self, _: Request) {}

    /// Ignores whether there was another thread: either way the call has ended.
    fn wait(&mut self) -> Woken {
        // SAFETY: takes nothing.
        unsafe { switch_to_thread() };
        Woken::TimedOut
    }
}
