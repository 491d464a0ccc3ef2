//! The programs that a guest runs, and checks of their output.

/// A program to run in the guest, and a check of its output.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) words: String,
    shows: fn(&str) -> bool,
}

/// How a processor should wait.
#[derive(Clone, Copy)]
pub(crate) enum Waits {
    /// Until a time, whether it rests or not.
    Timed,
    /// Until a time, and resting: with far fewer readings of the clock.
    Resting,
    /// Until an event.
    Events,
}

/// How many of the hundred traced sleeps must be complete: qemu may lose events.
const TRACED: u32 = 90;

impl Job {
    fn new(name: &str, words: &str, shows: fn(&str) -> bool) -> Self {
        Self { name: name.to_owned(), words: words.to_owned(), shows }
    }

    /// Returns the job of a test program.
    pub(crate) fn test(name: &str) -> Self {
        Self::new(name, &format!("/tests/{name} --quiet"), tests_passed)
    }

    /// Returns the job that tests the fine wait, which prints by what it waits. It runs on one thread, so that lines do
    /// not mix.
    pub(crate) fn pause(waits: Waits) -> Self {
        let shows = match waits {
            Waits::Timed => |text: &str| tests_passed(text) && text.contains("waits by Pausing { way: Timed,"),
            Waits::Resting => |text: &str| tests_passed(text) && rests(text),
            Waits::Events => |text: &str| tests_passed(text) && text.contains("waits by Pausing { way: Events,"),
        };
        Self::new("pause", "/tests/oversleep_sys --nocapture --test-threads=1 wait::pause", shows)
    }

    pub(crate) fn commands() -> Vec<Self> {
        let speaks = |text: &str| text.contains("nanosleep");
        vec![
            Self::new("measure", "/oversleep measure -m all -r 1ms -n 40 --out /tmp/r.arrows", speaks),
            Self::new("report", "/oversleep report /tmp/r.arrows", speaks),
            // Of one method: of all, it would take a slow emulator a quarter of an hour.
            Self::new("one", "/oversleep measure -m nanosleep -r 1ms -n 40 --out /tmp/one.arrows", speaks),
            Self::new("explain", "/oversleep explain /tmp/one.arrows", speaks),
            Self::new("list", "/oversleep list", speaks),
            Self::new("traced", "/oversleep trace -r 1ms -n 100", traced),
        ]
    }
}

/// Returns the number between two texts on one line.
fn number(text: &str, before: &str, after: &str) -> Option<u32> {
    text.lines().find_map(|line| line.split_once(before)?.1.split_once(after)?.0.parse().ok())
}

/// Returns whether at least one test passed and none failed: with a filter that matches nothing, a run passes too.
fn tests_passed(text: &str) -> bool {
    number(text, "test result: ok. ", " passed").is_some_and(|count| count > 0)
}

/// Returns whether the timed wait rests. A wait that ends at once needs as many clock readings as the spinning hint,
/// some ten thousand; one that rests needs them only in its last microsecond. With a wrong time, it would end too late.
fn rests(text: &str) -> bool {
    let late_and_looks = |way: &str| {
        let late = number(text, way, " ns late after ")?;
        Some((late, number(text, &format!("{way}{late} ns late after "), " looks at the clock")?))
    };
    late_and_looks("Timed: ")
        .zip(late_and_looks("Hint: "))
        .is_some_and(|((late, looks), (_, hint))| late < 1_000 && looks * 10 < hint)
}

/// Returns whether the trace is of kernel events and nearly all sleeps are complete.
fn traced(text: &str) -> bool {
    let whole = number(text, "Complete: ", " of 100 traced sleeps");
    text.contains("Tier: kernel events") && whole.is_some_and(|count| count >= TRACED)
}

/// Returns the errors in what the guest printed.
pub(crate) fn faults(jobs: &[Job], console: &str) -> Vec<String> {
    let mut faults: Vec<String> = jobs.iter().filter_map(|job| fault(job, console)).collect();
    if !(console.contains("\n== the end\n") && console.contains("reboot: Power down")) {
        faults.push("the guest did not switch itself off".to_owned());
    }
    faults
}

fn fault(job: &Job, console: &str) -> Option<String> {
    let name = &job.name;
    let Some((_, after)) = console.split_once(&format!("\n== {name}\n")) else {
        return Some(format!("{name}: never began"));
    };
    let Some((text, status)) = after.split_once(&format!("\n== {name}: exit ")) else {
        return Some(format!("{name}: never ended"));
    };
    match status.lines().next() {
        Some("0") if (job.shows)(text) => None,
        Some("0") => Some(format!("{name}: not the output expected")),
        Some(status) => Some(format!("{name}: exit {status}")),
        None => Some(format!("{name}: no exit status")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSED: &str = "uname\n\n== pause\nthis processor waits by Pausing { way: Timed, counts: 1 }\n\
                          Timed: 20 ns late after 59 looks at the clock in 300 µs\nHint: 9 ns late after 14397 looks at the clock in 300 µs\n\
                          test result: ok. 5 passed; 0 failed; 0 ignored\n\n== pause: exit 0\n";
    const OFF: &str = "== the end\n[   11.9] reboot: Power down\n";

    #[test]
    fn a_job_that_ended_well_and_showed_what_it_must_is_no_fault() {
        for waits in [Waits::Timed, Waits::Resting] {
            assert_eq!(faults(&[Job::pause(waits)], &format!("{PAUSED}{OFF}")), Vec::<String>::new());
        }
    }

    #[test]
    fn whatever_is_missing_or_other_than_expected_is_named() {
        let of = |waits, console: &str| faults(&[Job::pause(waits)], &format!("{console}{OFF}")).join("; ");
        let timed = |console: &str| of(Waits::Timed, console);
        assert_eq!(timed(&PAUSED.replace("exit 0", "exit 101")), "pause: exit 101");
        assert_eq!(timed(&PAUSED.replace("Timed,", "Events,")), "pause: not the output expected");
        assert_eq!(timed(&PAUSED.replace("5 passed", "0 passed")), "pause: not the output expected");
        assert_eq!(timed(&PAUSED.replace("== pause: exit 0", "")), "pause: never ended");
        assert_eq!(timed("panic\n"), "pause: never began");
        assert_eq!(of(Waits::Events, PAUSED), "pause: not the output expected");
        assert_eq!(of(Waits::Resting, &PAUSED.replace("59", "14390")), "pause: not the output expected");
        assert_eq!(of(Waits::Resting, &PAUSED.replace("20 ns", "1000 ns")), "pause: not the output expected");
        assert_eq!(of(Waits::Resting, &PAUSED.replace("Hint", "Timed")), "pause: not the output expected");
        assert_eq!(faults(&[Job::pause(Waits::Timed)], PAUSED), ["the guest did not switch itself off"]);
    }

    #[test]
    fn a_trace_is_by_events_and_nearly_whole() {
        let text = |count: u32| format!("Complete: {count} of 100 traced sleeps.\nTier: kernel events of a tracefs.\n");
        assert!(traced(&text(100)) && traced(&text(90)));
        assert!(!traced(&text(89)));
        assert!(!traced(&text(100).replace("kernel events", "switch records")));
    }
}
