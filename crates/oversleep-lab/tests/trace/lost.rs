//! A ring buffer that is too small makes traces of sleeps partial, but never wrong.

use crate::{options, traced};
use oversleep_lab::analysis::attribution::Complete;
use oversleep_os::trace::Setup;
use oversleep_recording::plan::{Load, LoadKind};

#[test]
fn a_tiny_ring_loses_sleeps_and_says_so() {
    let mut options = options(100);
    options.block = 100;
    options.setup = Setup { buffer_kib: 8, explain: true };
    options.conditions.load = Some(Load { threads: 1, kind: LoadKind::Timers });
    let Some(run) = traced(&options) else { return };
    assert!(run.lost > 0, "100 sleeps fit in 8 KiB?");
    let lost = |complete: &Complete| matches!(complete, Complete::Partial(why) if why.contains("lost"));
    assert!(run.breakdowns.iter().any(|breakdown| lost(&breakdown.complete)));
    println!("{} of 100 complete, {} events lost", run.breakdowns.iter().filter(|b| b.is_complete()).count(), run.lost);
}
