//! `stalls`: says when a processor was taken from a thread that spins without pause, for how long, and by what.

use super::measure::Samples;
use crate::args::{KeepArgs, OutputArgs, OverArgs, values};
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::say::say;
use crate::{running, show};
use clap::Args as ClapArgs;
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
    refuse_unseen(args)?;
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

/// Refuses to count stalls that are too short to be recorded.
fn refuse_unseen(args: &StallsArgs) -> Result<(), Failure> {
    match args.over.over.zip(args.threshold) {
        Some((over, threshold)) if over < threshold => Err(Failure::usage(format!(
            "--over {over:#} counts no stalls shorter than --threshold {threshold:#}, as they are not recorded; give a longer one"
        ))),
        _ => Ok(()),
    }
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

/// What `stalls` accepts.
#[derive(ClapArgs)]
pub(crate) struct StallsArgs {
    /// Processors to watch, such as 1 or 1-3, never all of them [default: all but the first]
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<values::Cpus>,
    /// How long to watch, pauses included
    #[arg(long, short, default_value = "10s", value_parser = values::duration, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Nanos,
    /// Share of the time for which a watched processor is kept busy; the rest is left to others [default: 50%]
    #[arg(long, value_parser = share, value_name = "PERCENT", allow_hyphen_values = true)]
    pub(crate) share: Option<f64>,
    /// The period in which a processor is kept busy for that share and then left idle [default: 1s; in real time 100ms]
    #[arg(long, short, value_parser = period, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) interval: Option<Nanos>,
    /// Clock readings further apart than this are a stall [default: 1 µs more than their usual distance]
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) threshold: Option<Nanos>,
    /// Scheduling policy of the watching threads, such as 1 or fifo:1; real time is limited to a share of 90% and an
    /// interval of 1s
    #[arg(long, short, value_name = "POLICY", value_parser = values::policy_here)]
    pub(crate) policy: Option<Policy>,
    /// Record no kernel events: only counters say what took the processor
    #[arg(long)]
    pub(crate) no_trace: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Parses a share: `50%` or `0.5`.
fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is not a share; write 50% or 0.5");
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map_err(|_| wrong())? / 100.0,
        None => text.parse::<f64>().map_err(|_| wrong())?,
    };
    if share > 0.0 && share <= 1.0 { Ok(share) } else { Err("a share must be above 0% and at most 100%".to_owned()) }
}

/// Parses an interval of 1 ms to 10 s: long enough to spin in, short enough to handle Ctrl-C and to save samples often.
fn period(text: &str) -> Result<Nanos, String> {
    let period = values::period(text)?;
    if (Nanos::MILLISECOND..=Nanos::from_secs(10)).contains(&period) {
        Ok(period)
    } else {
        Err("an interval must be 1ms to 10s (1kHz to 0.1Hz)".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        assert_eq!(share("50%"), Ok(0.5));
        assert_eq!(share("0.25"), Ok(0.25));
        assert_eq!(share("100%"), Ok(1.0));
        for wrong in ["", "%", "0", "0%", "-5%", "101%", "1.5", "NaN", "half"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
