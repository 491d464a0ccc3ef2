//! `every`: a command on an exact schedule.

mod answers;

use super::beside::{Ended, Teller, until_stopped};
use crate::failure::Failure;
use crate::say::say;
use answers::Answers;
use clap::{Args, ValueEnum};
use oversleep::{Missed, Nanos, Period, Tick, Ticker, WallTicker};
use oversleep_lab::figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_os::shell;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus};

/// What to do when the command takes longer than the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Late {
    /// Leave out the runs that were missed
    Skip,
    /// Make up for them, one after the other
    Burst,
    /// Begin the schedule anew
    Delay,
}

/// What `every` can be told.
#[derive(Args)]
pub(crate) struct EveryArgs {
    /// The period, such as 1s or 250ms
    #[arg(value_parser = period)]
    period: Period,
    /// Run when the wall clock shows a multiple of the period, as the second hand moves; otherwise first now
    #[arg(long)]
    align: bool,
    /// With --align: so long after each multiple; negative: before
    #[arg(long, default_value = "0s", requires = "align", allow_hyphen_values = true)]
    phase: Nanos,
    /// Stop after so many runs
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// What to do when the command takes longer than the period
    #[arg(long, value_enum, default_value_t = Late::Skip)]
    missed: Late,
    /// At the end, say how late the runs began
    #[arg(long)]
    jitter_report: bool,
    /// The command
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

fn period(text: &str) -> Result<Period, String> {
    let time: Nanos = text.parse().map_err(|error| format!("{error}"))?;
    Period::every(time).map_err(|error| error.to_string())
}

/// What happens to a run.
enum Run {
    /// The command was started at this tick.
    Began(Tick),
    /// It could not be started, and so no other run will.
    Refused(String),
    /// It ended.
    Ended(ExitStatus),
}

pub(crate) fn run(args: &EveryArgs) -> Result<(), Failure> {
    let missed = match args.missed {
        Late::Skip => Missed::Skip,
        Late::Burst => Missed::Burst,
        Late::Delay => Missed::Delay,
    };
    let command = args.command.clone();
    let count = args.count.unwrap_or(u64::MAX);
    let (period, phase, align) = (args.period, args.phase, args.align);
    let (mut account, mut answers) = (Account::default(), Answers::default());
    let mut trouble = None;
    let ended = until_stopped(
        move |teller| {
            if align {
                go(WallTicker::new(period).phase(phase).missed(missed), count, &command, &teller);
            } else {
                go(Ticker::new(period).missed(missed), count, &command, &teller);
            }
        },
        |run: Run| match run {
            Run::Began(tick) => account.add(&tick),
            Run::Ended(status) => answers.add(status),
            Run::Refused(reason) => trouble = Some(reason),
        },
    )?;
    if ended == Ended::Stopped {
        answers.forgive_the_interrupted();
    }
    if args.jitter_report {
        say!("{}", account.report());
    }
    if let Some(reason) = trouble {
        return Err(Failure::trouble(reason));
    }
    answers.judge()
}

fn go(ticks: impl Iterator<Item = Tick>, count: u64, command: &[OsString], teller: &Teller<Run>) {
    let Some((program, arguments)) = command.split_first() else { return };
    for (tick, _) in ticks.zip(0..count) {
        let mut child = match Command::new(program).args(arguments).spawn() {
            Ok(child) => child,
            Err(error) => {
                teller.tell(Run::Refused(refused(command, &error)));
                return;
            }
        };
        if !teller.tell(Run::Began(tick)) {
            return;
        }
        // A command that fails is its own affair, and the schedule goes on; one that fails because nobody reads what
        // it writes (`| head`) will never do otherwise.
        let Ok(status) = child.wait() else { continue };
        let unread = shell::ended_by_pipe(status) || !status.success() && shell::output_is_abandoned();
        if unread || !teller.tell(Run::Ended(status)) {
            return;
        }
    }
}

/// Why the command cannot be started; a whole line of a shell's as one word is the usual slip.
fn refused(command: &[OsString], error: &io::Error) -> String {
    let name = command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
    let line = command.len() == 1 && name.contains(' ') && error.kind() == io::ErrorKind::NotFound;
    let hint = if line { "; leave the quotes out, or hand the line to a shell: -- sh -c '…'" } else { "" };
    format!("cannot run '{name}': {error}{hint}")
}

/// Latenesses of all runs, in nanoseconds.
#[derive(Default)]
struct Account {
    late: Vec<i64>,
    missed: u64,
    suspended: Nanos,
    stepped: Nanos,
}

impl Account {
    fn add(&mut self, tick: &Tick) {
        self.late.push(tick.lateness.nanos().get());
        self.missed += tick.missed;
        self.suspended = self.suspended.saturating_add(tick.disturbed.suspended);
        self.stepped = self.stepped.saturating_add(tick.disturbed.stepped);
    }

    fn report(&self) -> String {
        let mut late = self.late.clone();
        late.sort_unstable();
        let quantile = |p| {
            let supported = of_sorted(&late, p).filter(|_| supports_quantile(late.len() as u64, p));
            supported.map_or("–".to_owned(), |ns| Nanos::new(ns).to_string())
        };
        let worst = late.last().map_or("–".to_owned(), |ns| Nanos::new(*ns).to_string());
        let mut text = format!(
            "{} runs, {} left out; began after their time: p50 {}, p99 {}, worst {worst}",
            late.len(),
            self.missed,
            quantile(Fraction::P50),
            quantile(Fraction::P99),
        );
        if self.suspended > Nanos::ZERO {
            text += &format!("; the machine was suspended for {}", self.suspended);
        }
        if self.stepped != Nanos::ZERO {
            text += &format!("; the clock was set by {}", self.stepped);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep::{Disturbed, Lateness};

    #[test]
    fn the_account_adds_up_and_keeps_quiet_about_few() {
        let mut account = Account::default();
        for n in 1..=20 {
            account.add(&Tick {
                index: n,
                deadline: Nanos::ZERO,
                lateness: Lateness::between(Nanos::ZERO, Nanos::from_micros(n.cast_signed())),
                missed: u64::from(n == 7) * 3,
                disturbed: Disturbed::default(),
            });
        }
        assert_eq!(account.report(), "20 runs, 3 left out; began after their time: p50 10.0 µs, p99 –, worst 20.0 µs");
        assert!(Account::default().report().contains("0 runs"));
    }

    #[test]
    fn periods_that_cannot_be_kept_are_refused() {
        assert!(period("0s").is_err());
        assert!(period("-1s").is_err());
        assert!(period("soon").is_err());
        assert!(period("1s").is_ok());
    }
}
