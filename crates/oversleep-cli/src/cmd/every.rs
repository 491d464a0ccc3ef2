//! `every`: runs a command on an exact schedule.

mod exits;

use super::background::{Ended, Reporter, until_stopped};
use crate::args::{EveryArgs, WhenLate};
use crate::failure::Failure;
use crate::say::say;
use exits::Exits;
use oversleep::ticker::Disturbed;
use oversleep::{Lateness, Missed, Nanos, Tick, Ticker, WallTicker};
use oversleep_lab::figures::quantile::{Fraction, of_sorted, samples_needed, supports_quantile};
use oversleep_os::command;
use oversleep_os::shared::Children;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// Time that a run under way has after a signal to end by itself: Ctrl-C in a terminal reaches it too.
const PATIENCE: Duration = Duration::from_secs(1);

/// An event of a run of the command.
enum RunEvent {
    /// The command was started at this tick.
    Began(Start),
    /// The command could not be started, for the reason given; the schedule ends.
    Refused(String),
    /// The command ended.
    Ended(ExitStatus),
}

/// The start of a run, from a tick of either clock.
struct Start {
    lateness: Lateness,
    missed: u64,
    disturbed: Disturbed,
}

impl<C> From<Tick<C>> for Start {
    fn from(tick: Tick<C>) -> Self {
        Self { lateness: tick.lateness, missed: tick.missed, disturbed: tick.disturbed }
    }
}

pub(crate) fn run(args: &EveryArgs) -> Result<(), Failure> {
    let missed = match args.missed {
        WhenLate::Skip => Missed::Skip,
        WhenLate::Burst => Missed::Burst,
        WhenLate::Delay => Missed::Delay,
    };
    let command = args.command.clone();
    let count = args.count.unwrap_or(u64::MAX);
    let (period, phase, align) = (args.period, args.offset.unwrap_or_default(), args.align);
    let (mut account, mut exits) = (Account::default(), Exits::default());
    let mut trouble = None;
    let children = Children::default();
    let started = children.clone();
    let ended = until_stopped(
        move |teller| {
            if align {
                let ticker = WallTicker::builder(period).phase(phase).missed(missed).build();
                go(ticker.map(Start::from), count, &command, &started, &teller);
            } else {
                let ticker = Ticker::builder(period).missed(missed).build();
                go(ticker.map(Start::from), count, &command, &started, &teller);
            }
        },
        |run: RunEvent| match run {
            RunEvent::Began(begin) => account.add(&begin),
            RunEvent::Ended(status) => exits.add(status),
            RunEvent::Refused(reason) => trouble = Some(reason),
        },
    )?;
    if ended == Ended::Stopped {
        if let Some(Ok(status)) = children.stop(PATIENCE) {
            exits.add(status);
        }
        exits.forgive_the_interrupted();
    }
    if args.jitter_report {
        say!("{}", account.report());
    }
    if let Some(reason) = trouble {
        return Err(Failure::trouble(reason));
    }
    exits.judge()
}

fn go(
    begins: impl Iterator<Item = Start>,
    count: u64,
    command: &[OsString],
    children: &Children,
    teller: &Reporter<RunEvent>,
) {
    let Some((program, arguments)) = command.split_first() else { return };
    for (begin, _) in begins.zip(0..count) {
        match children.start(Command::new(program).args(arguments)) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                teller.send(RunEvent::Refused(refused(command, &error)));
                return;
            }
        }
        if !teller.send(RunEvent::Began(begin)) {
            return;
        }
        // When a command fails, the schedule goes on. But if it fails because nobody reads its output any more
        // (`| head`), every later run would fail too, so the schedule ends.
        let Some(Ok(status)) = children.wait() else { continue };
        let unread = command::ended_by_pipe(status) || !status.success() && command::output_is_abandoned();
        if unread || !teller.send(RunEvent::Ended(status)) {
            return;
        }
    }
}

/// Returns why the command cannot be started, with a hint if a whole shell line seems to be given as one word.
pub(super) fn refused(command: &[OsString], error: &io::Error) -> String {
    let name = command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
    let line = command.len() == 1 && name.contains(' ') && error.kind() == io::ErrorKind::NotFound;
    let hint = if line { "; leave the quotes out, or hand the line to a shell: -- sh -c '…'" } else { "" };
    format!("cannot run '{name}': {error}{hint}")
}

/// Totals of all runs; `late` holds their latenesses in nanoseconds.
#[derive(Default)]
struct Account {
    late: Vec<i64>,
    missed: u64,
    suspended: Nanos,
    stepped: Nanos,
}

impl Account {
    fn add(&mut self, begin: &Start) {
        self.late.push(begin.lateness.nanos().get());
        self.missed += begin.missed;
        self.suspended = self.suspended.saturating_add(begin.disturbed.suspended);
        self.stepped = self.stepped.saturating_add(begin.disturbed.stepped);
    }

    fn report(&self) -> String {
        let mut late = self.late.clone();
        late.sort_unstable();
        let runs = late.len() as u64;
        let quantile = |p| match of_sorted(&late, p).filter(|_| supports_quantile(runs, p)) {
            Some(ns) => Nanos::new(ns).to_string(),
            None => format!("needs {} runs", samples_needed(p)),
        };
        let worst = late.last().map_or_else(String::new, |ns| format!(", worst {}", Nanos::new(*ns)));
        let mut text = format!(
            "{runs} runs, {} skipped; late by: p50 {}, p99 {}{worst}",
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
    use oversleep::Moment;

    #[test]
    fn the_account_adds_up_and_keeps_quiet_about_few() {
        let mut account = Account::default();
        for n in 1..=20 {
            let moment = |us: u64| Moment::from_nanos(Nanos::from_micros(us.cast_signed()));
            account.add(&Start {
                lateness: Lateness::between(moment(0), moment(n)),
                missed: u64::from(n == 7) * 3,
                disturbed: Disturbed::default(),
            });
        }
        assert_eq!(account.report(), "20 runs, 3 skipped; late by: p50 10.0 µs, p99 needs 299 runs, worst 20.0 µs");
        assert!(Account::default().report().contains("0 runs"));
    }
}
