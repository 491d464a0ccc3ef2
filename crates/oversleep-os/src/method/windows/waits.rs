//! Waits for what never comes: an event, a message, a completion, a change of a value.

use super::event::{self, Handle};
use super::{failed_unless, milliseconds, woken_by_timeout};
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;
use std::ptr;
use windows_sys::Win32::Foundation::{ERROR_TIMEOUT, INVALID_HANDLE_VALUE, WAIT_TIMEOUT};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatus, OVERLAPPED};
use windows_sys::Win32::System::Threading::WaitOnAddress as wait_on_address;
use windows_sys::Win32::UI::WindowsAndMessaging::MsgWaitForMultipleObjectsEx;

pub(super) const SINGLE_OBJECT: MethodEntry = MethodEntry::new(MethodId::WaitForSingleObject, || {
    let event = event::unset(true)?;
    Ok(Box::new(call(milliseconds, move |ms| woken_by_timeout(event.wait(*ms)))))
});

/// On no objects and for no messages.
pub(super) const MESSAGES: MethodEntry = MethodEntry::new(MethodId::MsgWaitForMultipleObjects, || {
    Ok(Box::new(call(milliseconds, |ms| {
        // SAFETY: no handles are given, and their number says so.
        woken_by_timeout(unsafe { MsgWaitForMultipleObjectsEx(0, ptr::null(), *ms, 0, 0) })
    })))
});

/// The sleep of Windows' event loops, on a port to which nothing is posted.
pub(super) const COMPLETIONS: MethodEntry = MethodEntry::new(MethodId::GetQueuedCompletionStatus, || {
    // SAFETY: an invalid file and no port make a new port without a file.
    let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
    let port = Handle::new("CreateIoCompletionPort", port)?;
    Ok(Box::new(call(milliseconds, move |ms| {
        let (mut bytes, mut key, mut packet) = (0, 0, ptr::null_mut::<OVERLAPPED>());
        // SAFETY: the port is open, and the call writes the three values, which outlive it.
        let answer =
            unsafe { GetQueuedCompletionStatus(port.raw(), &raw mut bytes, &raw mut key, &raw mut packet, *ms) };
        if answer != 0 { Woken::Interrupted } else { failed_unless(WAIT_TIMEOUT) }
    })))
});

/// Windows' equivalent of a futex, on a value that nobody changes.
pub(super) const ADDRESS: MethodEntry = MethodEntry::new(MethodId::WaitOnAddress, || {
    let value = Box::new(0_u32);
    Ok(Box::new(call(milliseconds, move |ms| {
        let expected = *value;
        // SAFETY: both values are ours, have four bytes, and outlive the call.
        let answer =
            unsafe { wait_on_address((&raw const *value).cast(), (&raw const expected).cast(), size_of::<u32>(), *ms) };
        if answer != 0 { Woken::Interrupted } else { failed_unless(ERROR_TIMEOUT) }
    })))
});
