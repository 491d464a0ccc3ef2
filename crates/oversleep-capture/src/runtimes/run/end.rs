//! Ends of programs: complete, cut short or failed.

use super::super::launch::Launch;
use super::super::probe::Probe;
use super::super::protocol::Header;
use super::ProbeRun;
use super::key::Key;
use super::position::warm_up;
use super::start::ended_with_run;
use oversleep_recording::plan::{Cell, Turn};
use oversleep_recording::{Note, Probe as Known};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::collections::HashSet;

impl<'a> ProbeRun<'a> {
    /// Ends a probe that failed, and notes the reason; no reason is noted if the run is being stopped.
    pub(super) fn fail(&mut self, key: Key<'a>, probe: &mut Probe, why: String) {
        self.failed.insert(key);
        let since = self.launches.iter().find(|launch| launch.method() == key.name).and_then(Launch::since);
        let needs = since.map(|since| format!("; it needs version {since} or later")).unwrap_or_default();
        let why = (!self.settings.stop.stopped()).then_some(why + &needs);
        self.settle(key, probe, why.clone());
        if let Some(why) = why {
            self.note_unavailable(&key.to_string(), &Refusal::Failed(why));
        }
    }

    /// Ends a probe that ended by itself, or that printed more than it was asked for: it takes no orders, and has to have
    /// made all its sleeps.
    pub(super) fn end_of_all(&mut self, key: Key<'a>, probe: &mut Probe, printed: u64, asked: u64) {
        let plan = self.plan;
        let slept = |cell: &Cell| self.sequences.get(&cell.id).copied().unwrap_or(0);
        let mut cells = plan.cells.iter().filter(|cell| self.key(cell) == key);
        let Some(short) = cells.find(|cell| slept(cell) < plan.sleeps(cell)) else {
            // It may no longer read, and is not asked for its clock.
            probe.done = true;
            self.failed.insert(key);
            return self.settle(key, probe, None);
        };
        let request = short.pattern.requested().unwrap_or_default();
        let of_request =
            format!("{} of the {} sleeps of {request} that were asked for", slept(short), plan.sleeps(short));
        let why = if probe.done {
            format!("ended after {of_request}")
        } else {
            format!("printed {printed} rows when asked for {asked}, and {of_request}")
        };
        self.fail(key, probe, why);
    }

    /// Ends a probe whose block the end of the run cut off, after some of its sleeps. It has not failed, unless it has no
    /// samples at all.
    pub(super) fn cut_short(&mut self, key: Key<'a>, probe: &mut Probe, (done, planned): (usize, u64)) {
        let mut cells = self.plan.cells.iter().filter(|cell| self.key(cell) == key);
        if cells.any(|cell| self.sequences.contains_key(&cell.id)) {
            self.failed.insert(key);
            return self.settle(key, probe, None);
        }
        self.fail(key, probe, ended_with_run(&format!("after {done} of {planned} sleeps")));
    }

    /// Notes the facts known of a probe, and ends it.
    pub(super) fn settle(&mut self, key: Key<'_>, probe: &mut Probe, failed: Option<String>) {
        if key.without_load {
            // What is known of the program is noted of the one with load.
            probe.end();
            return;
        }
        let asks = failed.is_none() && !probe.done;
        let clock_error = if asks { probe.clock_error(&self.settings.stop) } else { Ok(None) };
        probe.end();
        let clock_error = clock_error.unwrap_or_else(|why| {
            let why = format!("{why}; the error of its times is that of the beginning");
            self.note_unavailable(&key.to_string(), &Refusal::Failed(why));
            Some(probe.first_clock_error())
        });
        self.note_probe(key.name, &probe.header, |known| Known {
            clock_error,
            collections: probe.collections,
            failed,
            ..known
        });
    }

    pub(super) fn note_probe(&mut self, name: &str, header: &Header, rest: impl FnOnce(Known) -> Known) {
        let known = Known {
            method: name.to_owned(),
            runtime: header.runtime.clone(),
            monotonic: header.monotonic,
            schedule: header.schedule,
            clock_cost: header.clock_cost,
            warm_up: warm_up(self.plan, name, self.settings.warm_up).1,
            ..Known::default()
        };
        self.sink.note(&Note { probes: vec![rest(known)], ..Note::default() });
    }

    /// Ends the probes that have no more turns.
    pub(super) fn end_unwanted(&mut self, turns: &[Turn]) {
        let plan = self.plan;
        let cells = turns.iter().filter_map(|turn| plan.cells.get(turn.cell as usize));
        let wanted: HashSet<Key<'_>> = cells.map(|cell| self.key(cell)).collect();
        let over: Vec<Key<'a>> = self.probes.keys().copied().filter(|key| !wanted.contains(key)).collect();
        for key in over {
            if let Some(mut probe) = self.probes.remove(&key) {
                match self.trace(key, &mut probe) {
                    Some(why) => self.fail(key, &mut probe, why),
                    None => self.settle(key, &mut probe, None),
                }
            }
        }
    }

    /// Makes a probe sleep again for each of its requests, with its system calls recorded. Returns why it failed, if it
    /// did.
    fn trace(&mut self, key: Key<'a>, probe: &mut Probe) -> Option<String> {
        let count = self.settings.traced;
        if count == 0 || key.without_load || self.reason_to_end().is_some() {
            return None;
        }
        let plan = self.plan;
        let name = key.name;
        let cells: Vec<&Cell> = plan.cells.iter().filter(|cell| self.key(cell) == key).collect();
        for request in cells.iter().filter_map(|cell| cell.pattern.requested()) {
            let limit = self.time_limit(request, count);
            if let Err(refusal) = self.call_recorder.start(&probe.threads()) {
                if self.call_recorder.is_first_refusal() {
                    self.note_unavailable("trace of system calls", &refusal);
                }
                return None;
            }
            let slept = probe.block(request, count, limit, &self.settings.stop);
            let (rows, failed) = match slept {
                Ok(rows) => (rows, None),
                // What the run's time did not allow has not failed.
                Err(failed) => (failed.rows, Some(failed.why).filter(|_| !failed.is_late || self.left() > Nanos::ZERO)),
            };
            let traced_calls = self.call_recorder.stop(name, &rows, probe.first_clock_error());
            self.sink.note(&Note { traced_calls, ..Note::default() });
            if failed.is_some() || probe.done || self.reason_to_end().is_some() {
                return failed;
            }
        }
        None
    }

    pub(super) fn finish(&mut self) {
        self.end_unwanted(&[]);
    }
}
