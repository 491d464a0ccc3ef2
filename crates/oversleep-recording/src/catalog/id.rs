//! The identifiers of methods, in the catalogue's order. [`super::table`] does not compile unless the rows follow it.

macro_rules! identities {
    ($($id:ident)*) => {
        /// A sleep primitive. The order is the catalogue's.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MethodId {
            $(#[doc = concat!("See the row of `", stringify!($id), "`.")] $id,)*
        }
    };
}

identities! {
    ThreadSleep ParkTimeout Spin

    Nanosleep Usleep
    ClockNanosleep ClockNanosleepAbs ClockNanosleepRealtime ClockNanosleepAbsRealtime
    Select Pselect Poll Ppoll
    CondTimedwait CondClockwait SemTimedwait SemClockwait
    MqTimedreceive AioSuspend Sigtimedwait TimerCreate Setitimer Rcvtimeo Semtimedop SchedYield

    ClockNanosleepBoottime ClockNanosleepAbsBoottime ClockNanosleepTai ClockNanosleepAbsTai
    EpollWait EpollPwait2 Timerfd TimerfdAbs TimerfdPeriodic FutexWait IoUringTimeout

    Kevent KqueueTimer KqueueTimerS KqueueTimerUs KqueueTimerNs KqueueTimerAbs KqueueTimerPeriodic

    MachWaitUntil MachClockSleep MachSemaphoreTimedwait CondTimedwaitRelative
    DispatchTimer DispatchTimerStrict DispatchSemaphoreWait
    KqueueTimerMachtime KqueueTimerCritical KqueueTimerBackground KqueueTimerLeeway

    PortGet TimerPort TimerPortHighres CondReltimedwait

    Sleep SleepEx SleepZero WaitForSingleObject WaitOnAddress SleepConditionVariable
    WaitableTimer WaitableTimerAbs WaitableTimerHighResolution NtDelayExecution
    TimeSetEvent TimerQueue ThreadpoolTimer SetTimer
    WinsockSelect MsgWaitForMultipleObjects GetQueuedCompletionStatus SwitchToThread
}
