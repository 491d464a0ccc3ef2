//! `sigtimedwait` for an empty set of signals: only its time can end it.

use super::{signal, span};
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Sigtimedwait, || {
    let set = signal::empty();
    Ok(Box::new(call(span, move |request| {
        // SAFETY: set and time outlive the call; nothing is asked about a signal.
        if unsafe { libc::sigtimedwait(&raw const set, ptr::null_mut(), request) } >= 0 {
            return Woken::Interrupted;
        }
        match super::errno() {
            libc::EAGAIN => Woken::TimedOut,
            errno => super::woken_by(errno),
        }
    })))
});
