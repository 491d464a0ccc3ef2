//! `stalls`: says when a processor was taken from a thread that spins without pause, for how long, and by what.

use super::measure::Samples;
use crate::args::StallsArgs;
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::say::say;
use crate::{running, show};
use indicatif::ProgressBar;
use oversleep_lab::capture::stalls::{StallOptions, StallRunProgress, choose_cpus, plan};
use oversleep_lab::session::Runner;
use oversleep_os::cpu;
use oversleep_os::settings::affinity;
use oversleep_recording::End;
use oversleep_recording::plan::Policy;
use oversleep_sys::units::Nanos;

/// Largest share for real-time threads: nothing ordinary runs while they spin, so they must leave the rest of it.
const MOST_IN_REAL_TIME: f64 = 0.9;

/// Watches processors and shows their stalls. Progress is drawn between windows, never while a processor is watched.
pub(crate) fn run(args: &StallsArgs) -> Result<(), Failure> {
    args.output.checks.before(false, None)?;
    args.over.refuse_beside(args.output.csv.then_some("--csv"))?;
    let real_time = guard_real_time(args).map_err(Failure::usage)?;
    let allowed = affinity::read().unwrap_or_else(|_| cpu::online());
    let asked = args.cpus.as_ref().map(|cpus| cpus.0.as_slice());
    let choice = choose_cpus(&allowed, asked, args.share, real_time).map_err(Failure::usage)?;
    let options = StallOptions {
        cpus: choice.watched,
        duration: args.duration,
        period: args.interval.unwrap_or(if real_time { Nanos::from_millis(100) } else { Nanos::SECOND }),
        share: args.share.unwrap_or(0.5),
        threshold: args.threshold,
        policy: args.policy,
        trace: !args.no_trace,
        stop: running::on_signals()?,
    };
    let mut csv = Samples::new(&args.output, &plan(&options));
    let bar = new_bar(args.output.quiet, 30);
    let run = Runner { keep: args.keep.place()?, subscriber: csv.sink(), ..running::unstoppable() };
    let mut results = run.stalls(&options, &choice.left, &mut |progress| draw(&bar, progress))?;
    bar.finish_and_clear();
    if results.note.end == Some(End::Interrupted) {
        say!("interrupted; this is what was seen until then");
    }
    if args.output.csv {
        return csv.close(&results);
    }
    args.over.count(&mut results)?;
    show::print_results(&results, args.output.shown, &args.output.checks)
}

/// Returns whether the policy is a real-time one; refuses one that leaves too little time to other threads.
fn guard_real_time(args: &StallsArgs) -> Result<bool, String> {
    match args.policy {
        Some(Policy::Deadline { .. }) => {
            Err("a deadline policy has a budget of its own, and its pauses would count as stalls; use fifo:1"
                .to_owned())
        }
        Some(policy) if policy.is_real_time() => {
            if args.share.is_some_and(|share| share > MOST_IN_REAL_TIME) {
                return Err("under a real-time policy the share must be at most 90%".to_owned());
            }
            if args.interval.is_some_and(|period| period > Nanos::SECOND) {
                return Err(
                    "under a real-time policy the interval must be at most 1s: nothing else runs in the meantime"
                        .to_owned(),
                );
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn draw(bar: &ProgressBar, progress: StallRunProgress) {
    let (elapsed, remaining) = (progress.elapsed.get(), progress.remaining.get());
    bar.set_length(elapsed.saturating_add(remaining).unsigned_abs());
    bar.set_position(elapsed.unsigned_abs());
    let seconds = (remaining + 999_999_999) / 1_000_000_000;
    bar.set_message(format!("{} stalls, worst {}, about {seconds} s left", progress.stalls, progress.worst));
}
