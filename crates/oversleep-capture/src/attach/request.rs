//! Infers what a program asked for from the times that it passed to the kernel.

use super::Wait;
use oversleep_sys::units::Nanos;

/// Bits of futex's operation without its flags, and the operation that waits: `FUTEX_CMD_MASK`, `FUTEX_WAIT` (linux/futex.h).
const FUTEX_OPERATION: i64 = 127;
const FUTEX_WAIT: i64 = 0;
/// Flag of `clock_nanosleep` for a time on the clock instead of a duration.
const TIMER_ABSTIME: i64 = 1;

impl Wait {
    /// Returns for how long the program asked to wait: the number in the call's arguments; for other durations the roundest
    /// number that the kernel's clock readings allow; for a time on a clock, the time until then from the call's entry.
    pub fn requested(&self) -> Nanos {
        if let Some(asked) = self.asked {
            return asked;
        }
        let millis = |index: usize| {
            #[allow(clippy::cast_possible_truncation)] // an int in a field of eight bytes
            let number = self.arguments[index] as i32;
            (number > 0).then(|| Nanos::from_millis(i64::from(number)))
        };
        let longest = self.deadline.saturating_sub(self.start);
        let argument = match &*self.call {
            "epoll_wait" | "epoll_pwait" => millis(3),
            "poll" => millis(2),
            _ => None,
        };
        match argument {
            // A timer that was armed elsewhere ended the wait sooner.
            Some(asked) if asked <= longest => asked,
            _ if self.is_duration() => roundest(self.deadline.saturating_sub(self.armed.at), longest),
            _ => longest.max(Nanos::ZERO),
        }
    }

    /// Returns whether this very call passed a duration to the kernel.
    fn is_duration(&self) -> bool {
        let within = self.armed.thread == self.tid && self.armed.at >= self.start;
        within
            && match &*self.call {
                "nanosleep" | "select" | "pselect6" | "ppoll" | "poll" | "epoll_wait" | "epoll_pwait"
                | "epoll_pwait2" | "rt_sigtimedwait" | "semtimedop" |
                // Of a socket's time limit, in whole ticks.
                "read" | "readv" | "recvfrom" | "recvmsg" | "recvmmsg" | "accept" | "accept4" | "connect"
                | "sendto" | "sendmsg" => true,
                "clock_nanosleep" => self.arguments[1] & TIMER_ABSTIME == 0,
                // FUTEX_WAIT takes a duration, all other operations a time (futex(2)).
                "futex" => self.arguments[1] & FUTEX_OPERATION == FUTEX_WAIT,
                _ => false,
            }
    }
}

/// Returns the number between these, both included, with the most zeros at its end.
fn roundest(low: Nanos, high: Nanos) -> Nanos {
    let (low, high) = (low.get().max(0), high.get().max(0));
    let mut step = 1_000_000_000;
    while step > 1 {
        let number = high / step * step;
        if number >= low && number > 0 {
            return Nanos::new(number);
        }
        step /= 10;
    }
    Nanos::new(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roundest_number_that_fits_is_taken() {
        let rounded = |low, high| roundest(Nanos::new(low), Nanos::new(high)).get();
        assert_eq!(rounded(4_999_400, 5_000_900), 5_000_000);
        assert_eq!(rounded(16_669_100, 16_670_200), 16_670_000);
        assert_eq!(rounded(999, 999), 999);
        assert_eq!(rounded(-5, -1), 0);
    }
}
