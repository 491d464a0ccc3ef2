//! Records the system calls that probes make while they sleep.

use super::protocol::ProbeSleep;
use oversleep_os::trace::CallTracer;
use oversleep_recording::{TimedCall, TracedCalls};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Largest number of calls that are kept of each thread in one sleep: one that makes more is not waiting.
const MOST: usize = 64;

/// Recorder of system calls, if this machine and user allow it.
#[derive(Debug, Default)]
pub(super) struct CallRecorder {
    tracer: Option<CallTracer>,
    refused: u64,
}

impl CallRecorder {
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

    /// Returns whether there was exactly one refusal so far: it is reported only once.
    pub(super) fn is_first_refusal(&self) -> bool {
        self.refused == 1
    }

    /// Ends recording, and returns each sleep with the calls made during it.
    pub(super) fn stop(&mut self, method: &str, rows: &[ProbeSleep], error: Nanos) -> Vec<TracedCalls> {
        let stopped = self.tracer.as_mut().map(CallTracer::stop);
        let Some(Ok(calls)) = stopped else {
            // If it cannot be stopped, it is closed completely.
            self.tracer = None;
            return Vec::new();
        };
        rows.iter().map(|row| of_sleep(method, row, error, &calls)).collect()
    }
}

/// Returns a sleep with its calls. Its times may be wrong by `error`, so calls up to that far outside are included.
fn of_sleep(method: &str, row: &ProbeSleep, error: Nanos, calls: &[TimedCall]) -> TracedCalls {
    let within = calls.iter().filter(|call| call.at >= row.start - error && call.at <= row.end + error);
    let mut of_thread: HashMap<i32, usize> = HashMap::new();
    let (mut kept, mut left_out) = (Vec::new(), 0);
    for call in within {
        let count = of_thread.entry(call.tid).or_default();
        *count += 1;
        if *count <= MOST {
            kept.push(call.clone());
        } else {
            left_out += 1;
        }
    }
    TracedCalls {
        method: method.to_owned(),
        requested: row.requested,
        start: row.start,
        end: row.end,
        clock_error: error,
        calls: kept,
        left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Flags;

    #[test]
    fn a_sleep_has_the_calls_between_its_ends() {
        let call = |at: i64| TimedCall { at: Nanos::new(at), ..TimedCall::default() };
        let calls: Vec<_> = [9, 10, 15, 20, 21].map(call).into();
        let [requested, start, end] = [5, 10, 20].map(Nanos::new);
        let row = ProbeSleep { requested, start, end, flags: Flags::default() };
        let calls_for = |error: i64| of_sleep("x", &row, Nanos::new(error), &calls);
        let times = |found: &TracedCalls| found.calls.iter().map(|call| call.at.get()).collect::<Vec<_>>();
        let found = calls_for(0);
        assert_eq!((times(&found), times(&calls_for(1))), (vec![10, 15, 20], vec![9, 10, 15, 20, 21]));
        assert_eq!((found.requested, found.start, found.end), (requested, start, end));
    }
    #[test]
    fn a_busy_thread_does_not_crowd_out_another_s_calls() {
        let call = |at: i64| TimedCall { tid: i32::from(at == 99), at: Nanos::new(at), ..TimedCall::default() };
        let calls: Vec<_> = (0..100).map(call).collect();
        let row =
            ProbeSleep { requested: Nanos::new(5), start: Nanos::ZERO, end: Nanos::new(99), flags: Flags::default() };
        let found = of_sleep("x", &row, Nanos::ZERO, &calls);
        assert_eq!((found.calls.len(), found.left_out), (MOST + 1, 99 - MOST as u64));
        assert_eq!(found.calls.last().map(|call| call.tid), Some(1));
    }
}
