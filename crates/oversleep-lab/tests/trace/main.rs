//! Traced sleeps on this machine. Nothing here asserts how late a sleep is: only that what is said of it is true.
//!
//! Pinned to processor 0: on the machine these were written on, the idle loop of the other one is hidden from the
//! trace.

mod hog;
mod lost;
mod quota;
mod slack;
mod stall;
mod stopped;

use oversleep_lab::analysis::attribution::Breakdown;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::capture::trace::{Options, Run, Tier, run};
use oversleep_os::trace::Setup;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;
use std::sync::{Mutex, PoisonError};

/// Sleeps of 1 ms on processor 0.
fn options(sleeps: u64) -> Options {
    Options {
        method: MethodId::Nanosleep,
        requested: Nanos::MILLISECOND,
        sleeps,
        block: 50,
        conditions: Conditions { affinity: Some(vec![0]), ..Conditions::default() },
        best: Tier::Events,
        setup: Setup::default(),
        stop: Stop::default(),
    }
}

/// Runs with kernel events, one test at a time; where they cannot be had, says why.
fn traced(options: &Options) -> Option<Run> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let run = run(options).unwrap();
    if run.tier != Tier::Events {
        println!("skipped: {:?}", run.refused);
        return None;
    }
    assert!(run.ended.is_none(), "{:?}", run.ended);
    exact(&run.breakdowns);
    Some(run)
}

/// What holds of every breakdown whatever the machine does.
fn exact(breakdowns: &[Breakdown]) {
    for breakdown in breakdowns.iter().filter(|breakdown| breakdown.is_complete()) {
        assert_eq!(breakdown.sum(), breakdown.oversleep());
        assert!(breakdown.parts.iter().all(|part| part.time >= Nanos::ZERO));
        for part in &breakdown.parts {
            assert!(part.owners.iter().map(|(_, time)| *time).sum::<Nanos>() <= part.time, "{part:?}");
        }
    }
}
