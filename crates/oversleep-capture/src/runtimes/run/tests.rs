//! Tests a program that hangs together with one that does not.

use super::super::{Launch, ProbeRunProgress, ProbeRunSettings, Starts, run};
use oversleep_os::command;
use oversleep_recording::plan::{Cell, Kind, Pattern, Plan, Turn};
use oversleep_recording::{End, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Takes no time over its sleeps: its rows are numbers that it makes up, on a clock of its own.
const WORKS: &str = "echo '# oversleep-probe 1 clock=own'; t=0
    while read -r r n; do
        if [ $r = anchor ]; then echo '# anchor 0'; continue; fi
        i=0; while [ $i -lt $n ]; do echo $r,$t,$((t+=1000)); i=$((i+1)); done
        echo
    done";

/// A sink that collects the samples and notes of a run.
#[derive(Default)]
struct CollectingSink {
    samples: Vec<Sample>,
    note: Note,
}

impl Sink for CollectingSink {
    fn samples(&mut self, batch: &[Sample]) {
        self.samples.extend_from_slice(batch);
    }

    fn note(&mut self, note: &Note) {
        self.note.absorb(note.clone());
    }
}

/// Runs programs, two turns of three sleeps each; returns the recording and the order of turns and starts.
fn run_programs(programs: &[(&str, String)], settings: &ProbeRunSettings) -> (CollectingSink, Vec<String>) {
    let cell = |(at, (name, _)): (usize, &(&str, String))| {
        Cell::new(u32::try_from(at).expect("a few"), (*name).to_owned(), Pattern::fixed(Nanos::MILLISECOND))
    };
    let cells: Vec<Cell> = programs.iter().enumerate().map(cell).collect();
    let turns = cells.iter().flat_map(|cell| [Turn { cell: cell.id, sleeps: 3 }; 2]).collect();
    let plan = Plan { kind: Kind::Measure, cells, turns, seed: 1 };
    let launch = |(name, line): &(&str, String)| Launch::Command {
        method: (*name).to_owned(),
        line: line.clone(),
        asked: (String::new(), 0),
    };
    let launches: Vec<Launch> = programs.iter().map(launch).collect();
    let (mut kept, mut seen) = (CollectingSink::default(), Vec::new());
    let mut progress = |progress: ProbeRunProgress<'_>| {
        seen.push(format!("{} {} {}", progress.next, progress.turns_done, progress.left.get() / 1_000_000));
    };
    let end = run(&plan, &launches, settings, &mut kept, &mut progress).expect("threads");
    assert_eq!(kept.note.end, Some(end));
    (kept, seen)
}

/// Returns a program that writes its process and that of its child to a file, and says nothing.
fn hangs(file: &Path) -> String {
    format!("sleep 1000 & echo $$ $! >> '{}'; wait", file.display())
}

fn is_there(id: &str) -> bool {
    Command::new("sh").args(["-c", &format!("kill -0 {id} 2>/dev/null")]).status().expect("a shell").success()
}

/// Asserts that these processes end. Those that a program started are ended with it, but their parent collects them.
fn assert_ended(file: &Path, starts: usize) {
    let text = fs::read_to_string(file).expect("it was started");
    assert_eq!(text.lines().count(), starts, "{text}");
    let there = || text.split_whitespace().any(is_there);
    let ended = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        !there()
    });
    assert!(ended, "{text}");
}

#[test]
fn a_program_that_hangs_goes_last_and_is_ended_and_the_others_sleep_all_that_was_planned() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("started");
    let programs = [("hangs", hangs(&file)), ("works", WORKS.to_owned())];
    // The program that works goes last of those not set aside, so it has the longer time.
    let starts = Starts { at_first: Nanos::SECOND, at_last: Nanos::from_secs(5) };
    let (kept, seen) = run_programs(&programs, &ProbeRunSettings { starts, ..ProbeRunSettings::default() });
    let started = ["hangs 0 12", "works 0 12"];
    assert_eq!(seen, [&started[..], &["works 0 12", "works 1 9", "hangs 2 6"]].concat());
    assert_eq!(kept.samples.iter().map(|sample| sample.cell).collect::<Vec<_>>(), [1; 6]);
    assert_eq!(kept.note.end, Some(End::Complete));
    let [refused] = &kept.note.unavailable[..] else { panic!("{:?}", kept.note.unavailable) };
    assert_eq!((&*refused.what, &*refused.kind), ("hangs", "failed"));
    // It may be one that prints all six sleeps at its end, each of 2 ms and 50 ms late.
    let why = "hangs: nothing more came within 5.31 s, before its first line; it was ended";
    assert_eq!(refused.why, why);
    let failed: Vec<_> = kept.note.probes.iter().map(|probe| (&*probe.method, probe.failed.is_some())).collect();
    assert_eq!(failed, [("works", false), ("hangs", true)]);
    assert_ended(&file, 2);
}

#[test]
fn a_program_that_the_run_s_time_cuts_off_before_its_first_line_is_not_said_to_hang() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("started");
    let programs = [("hangs", hangs(&file)), ("works", WORKS.to_owned())];
    let starts = Starts { at_first: Nanos::from_secs(60), at_last: Nanos::from_secs(60) };
    // The time is over while it is waited for.
    let time_limit = Some(Nanos::SECOND);
    let (kept, _) = run_programs(&programs, &ProbeRunSettings { time_limit, starts, ..ProbeRunSettings::default() });
    assert_eq!((kept.samples.len(), kept.note.end), (0, Some(End::TimeOver)));
    let [refused] = &kept.note.unavailable[..] else { panic!("{:?}", kept.note.unavailable) };
    assert_eq!(refused.why, "was ended with the run's time (-d), before its first line");
    assert_ended(&file, 1);
}

#[test]
fn a_program_that_hangs_alone_is_waited_for_once() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("started");
    let starts = Starts { at_first: Nanos::ZERO, at_last: Nanos::SECOND };
    let (kept, seen) =
        run_programs(&[("hangs", hangs(&file))], &ProbeRunSettings { starts, ..ProbeRunSettings::default() });
    assert_eq!((seen, kept.samples.len()), (vec!["hangs 0 6".to_owned()], 0));
    assert_eq!((kept.note.unavailable.len(), kept.note.end), (1, Some(End::Complete)));
    assert_ended(&file, 1);
}

/// The run's time ends the second of two blocks.
#[test]
fn a_program_that_the_run_s_time_cuts_off_has_not_failed_if_it_slept() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let slow = WORKS.replace("i=0;", "[ -z \"$i\" ] || sleep 1000; i=0;");
    let settings = ProbeRunSettings { time_limit: Some(Nanos::from_secs(3)), ..ProbeRunSettings::default() };
    let (kept, _) = run_programs(&[("slow", slow)], &settings);
    assert_eq!((kept.samples.len(), kept.note.end), (3, Some(End::TimeOver)));
    assert_eq!(kept.note.unavailable, []);
    assert!(kept.note.probes.iter().all(|probe| probe.failed.is_none()), "{:?}", kept.note.probes);
}

#[test]
fn a_program_that_takes_no_orders_may_be_silent_until_it_has_made_all_its_sleeps() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let silent = "sleep 0.4; echo '# oversleep-probe 1 clock=own'; while read -r r n && [ $r = anchor ]; do echo '# anchor \
                  0'; done; i=0; while [ $i -lt 6 ]; do i=$((i+1)); echo 1000000,$((i*1000000)),$((i*1000000+1000)); done";
    let starts = Starts { at_first: Nanos::ZERO, at_last: Nanos::from_millis(200) };
    let settings = ProbeRunSettings { starts, ..ProbeRunSettings::default() };
    let cell = Cell::new(0, "silent", Pattern::fixed(Nanos::MILLISECOND));
    // These sleeps may take ten seconds, and the program is silent for less than one.
    let turns = vec![Turn { cell: 0, sleeps: 100 }; 2];
    let plan = Plan { kind: Kind::Measure, cells: vec![cell], turns, seed: 1 };
    let launch = Launch::Command { method: "silent".to_owned(), line: silent.to_owned(), asked: (String::new(), 0) };
    let mut sink = CollectingSink::default();
    let end = run(&plan, &[launch], &settings, &mut sink, &mut |_| {}).expect("threads");
    assert_eq!((sink.samples.len(), end), (6, End::Complete));
    let why = sink.note.unavailable.iter().map(|refused| &*refused.why).collect::<Vec<_>>();
    assert!(matches!(why[..], [why] if why.contains("ended after 6 of the 200 sleeps")), "{why:?}");
}

#[test]
fn a_program_that_the_run_s_time_cuts_off_while_it_warms_up_is_not_said_to_hang() {
    if !command::SHELL_IS_POSIX {
        return println!("skipped: there is no `sh`");
    }
    let slow = WORKS.replace("i=0;", "sleep 1000; i=0;");
    let time_limit = Some(Nanos::SECOND);
    let settings = ProbeRunSettings { time_limit, warm_up: 5, ..ProbeRunSettings::default() };
    let (kept, _) = run_programs(&[("slow", slow)], &settings);
    let why: Vec<_> = kept.note.unavailable.iter().map(|refused| refused.why.clone()).collect();
    assert_eq!(why, ["was ended with the run's time (-d), before its first sample"]);
}
