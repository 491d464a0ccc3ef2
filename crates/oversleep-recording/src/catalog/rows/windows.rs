//! Windows.

rows! { Windows
    Sleep "sleep" "Sleep" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Sleep;
        "Whole system ticks: may end up to a tick early (15.6 ms unless a program asked for less)."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep"
    SleepEx "sleep-ex" "SleepEx, alertable" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Sleep;
        "As Sleep; also ends for an asynchronous procedure call or a completed operation."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleepex"
    SleepZero "sleep-zero" "Sleep(0)" on WINDOWS;
        Yield Nothing None early Never;
        timer None slack None simulated Yield;
        "Gives the rest of the time slice to a ready thread of the same priority, if there is one."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep"
    WaitForSingleObject "wait-for-single-object" "WaitForSingleObject on an event that nobody sets" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Wait;
        "Ends when the time is over, as exact as the tick."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject"
    WaitOnAddress "wait-on-address" "WaitOnAddress" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Wait;
        "Ends when the time is over; may wake for no reason. Windows 8 and later."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitonaddress"
    SleepConditionVariable "sleep-condition-variable" "SleepConditionVariableSRW that nobody wakes" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Sleep;
        "Ends when the time is over; may wake for no reason."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleepconditionvariablesrw"
    WaitableTimer "waitable-timer" "SetWaitableTimer, then WaitForSingleObject" on WINDOWS;
        Relative HundredNanoseconds Tick early Possible;
        timer Object slack Thread simulated Timer;
        "Signalled at the first tick at which its time is over."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer"
    WaitableTimerAbs "waitable-timer-abs" "SetWaitableTimer until a UTC time, then WaitForSingleObject" on WINDOWS;
        Absolute HundredNanoseconds Realtime early Possible;
        timer Object slack Thread simulated Timer;
        "As waitable-timer, on the wall clock; setting the clock moves it."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer"
    WaitableTimerHighResolution "waitable-timer-high-resolution" "CreateWaitableTimerExW with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, then WaitForSingleObject" on WINDOWS;
        Relative HundredNanoseconds Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "Does not wait for the tick; for delays of a few milliseconds. From Windows 10 version 1803."
        "https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw"
    NtDelayExecution "nt-delay-execution" "NtDelayExecution" on WINDOWS;
        Relative HundredNanoseconds Tick early Possible;
        timer Call slack Thread simulated Sleep;
        "The system call of Sleep, not documented for programs; the kernel's KeDelayExecutionThread promises the first tick after the time."
        "https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread"
    TimeSetEvent "time-set-event" "timeSetEvent with TIME_ONESHOT, then WaitForSingleObject" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Object slack Thread simulated Timer;
        "Sets an event after the requested time, within the requested resolution; obsolete; raises the tick rate while it runs."
        "https://learn.microsoft.com/en-us/previous-versions/dd757634(v=vs.85)"
    TimerQueue "timer-queue" "CreateTimerQueueTimer with WT_EXECUTEINTIMERTHREAD, then WaitForSingleObject" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Object slack Thread simulated Timer;
        "A callback in the queue's thread sets an event. Replaced by threadpool-timer since Windows Vista."
        "https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer"
    ThreadpoolTimer "threadpool-timer" "SetThreadpoolTimer without a window, then WaitForSingleObject" on WINDOWS;
        Relative HundredNanoseconds Tick early Possible;
        timer Object slack Thread simulated Timer;
        "A callback in a thread of the pool sets an event; with a window it may be batched with others."
        "https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer"
    SetTimer "set-timer" "SetTimer without a window, then GetMessage until WM_TIMER" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Object slack Thread simulated Timer;
        "Posts a message of low priority; at least 10 ms (USER_TIMER_MINIMUM)."
        "https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer"
    WinsockSelect "winsock-select" "select on a silent Winsock socket" on WINDOWS;
        Relative Microsecond Tick early Possible;
        timer Call slack Thread simulated Select;
        "At most the requested time. It needs at least one socket: with none it fails at once."
        "https://learn.microsoft.com/en-us/windows/win32/api/winsock2/nf-winsock2-select"
    MsgWaitForMultipleObjects "msg-wait-for-multiple-objects" "MsgWaitForMultipleObjectsEx on nothing, for no message" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Wait;
        "As wait-for-single-object, in threads that also handle window messages."
        "https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-msgwaitformultipleobjectsex"
    GetQueuedCompletionStatus "get-queued-completion-status" "GetQueuedCompletionStatus on an idle port" on WINDOWS;
        Relative Millisecond Tick early Possible;
        timer Call slack Thread simulated Wait;
        "Ends when no packet came in the requested time; event loops sleep so."
        "https://learn.microsoft.com/en-us/windows/win32/api/ioapiset/nf-ioapiset-getqueuedcompletionstatus"
    SwitchToThread "switch-to-thread" "SwitchToThread" on WINDOWS;
        Yield Nothing None early Never;
        timer None slack None simulated Yield;
        "Lets another ready thread on this processor run for up to a quantum, if there is one."
        "https://learn.microsoft.com/en-us/windows/win32/api/processthreadsapi/nf-processthreadsapi-switchtothread"
}
