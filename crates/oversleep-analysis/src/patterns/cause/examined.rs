//! Causes that kernel events, or the counter of waits in run queues, show in single late sleeps: `run-queue`, `throttled`,
//! `late-interrupt` and `stopped`.

use super::{At, Detection};
use crate::attribution::SEEN_ONLY;
use crate::patterns::features::Features;
use oversleep_recording::document::Cause;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let views = 0..features.views.len();
    let of_view = |view: usize| SEEN_ONLY.iter().filter_map(move |cause| finding(features, view, *cause));
    views.flat_map(of_view).collect()
}

fn finding(features: &Features<'_>, view: usize, cause: Cause) -> Option<Detection> {
    let examined = features.examined[view].as_ref()?;
    let mut finding = examined.finding(cause)?;
    finding.share = share(features, view, examined.sums().get(&Some(cause)).copied().unwrap_or(0));
    Some((At::View(view), finding))
}

/// Returns the share of the lateness of all sleeps of a view, of which `time` ns were seen in the examined ones.
fn share(features: &Features<'_>, view: usize, time: i64) -> Option<f64> {
    let cell = &features.views[view];
    let kept: f64 = cell.series.iter().map(|late| *late as f64).sum();
    let all = kept * cell.count.max(cell.series.len()) as f64 / cell.series.len().max(1) as f64;
    (all > 0.0).then(|| (time as f64 / all).min(1.0))
}

#[cfg(test)]
mod tests {
    use crate::patterns::diagnose;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::document::{Cause, Diagnosis, Finding, Witness};
    use oversleep_recording::machine::Quota;
    use oversleep_recording::plan::build::{Grid, measure};
    use oversleep_recording::plan::{Conditions, Pattern, Policy};
    use oversleep_recording::trace::{Event, EventKind, Interrupt, KernelEvents, Task};
    use oversleep_recording::{LateAccount, LateSleep, Meta, Note, Obtained, Origin, Recording, RunQueueWait, Sample};
    use oversleep_sys::units::Nanos;

    const SLEEPER: i32 = 5;
    const SLEEPS: u64 = 1_000;
    const SLACK: Nanos = Nanos::from_micros(50);

    fn task(tid: i32, prio: i32) -> Task {
        Task { tid, comm: if tid == 7 { "hog" } else { "other" }.to_owned(), prio }
    }

    /// Returns the sleep of this number, which began at its whole second.
    fn sample(sequence: u64, late: Nanos) -> Sample {
        let start = Nanos::SECOND * i64::try_from(sequence).unwrap();
        let requested = Nanos::MILLISECOND;
        Sample { sequence, requested, start, end: start + requested + late, ..Sample::BLANK }
    }

    /// Returns the record of a late sleep with its events: woken in time, it waited for thread 7.
    fn examined(sample: &Sample, prio: i32) -> LateSleep {
        let (start, due) = (sample.start, sample.start + sample.requested);
        let soft = due + Nanos::from_micros(1);
        let switch = |prev, state, next| EventKind::Switch { prev: task(prev, 120), state, next: task(next, prio) };
        let at = |at: Nanos, thread, kind| Event { at, cpu: 0, thread, kind };
        let fired = soft + SLACK;
        let events = vec![
            at(start + Nanos::from_micros(1), SLEEPER, EventKind::TimerStart { timer: 1, soft, hard: fired }),
            at(start + Nanos::from_micros(2), SLEEPER, switch(SLEEPER, 1, 7)),
            at(fired, 7, EventKind::TimerInterrupt),
            at(fired, 7, EventKind::TimerExpire { timer: 1, now: fired }),
            at(fired, 7, EventKind::Wakeup { tid: SLEEPER, queue: Some(0) }),
            at(fired, 7, EventKind::InterruptExit { what: Interrupt::Timer }),
            at(sample.end - Nanos::from_micros(5), 7, switch(7, 0, SLEEPER)),
        ];
        LateSleep {
            sequence: sample.sequence,
            requested: sample.requested,
            start,
            at: sample.end,
            length: sample.oversleep(),
            cpu: Some(0),
            tid: Some(SLEEPER),
            watched: true,
            events: Some(KernelEvents { events, gaps: Vec::new() }),
            ..LateSleep::default()
        }
    }

    /// Diagnoses 1000 sleeps, 60 µs late but for 20, which waited 5 ms for a thread of this priority; of these, the last
    /// `seen` were examined.
    fn diagnosed(seen: usize, prio: i32, own: Policy) -> Diagnosis {
        let late = |n: u64| if n % 50 == 49 { Nanos::from_millis(5) } else { Nanos::from_micros(60) };
        diagnosed_of(late, seen, prio, own)
    }

    /// Does the same with sleeps as late as `late` says.
    fn diagnosed_of(late: impl Fn(u64) -> Nanos, seen: usize, prio: i32, own: Policy) -> Diagnosis {
        diagnose(&recording_of(late, seen, prio, own))
    }

    fn recording_of(late: impl Fn(u64) -> Nanos, seen: usize, prio: i32, own: Policy) -> Recording {
        let grid = Grid {
            rows: &[MethodId::ClockNanosleep.row()],
            requests: &[Pattern::fixed(Nanos::MILLISECOND)],
            conditions: &[Conditions::default()],
        };
        let mut meta = Meta::new("test", Origin::Live, measure(&grid, SLEEPS, 0));
        meta.machine.system = "Linux".to_owned();
        let noise = |n: u64| Nanos::new(i64::try_from(n * 7_919 % 1_000).unwrap());
        let samples: Vec<Sample> = (0..SLEEPS).map(|n| sample(n, late(n) + noise(n))).collect();
        let of_late: Vec<&Sample> = samples.iter().filter(|sample| sample.oversleep() > Nanos::MILLISECOND).collect();
        let conditions = Conditions { policy: Some(own), timer_slack: Some(SLACK), ..Conditions::default() };
        let note = Note {
            late: Some(LateAccount {
                threshold: Nanos::MILLISECOND,
                planned: SLEEPS,
                slept: SLEEPS,
                late: 20,
                found: seen as u64,
                ..LateAccount::default()
            }),
            late_sleeps: of_late[20 - seen..].iter().map(|sample| examined(sample, prio)).collect(),
            obtained: vec![Obtained { cell: 0, thread: 0, conditions }],
            ..Note::default()
        };
        Recording { meta, samples, note }
    }

    /// Diagnoses 1000 sleeps, 60 µs late but for 20, which were 5 ms late; all of it but slack and a rest was a counted wait.
    fn counted(own: Policy, quota: Option<Quota>) -> Diagnosis {
        let late = |n: u64| if n % 50 == 49 { Nanos::from_millis(5) } else { Nanos::from_micros(60) };
        let mut recording = recording_of(late, 0, 120, own);
        (recording.note.late, recording.meta.machine.quota) = (None, quota);
        for sample in &mut recording.samples {
            sample.run_queue = RunQueueWait::new((sample.oversleep() - Nanos::from_micros(58)).max(Nanos::ZERO));
        }
        diagnose(&recording)
    }

    #[test]
    fn a_counted_wait_is_a_finding_without_kernel_events() {
        let diagnosis = counted(Policy::Other, None);
        let found = wait(&diagnosis);
        assert_eq!(found.witnesses, [Witness::Counters]);
        let seen = found.evidence.examined().expect("examined sleeps");
        assert_eq!((seen.examined, seen.largest_part_of), (20, 20));
        assert!((4.9e6..5e6).contains(&found.size), "{found:?}");
        let budget = diagnosis.cells[0].budget.p99_ns.as_ref().expect("a split");
        assert!(budget["run-queue"] > 4_900_000 && budget["unexplained"] < 60_000, "{budget:?}");
    }

    /// A thread that may not run for lack of processor time is counted as waiting, too.
    #[test]
    fn a_counted_wait_is_no_finding_where_the_kernel_may_have_throttled() {
        let quota = Quota { quota: Nanos::from_millis(10), ..Quota::default() };
        for diagnosis in [counted(Policy::Other, Some(quota)), counted(Policy::Fifo { priority: 1 }, None)] {
            assert!(diagnosis.cells[0].findings.iter().all(|finding| finding.cause() != Cause::RunQueue));
        }
    }

    fn wait(diagnosis: &Diagnosis) -> &Finding {
        diagnosis.cells[0].findings.iter().find(|finding| finding.cause() == Cause::RunQueue).expect("the wait")
    }

    #[test]
    fn a_wait_that_was_seen_is_a_finding_and_the_tail_is_made_of_it() {
        let diagnosis = diagnosed(10, 120, Policy::Other);
        let found = wait(&diagnosis);
        assert_eq!(found.witnesses, [Witness::Trace]);
        let seen = found.evidence.examined().expect("examined sleeps");
        assert_eq!((seen.examined, seen.largest_part_of, seen.used_by.as_deref()), (10, 10, Some("hog")));
        assert!((4.9e6..5e6).contains(&found.size), "{found:?}");
        let budget = diagnosis.cells[0].budget.p99_ns.as_ref().expect("a split");
        assert!(budget["run-queue"] > 4_900_000 && budget["unexplained"] < 50_000, "{budget:?}");
        let worth = found.remedy_on("Linux").and_then(|remedy| remedy.predicted).and_then(|worth| worth.p99);
        let worth = worth.expect("what a real-time policy is worth for the tail");
        assert!(worth.before_ns > 5_000_000 && worth.after_ns < 100_000, "{worth:?}");
    }

    /// Sleeps that were too little late to be examined may have waited too: what is left of them is between the two.
    #[test]
    fn what_was_not_examined_widens_the_prediction() {
        let late = |n: u64| match n % 50 {
            49 => Nanos::from_millis(5),
            48 | 47 => Nanos::from_micros(300),
            _ => Nanos::from_micros(60),
        };
        let diagnosis = diagnosed_of(late, 10, 120, Policy::Other);
        let worth = wait(&diagnosis).remedy_on("Linux").and_then(|remedy| remedy.predicted).and_then(|worth| worth.p99);
        let worth = worth.expect("what a real-time policy is worth for the tail");
        assert!(worth.after_ns < 30_000 && worth.high_ns > 240_000, "{worth:?}");
    }

    #[test]
    fn without_examined_sleeps_the_tail_stays_unexplained() {
        let diagnosis = diagnosed(0, 120, Policy::Other);
        assert!(diagnosis.cells[0].findings.iter().all(|finding| finding.cause() != Cause::RunQueue));
        assert!(diagnosis.cells[0].budget.p99_ns.as_ref().expect("a split")["unexplained"] > 4_900_000);
    }

    #[test]
    fn a_real_time_policy_is_no_remedy_where_it_does_not_shorten_the_wait() {
        let beside_real_time = diagnosed(10, 49, Policy::Other);
        let remedy = &wait(&beside_real_time).remedy;
        assert!(remedy.len() == 1 && remedy[0].command.starts_with("chrt --fifo 51 COMMAND, "), "{remedy:?}");
        let beside_its_like = diagnosed(10, 49, Policy::Fifo { priority: 50 });
        assert_eq!(wait(&beside_its_like).remedy[0].command, remedy[0].command);
        for own in [Policy::Fifo { priority: 51 }, Policy::Rr { priority: 80 }] {
            assert_eq!(wait(&diagnosed(10, 49, own)).remedy, [], "{own}");
        }
        assert_eq!(wait(&diagnosed(10, 120, Policy::Fifo { priority: 1 })).remedy, []);
    }
}
