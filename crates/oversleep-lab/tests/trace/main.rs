//! Traced sleeps on this machine. Nothing here tests how late a sleep is, only that statements about it are true.
//!
//! All are on processor 0: on the machine where these tests were written, the idle loop of the other processor is
//! hidden from the trace.

mod attached;
mod control_group;
mod hog;
mod quota;
mod round_trip;
mod slack;
mod stopped;

use oversleep_lab::analysis::attribution::{Breakdown, traced_cells};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::capture::trace::{TraceRunSettings, run};
use oversleep_os::trace::Setup;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::build::{self, Blocks, Grid};
use oversleep_recording::plan::{Conditions, Pattern, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{Meta, Origin, Recording, RefusedTier};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::sync::{Mutex, PoisonError};

/// Options of a run: sleeps to make, and how to trace them.
struct TestRunOptions {
    sleeps: u64,
    block: u64,
    conditions: Conditions,
    best: Tier,
    setup: Setup,
    stop: Stop,
}

/// What a run recorded.
struct TestRunResults {
    tier: Tier,
    refused: Vec<RefusedTier>,
    obtained: Conditions,
    breakdowns: Vec<Breakdown>,
    untraced: Vec<Nanos>,
    lost: u64,
    interrupted: u64,
    ended: Option<Refusal>,
}

/// Returns options for sleeps of 1 ms on processor 0.
fn options(sleeps: u64) -> TestRunOptions {
    TestRunOptions {
        sleeps,
        block: 50,
        conditions: Conditions { affinity: Some(vec![0]), ..Conditions::default() },
        best: Tier::Events,
        setup: Setup::default(),
        stop: Stop::default(),
    }
}

impl TestRunOptions {
    fn settings(&self) -> TraceRunSettings {
        TraceRunSettings { best: self.best, setup: self.setup, stop: self.stop.clone(), ..TraceRunSettings::default() }
    }

    fn meta(&self) -> Meta {
        let grid = Grid {
            rows: &[MethodId::Nanosleep.row()],
            requests: &[Pattern::fixed(Nanos::MILLISECOND)],
            conditions: std::slice::from_ref(&self.conditions),
        };
        let blocks = Blocks { sleeps: self.sleeps, block: self.block, traced_first: false };
        meta(build::traced(&grid, blocks, 1))
    }
}

fn meta(plan: Plan) -> Meta {
    Meta::new("test", Origin::Live, plan)
}

/// Runs the sleeps with the best available tier.
fn slept(options: &TestRunOptions) -> TestRunResults {
    let mut recording = Recording::new(options.meta());
    let plan = recording.meta.plan.clone();
    run(&plan, &options.settings(), &mut recording);
    let cell = traced_cells(&recording).remove(0);
    TestRunResults {
        tier: cell.tracing.tier,
        refused: cell.tracing.refused.clone(),
        obtained: cell.obtained,
        breakdowns: cell.breakdowns,
        untraced: cell.untraced,
        lost: cell.lost,
        interrupted: cell.interrupted,
        ended: cell.tracing.ended.clone(),
    }
}

/// Runs the sleeps with kernel events, one test at a time; if these are unavailable, prints why.
fn traced(options: &TestRunOptions) -> Option<TestRunResults> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let run = slept(options);
    if run.tier != Tier::Events {
        println!("skipped: {:?}", run.refused);
        return None;
    }
    assert!(run.ended.is_none(), "{:?}", run.ended);
    exact(&run.breakdowns);
    Some(run)
}

/// Checks what holds for every breakdown on any machine.
fn exact(breakdowns: &[Breakdown]) {
    for breakdown in breakdowns.iter().filter(|breakdown| breakdown.is_complete()) {
        assert_eq!(breakdown.sum(), breakdown.oversleep());
        assert!(breakdown.parts.iter().all(|part| part.time >= Nanos::ZERO));
        for part in &breakdown.parts {
            assert!(part.owners.iter().map(|(_, time)| *time).sum::<Nanos>() <= part.time, "{part:?}");
        }
    }
}
