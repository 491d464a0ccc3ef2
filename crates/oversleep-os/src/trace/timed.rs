//! System calls that take a time, and how their records become [`TimedCall`]s.
//!
//! A call's record contains its arguments. Where the time is a number (`epoll_wait`: milliseconds) it is among them;
//! where it is in the caller's memory, which no record contains, it follows from the timer that the call set.

use super::format::{EventLayout, Field};
use oversleep_recording::TimedCall;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// A system call that takes a time.
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    /// Name of the call; its event is called `sys_enter_NAME`.
    pub name: &'static str,
    argument: &'static str,
    timeout: TimeoutArgument,
}

/// How a call is given its timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeoutArgument {
    /// As a number of milliseconds; the call waits for no time if it is zero or negative.
    Millis,
    /// As a structure in memory; no time without an address.
    Memory,
    /// As a structure in memory, if the operation waits.
    Futex,
}

const fn timed(name: &'static str, argument: &'static str, timeout: TimeoutArgument) -> Timed {
    Timed { name, argument, timeout }
}

/// Every call that is recorded; a kernel has those of its architecture.
pub const TIMED: &[Timed] = &[
    timed("epoll_wait", "timeout", TimeoutArgument::Millis),
    timed("epoll_pwait", "timeout", TimeoutArgument::Millis),
    timed("epoll_pwait2", "timeout", TimeoutArgument::Memory),
    timed("poll", "timeout_msecs", TimeoutArgument::Millis),
    timed("ppoll", "tsp", TimeoutArgument::Memory),
    timed("select", "tvp", TimeoutArgument::Memory),
    timed("pselect6", "tsp", TimeoutArgument::Memory),
    timed("nanosleep", "rqtp", TimeoutArgument::Memory),
    timed("clock_nanosleep", "rqtp", TimeoutArgument::Memory),
    timed("futex", "utime", TimeoutArgument::Futex),
    timed("futex_wait", "timeout", TimeoutArgument::Memory),
    timed("futex_waitv", "timeout", TimeoutArgument::Memory),
    timed("setitimer", "value", TimeoutArgument::Memory),
    timed("timer_settime", "new_setting", TimeoutArgument::Memory),
    timed("timerfd_settime", "utmr", TimeoutArgument::Memory),
    timed("rt_sigtimedwait", "uts", TimeoutArgument::Memory),
];

/// A call sets its timer within this time of its entry; a later timer belongs to something else.
const SOON: Nanos = Nanos::MILLISECOND;

/// Decodes records into calls, with the formats of the running kernel.
#[derive(Debug, Default)]
pub struct Decoder {
    calls: HashMap<u16, TimedCallLayout>,
    timer: Option<(u16, Field, Field)>,
}

/// The fields of a timed call's record.
#[derive(Debug)]
struct TimedCallLayout {
    timed: &'static Timed,
    thread: Field,
    argument: Field,
    operation: Option<Field>,
}

/// A decoded record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOrTimer {
    /// A call that waits.
    Call(TimedCall),
    /// A timer that a thread set, and its earliest expiry.
    Timer {
        /// Thread ID.
        tid: i32,
        /// Time at which the timer was set.
        at: Nanos,
        /// Earliest expiry.
        soft: Nanos,
    },
}

impl CallOrTimer {
    /// Returns the time of the record.
    pub fn at(&self) -> Nanos {
        match self {
            Self::Call(call) => call.at,
            Self::Timer { at, .. } => *at,
        }
    }
}

impl Decoder {
    /// Adds the format of a call. The error names a field that this kernel's format lacks.
    pub fn add(&mut self, timed: &'static Timed, format: &EventLayout) -> Result<(), String> {
        let operation = (timed.timeout == TimeoutArgument::Futex).then(|| format.field("op").cloned()).transpose()?;
        let (thread, argument) = (format.field("common_pid")?.clone(), format.field(timed.argument)?.clone());
        self.calls.insert(format.id, TimedCallLayout { timed, thread, argument, operation });
        Ok(())
    }

    /// Adds the format of the timer event.
    pub fn add_timer(&mut self, format: &EventLayout) -> Result<(), String> {
        self.timer = Some((format.id, format.field("common_pid")?.clone(), format.field("softexpires")?.clone()));
        Ok(())
    }

    /// Decodes a record; returns `None` for calls that do not wait and for records of other events.
    pub fn decode(&self, at: u64, record: &[u8]) -> Option<CallOrTimer> {
        let at = Nanos::new(i64::try_from(at).ok()?);
        let id = u16::from_ne_bytes(record.get(..2)?.try_into().ok()?);
        if let Some((_, thread, soft)) = self.timer.as_ref().filter(|(timer, ..)| *timer == id) {
            let tid = i32::try_from(thread.number(record)?).ok()?;
            return Some(CallOrTimer::Timer { tid, at, soft: Nanos::new(soft.number(record)?) });
        }
        let row = self.calls.get(&id)?;
        let tid = i32::try_from(row.thread.number(record)?).ok()?;
        let given = row.argument.number(record)?;
        let argument = match row.timed.timeout {
            TimeoutArgument::Millis => {
                #[allow(clippy::cast_possible_truncation)] // an int in a field of eight bytes
                let millis = given as i32;
                if millis <= 0 {
                    return None;
                }
                Some(Nanos::from_millis(i64::from(millis)))
            }
            TimeoutArgument::Futex if !waits(row.operation.as_ref()?.number(record)?) => return None,
            TimeoutArgument::Memory | TimeoutArgument::Futex if given == 0 => return None,
            TimeoutArgument::Memory | TimeoutArgument::Futex => None,
        };
        Some(CallOrTimer::Call(TimedCall { tid, call: row.timed.name.to_owned(), at, argument, timer: None }))
    }
}

/// Returns whether a futex operation waits with a time: `FUTEX_WAIT`, `FUTEX_LOCK_PI`, `FUTEX_WAIT_BITSET`,
/// `FUTEX_WAIT_REQUEUE_PI` and `FUTEX_LOCK_PI2`, whatever its flags (include/uapi/linux/futex.h).
fn waits(operation: i64) -> bool {
    matches!(operation & 127, 0 | 6 | 9 | 11 | 13)
}

/// Returns the calls, each with the timer it set. Calls without a time or a timer are left out: they did not wait.
pub fn calls(mut seen: Vec<CallOrTimer>) -> Vec<TimedCall> {
    seen.sort_by_key(CallOrTimer::at);
    let mut calls: Vec<TimedCall> = Vec::new();
    let mut last: HashMap<i32, usize> = HashMap::new();
    for seen in seen {
        match seen {
            CallOrTimer::Call(call) => {
                last.insert(call.tid, calls.len());
                calls.push(call);
            }
            CallOrTimer::Timer { tid, at, soft } => {
                let Some(call) = last.get(&tid).and_then(|at| calls.get_mut(*at)) else { continue };
                if call.timer.is_none() && at - call.at <= SOON {
                    call.timer = Some(soft);
                }
            }
        }
    }
    calls.retain(|call| call.argument.is_some() || call.timer.is_some());
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str) -> EventLayout {
        let text = match name {
            "epoll_wait" => include_str!("../../tests/data/trace/format/sys_enter_epoll_wait"),
            "futex" => include_str!("../../tests/data/trace/format/sys_enter_futex"),
            "clock_nanosleep" => include_str!("../../tests/data/trace/format/sys_enter_clock_nanosleep"),
            _ => include_str!("../../tests/data/trace/format/hrtimer_start"),
        };
        EventLayout::parse(text).unwrap()
    }

    fn decoder() -> Decoder {
        let mut decoder = Decoder::default();
        for timed in TIMED.iter().filter(|timed| ["epoll_wait", "futex", "clock_nanosleep"].contains(&timed.name)) {
            decoder.add(timed, &format(timed.name)).unwrap();
        }
        decoder.add_timer(&format("timer")).unwrap();
        decoder
    }

    /// Returns a record of thread 7 with these values in these fields.
    fn record(name: &str, fields: &[(&str, i64)]) -> Vec<u8> {
        let format = format(name);
        let mut bytes = vec![0; 80];
        bytes[..2].copy_from_slice(&format.id.to_ne_bytes());
        for (name, value) in [("common_pid", 7)].iter().chain(fields) {
            let field = format.field(name).unwrap();
            let number = if field.size == 4 {
                i32::try_from(*value).unwrap().to_ne_bytes().to_vec()
            } else {
                value.to_ne_bytes().to_vec()
            };
            bytes[field.offset..field.offset + field.size].copy_from_slice(&number);
        }
        bytes
    }

    fn seen(records: &[(u64, Vec<u8>)]) -> Vec<TimedCall> {
        let decoder = decoder();
        calls(records.iter().rev().filter_map(|(at, record)| decoder.decode(*at, record)).collect())
    }

    #[test]
    fn milliseconds_stand_in_the_call_and_other_times_in_the_timer_it_sets() {
        let found = seen(&[
            (100, record("epoll_wait", &[("timeout", 2)])),
            (150, record("timer", &[("softexpires", 2_000_150)])),
            (900, record("timer", &[("softexpires", 77)])),
            (3_000, record("clock_nanosleep", &[("rqtp", 0x7fff_0000)])),
            (3_400, record("timer", &[("softexpires", 103_400)])),
        ]);
        let told = |call: &TimedCall| (call.call.clone(), call.argument.map(Nanos::get), call.timer.map(Nanos::get));
        let expected = [
            ("epoll_wait".to_owned(), Some(2_000_000), Some(2_000_150)),
            ("clock_nanosleep".to_owned(), None, Some(103_400)),
        ];
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(|call| call.tid == 7));
    }

    #[test]
    fn calls_that_do_not_wait_or_wait_for_ever_are_left_out() {
        let found = seen(&[
            (1, record("epoll_wait", &[("timeout", 0)])),
            (2, record("epoll_wait", &[("timeout", -1)])),
            (3, record("futex", &[("op", 129), ("utime", 0x7fff_0000)])),
            (4, record("futex", &[("op", 128), ("utime", 0)])),
            // It returned before it set a timer; a millisecond later the thread sets one for something else.
            (5, record("futex", &[("op", 137), ("utime", 0x7fff_0000)])),
            (1_100_000, record("timer", &[("softexpires", 2_000_000)])),
        ]);
        assert_eq!(found, []);
    }

    #[test]
    fn a_format_without_the_argument_is_refused_by_name() {
        let text = include_str!("../../tests/data/trace/format/sys_enter_epoll_wait").replace("int timeout;", "int t;");
        let row = TIMED.iter().find(|timed| timed.name == "epoll_wait").unwrap();
        let refused = Decoder::default().add(row, &EventLayout::parse(&text).unwrap());
        assert_eq!(refused.unwrap_err(), "sys_enter_epoll_wait has no timeout");
        assert_eq!(decoder().decode(0, &[1, 2, 3]), None);
    }
}
