//! `every`: runs a command on an exact schedule.

use super::background::{Ended, Reporter, until_stopped};
use crate::args::values;
use crate::failure::Failure;
use crate::say::{notice, say};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use oversleep::ticker::Disturbed;
use oversleep::{Lateness, Missed, Nanos, Period, Tick, Ticker, WallTicker};
use oversleep_lab::figures::quantile::{Fraction, of_sorted, samples_needed, supports_quantile};
use oversleep_os::clock::{self, ClockId};
use oversleep_os::command;
use oversleep_os::shared::Children;
use oversleep_sys::clock::monotonic;
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
    let (entered, processor_time) = (monotonic(), clock::open(ClockId::ProcessCputime).ok());
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
        let used = processor_time.map(|clock| clock.now()).filter(|_| !account.late.is_empty());
        let cost = used.map_or_else(String::new, |used| cost(used, account.late.len(), monotonic() - entered));
        say!("{}{cost}", account.report());
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

/// What to do when the command takes longer than the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenLate {
    /// Skip the runs that were missed
    Skip,
    /// Catch up on them, one after the other
    Burst,
    /// Restart the schedule
    Delay,
}

/// What `every` accepts.
#[derive(ClapArgs)]
pub(crate) struct EveryArgs {
    /// The period, such as 1s or 250ms, or an exact frequency or ratio of seconds, such as 240Hz or 64/48000
    #[arg(value_parser = period)]
    pub(crate) period: Period,
    /// Run when the wall clock shows a multiple of the period; otherwise the first run is now
    #[arg(long)]
    pub(crate) align: bool,
    /// With --align: start this long after each multiple of the period, or before it if negative [default: 0s]
    #[arg(long, value_name = "TIME", requires = "align", allow_hyphen_values = true)]
    pub(crate) offset: Option<Nanos>,
    /// Stop after this many runs
    #[arg(long, short = 'n', value_name = "N", value_parser = values::whole::<u64>(0..))]
    pub(crate) count: Option<u64>,
    /// What to do when the command takes longer than the period: skip the runs that were missed, run them in a burst, or
    /// delay the schedule
    #[arg(long, value_enum, value_name = "HOW", default_value_t = WhenLate::Skip, hide_possible_values = true)]
    pub(crate) missed: WhenLate,
    /// At the end, say how late the ticks came that started the runs
    #[arg(long)]
    pub(crate) jitter_report: bool,
    /// Do not say that some of the runs failed; nothing else is printed without --jitter-report
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}

/// Says what keeping the schedule took of the processor, without the command's own time.
fn cost(used: Nanos, runs: usize, lasted: Nanos) -> String {
    let each = Nanos::from_f64(used.as_f64() / runs as f64);
    let percent = 100.0 * used.as_f64() / lasted.as_f64().max(1.0);
    format!("; oversleep itself took {each} a run, {percent:.2} % of one processor")
}

fn period(text: &str) -> Result<Period, String> {
    // The rate of a ratio is exact, its time is not.
    let ratio = text.split_once('/').filter(|_| text.parse::<Nanos>().is_ok());
    let rate = ratio.and_then(|(frames, rate)| values::frequency(&format!("{rate}/{frames}Hz")));
    if let Some(rate) = rate.or_else(|| values::frequency(text)) {
        return Period::try_from(rate?).map_err(|error| error.to_string());
    }
    let time: Nanos = match text.parse() {
        Ok(time) => time,
        // What is said of the period of a measured schedule holds here too.
        Err(error) => return Err(values::period(text).err().unwrap_or_else(|| error.to_string())),
    };
    Period::try_every(time).map_err(|error| error.to_string())
}

/// A shell's exit status above this means that a signal ended its command.
const BY_SIGNAL: i32 = 128;

/// Counts of runs that ended and that failed.
#[derive(Default)]
struct Exits {
    ended: u64,
    failed: u64,
    /// Number (from 1) and exit status of the last run that failed.
    last_failure: Option<(u64, ExitStatus)>,
}

impl Exits {
    fn add(&mut self, status: ExitStatus) {
        self.ended += 1;
        if !status.success() {
            self.failed += 1;
            self.last_failure = Some((self.ended, status));
        }
    }

    /// Uncounts the last run if a signal ended it. Ctrl-C ends the command too, and the command's end may be counted
    /// before the signal is handled; such a run did not fail.
    fn forgive_the_interrupted(&mut self) {
        let by_signal = |status: ExitStatus| status.code().is_none_or(|code| code > BY_SIGNAL);
        if self.last_failure.is_some_and(|(run, status)| run == self.ended && by_signal(status)) {
            (self.ended, self.failed) = (self.ended - 1, self.failed - 1);
        }
    }

    /// Says how many runs failed, if any did; returns an error if all did.
    fn judge(&self) -> Result<(), Failure> {
        let Self { ended, failed, last_failure: Some((_, last)) } = self else { return Ok(()) };
        match failed {
            0 => {}
            1 if *ended == 1 => return Err(Failure::trouble(format!("the command failed ({last})"))),
            _ if failed == ended => {
                return Err(Failure::trouble(format!("every one of {ended} runs failed, the last with {last}")));
            }
            _ => notice(&format!("{failed} of {ended} runs failed, the last of them with {last}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep::Moment;
    use oversleep_os::command::of_line;

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

    #[test]
    fn periods_that_cannot_be_kept_are_refused() {
        assert!(period("0s").is_err());
        assert!(period("-1s").is_err());
        assert!(period("soon").is_err());
        assert!(period("60").unwrap_err().starts_with("'60' has no unit; write 60Hz for"));
        assert!(period("1s").is_ok());
    }

    /// Judges runs that ended with `codes`; if `interrupted`, a signal ended the schedule after the last one.
    fn judged(codes: &[i32], interrupted: bool) -> Result<(), Failure> {
        let mut exits = Exits::default();
        for code in codes {
            exits.add(of_line(&format!("exit {code}")).status().expect("a shell"));
        }
        if interrupted {
            exits.forgive_the_interrupted();
        }
        exits.judge()
    }

    #[test]
    fn all_that_fail_are_trouble_and_what_a_signal_ended_did_not_fail() {
        assert!(judged(&[], true).is_ok() && judged(&[0, 0], false).is_ok() && judged(&[0, 1], false).is_ok());
        assert!(judged(&[1], false).is_err() && judged(&[1, 7], false).is_err() && judged(&[130], false).is_err());
        assert!(judged(&[130], true).is_ok() && judged(&[1], true).is_err());
        // The failure before the last one is not forgiven.
        assert!(judged(&[130, 130], true).is_err());
    }
}
