//! The slack that Linux gives a call's timer.

use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::Policy;
use oversleep_sys::units::Nanos;

/// The slack of one sleep; `None` for calls whose timers have none by rule we know (the timer wheel, busy waits).
///
/// Rules of Linux (`fs/select.c`, `kernel/time/hrtimer.c`, `fs/timerfd.c`, `kernel/time/posix-timers.c`): real-time
/// policies have none; `select`, `poll` and `epoll` get 0.1 % of the time left (0.5 % with a nice above 0), at most
/// 100 ms and at least the thread's own slack; timers of their own (`timerfd`, `timer_create`, `setitimer`, `io_uring`) none;
/// all others the thread's.
pub fn expected(method: MethodId, requested: Nanos, thread: Nanos, policy: Policy, nice: i32) -> Option<Nanos> {
    use MethodId as M;
    let real_time = policy.is_real_time();
    match method {
        M::Spin | M::SchedYield | M::Rcvtimeo | M::Semtimedop => None,
        M::Timerfd | M::TimerfdAbs | M::TimerfdPeriodic | M::TimerCreate | M::Setitimer | M::IoUringTimeout => {
            Some(Nanos::ZERO)
        }
        _ if real_time => Some(Nanos::ZERO),
        M::Select | M::Pselect | M::Poll | M::Ppoll | M::EpollWait | M::EpollPwait2 => {
            let share = if nice > 0 { 200 } else { 1_000 };
            let estimate = Nanos::new(requested.get() / share).min(Nanos::from_millis(100));
            Some(estimate.max(thread))
        }
        _ => Some(thread),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_of_slack() {
        let second = Nanos::SECOND;
        let of = |method, policy, nice| expected(method, second, Nanos::from_micros(50), policy, nice);
        let fifo = Policy::Fifo { priority: 1 };
        assert_eq!(of(MethodId::Nanosleep, Policy::Other, 0), Some(Nanos::from_micros(50)));
        assert_eq!(of(MethodId::Select, Policy::Other, 0), Some(Nanos::MILLISECOND));
        assert_eq!(of(MethodId::Select, Policy::Other, 5), Some(Nanos::from_millis(5)));
        assert_eq!(of(MethodId::Select, fifo, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Nanosleep, fifo, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Timerfd, Policy::Other, 0), Some(Nanos::ZERO));
        assert_eq!(of(MethodId::Rcvtimeo, Policy::Other, 0), None);
        let short = expected(MethodId::Poll, Nanos::MILLISECOND, Nanos::from_micros(50), Policy::Other, 0);
        assert_eq!(short, Some(Nanos::from_micros(50)));
    }
}
