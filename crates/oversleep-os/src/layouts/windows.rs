//! Windows, 64 bits: headers of the Windows SDK 10.0.22621, and Wine's `winternl.h` for what they leave out.

use std::mem::{offset_of, size_of};
use windows_sys::Win32::Foundation::{
    ERROR_INVALID_TASK_NAME, ERROR_TIMEOUT, FILETIME, WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT,
};
use windows_sys::Win32::Media::{TIME_CALLBACK_EVENT_SET, TIME_ONESHOT, TIMECAPS};
use windows_sys::Win32::Networking::WinSock::{FD_SET, TIMEVAL};
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::Win32::System::Threading as threading;
use windows_sys::Win32::UI::WindowsAndMessaging::{MSG, USER_TIMER_MAXIMUM, USER_TIMER_MINIMUM, WM_TIMER};

published! {
    size_of::<FILETIME>(), 8, "minwinbase.h: two DWORDs, counting 100 ns since 1601";
    size_of::<TIMECAPS>(), 8, "timeapi.h: two UINTs, milliseconds";
    size_of::<TIMEVAL>(), 8, "winsock2.h: two longs of 32 bits, seconds and microseconds";
    size_of::<FD_SET>(), 8 + 64 * 8, "winsock2.h: a count and FD_SETSIZE (64) sockets";
    offset_of!(FD_SET, fd_array), 8, "winsock2.h";
    size_of::<MSG>(), 48, "winuser.h";
    offset_of!(MSG, wParam), 16, "winuser.h";
    size_of::<OSVERSIONINFOW>(), 276, "winnt.h: five ULONGs and 128 WCHARs";
    size_of::<threading::PROCESS_POWER_THROTTLING_STATE>(), 12, "processthreadsapi.h: three ULONGs";
    size_of::<threading::SRWLOCK>(), 8, "winnt.h: one pointer";
    size_of::<threading::CONDITION_VARIABLE>(), 8, "winnt.h: one pointer";
    WAIT_OBJECT_0, 0, "winbase.h";
    WAIT_TIMEOUT, 258, "winerror.h";
    WAIT_FAILED, 0xFFFF_FFFF_u32, "winbase.h";
    ERROR_TIMEOUT, 1460, "winerror.h";
    ERROR_INVALID_TASK_NAME, 1550, "winerror.h";
    threading::INFINITE, 0xFFFF_FFFF_u32, "winbase.h: milliseconds that never end";
    threading::CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, 2, "synchapi.h, since 10.0.17134";
    threading::TIMER_ALL_ACCESS, 0x001F_0003, "winnt.h";
    threading::WT_EXECUTEONLYONCE, 0x8, "winnt.h";
    threading::WT_EXECUTEINTIMERTHREAD, 0x20, "winnt.h";
    threading::ProcessPowerThrottling, 4, "processthreadsapi.h: PROCESS_INFORMATION_CLASS";
    threading::PROCESS_POWER_THROTTLING_EXECUTION_SPEED, 1, "processthreadsapi.h";
    threading::PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, 4, "processthreadsapi.h";
    threading::NORMAL_PRIORITY_CLASS, 0x20, "winbase.h";
    threading::IDLE_PRIORITY_CLASS, 0x40, "winbase.h";
    threading::HIGH_PRIORITY_CLASS, 0x80, "winbase.h";
    threading::REALTIME_PRIORITY_CLASS, 0x100, "winbase.h";
    threading::BELOW_NORMAL_PRIORITY_CLASS, 0x4000, "winbase.h";
    threading::ABOVE_NORMAL_PRIORITY_CLASS, 0x8000, "winbase.h";
    TIME_ONESHOT, 0, "timeapi.h";
    TIME_CALLBACK_EVENT_SET, 0x10, "timeapi.h: the callback is an event's handle";
    USER_TIMER_MINIMUM, 0x0A, "winuser.h: milliseconds";
    USER_TIMER_MAXIMUM, 0x7FFF_FFFF, "winuser.h: milliseconds";
    WM_TIMER, 0x0113, "winuser.h";
}
