//! What the kernel is told while probes sleep.

use super::protocol::Row;
use oversleep_os::trace::CallTracer;
use oversleep_recording::{TimedCall, TracedCalls};
use oversleep_sys::Refusal;

/// Calls that are kept of one sleep: a program that makes more is not waiting.
const MOST: usize = 64;

/// Records system calls, if this machine and user allow it.
#[derive(Debug, Default)]
pub(super) struct Told {
    tracer: Option<CallTracer>,
    refused: u64,
}

impl Told {
    /// Begins to record the calls of these threads.
    pub(super) fn start(&mut self, threads: &[i32]) -> Result<(), Refusal> {
        let started = self.try_start(threads);
        self.refused += u64::from(started.is_err());
        started
    }

    fn try_start(&mut self, threads: &[i32]) -> Result<(), Refusal> {
        if self.tracer.is_none() {
            self.tracer = Some(CallTracer::open()?);
        }
        self.tracer.as_mut().map_or(Ok(()), |tracer| tracer.start(threads))
    }

    /// Whether nothing was refused before: what cannot be had is said once.
    pub(super) fn is_first_refusal(&self) -> bool {
        self.refused == 1
    }

    /// Ends recording, and returns each sleep with the calls made meanwhile.
    pub(super) fn stop(&mut self, method: &str, rows: &[Row]) -> Vec<TracedCalls> {
        let stopped = self.tracer.as_mut().map(CallTracer::stop);
        let Some(Ok(calls)) = stopped else {
            // What cannot be stopped is taken down as a whole.
            self.tracer = None;
            return Vec::new();
        };
        rows.iter().map(|row| of_sleep(method, row, &calls)).collect()
    }
}

fn of_sleep(method: &str, row: &Row, calls: &[TimedCall]) -> TracedCalls {
    let within = calls.iter().filter(|call| call.at >= row.start && call.at <= row.end);
    TracedCalls {
        method: method.to_owned(),
        requested: row.requested,
        start: row.start,
        end: row.end,
        calls: within.take(MOST).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Flags;
    use oversleep_sys::units::Nanos;

    #[test]
    fn a_sleep_has_the_calls_between_its_ends() {
        let call = |at: i64| TimedCall { at: Nanos::new(at), ..TimedCall::default() };
        let calls: Vec<_> = [9, 10, 15, 20, 21].map(call).into();
        let [requested, start, end] = [5, 10, 20].map(Nanos::new);
        let found = of_sleep("x", &Row { requested, start, end, flags: Flags::default() }, &calls);
        assert_eq!(found.calls.iter().map(|call| call.at.get()).collect::<Vec<_>>(), [10, 15, 20]);
        assert_eq!((found.requested, found.start, found.end), (requested, start, end));
    }
}
