//! The waits of a program that knows nothing of it.

use oversleep_lab::capture::attach::{AttachSettings, Target, plan, run};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_os::trace::Setup;
use oversleep_recording::{End, Recording};
use oversleep_sys::units::Nanos;
use std::process::Command;

/// Number of sleeps of the program, each made by a child of its own.
const SLEEPS: usize = 20;

#[test]
fn every_sleep_of_a_program_s_children_is_found_with_its_request() {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("for i in $(seq {SLEEPS}); do sleep 0.004; done")]);
    let target = Target::Start { command, line: "sh".to_owned() };
    let settings =
        AttachSettings { setup: Setup::default(), stop: Stop::default(), time_limit: Some(Nanos::from_secs(60)) };
    let mut recording = Recording::new(crate::meta(plan()));
    let end = match run(target, &settings, &mut recording) {
        Ok(end) => end,
        Err(refusal) => return println!("skipped: {refusal}"),
    };
    let facts = recording.note.attached.as_ref().unwrap();
    if facts.lost > 0 || end != End::Complete {
        return println!("skipped: this machine was too busy: {} events lost, {end:?}", facts.lost);
    }
    assert!(facts.started && facts.ended && facts.under_way == 0, "{facts:?}");
    let cell = recording.meta.plan.cells.iter().find(|cell| cell.method == "sleep: clock_nanosleep").unwrap();
    let sleeps: Vec<_> = recording.of_cell(cell.id).collect();
    assert_eq!(sleeps.len(), SLEEPS);
    for sleep in &sleeps {
        let deadline = sleep.deadline.unwrap();
        assert!(sleep.start < deadline && deadline <= sleep.end, "{sleep:?}");
        // The kernel read its clock between the call and the timer's start: the request is not longer than from the call.
        assert!(sleep.requested <= deadline - sleep.start && sleep.requested >= Nanos::from_millis(3), "{sleep:?}");
    }
    assert!(sleeps.iter().any(|sleep| sleep.requested == Nanos::from_millis(4)), "{sleeps:?}");
    let threads: Vec<i32> = recording.note.attached_threads.iter().map(|thread| thread.tid).collect();
    assert!(threads.iter().all(|tid| *tid != facts.pid), "the shell itself does not sleep: {threads:?}");
    let split: u64 = recording.note.traced_sleeps.iter().map(|block| block.sleeps).sum();
    assert!(split >= SLEEPS as u64, "each has the events around it: {split}");
}
