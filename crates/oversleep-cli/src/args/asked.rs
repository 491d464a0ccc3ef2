//! Arguments of `explain` that state figures in place of a recording.

use crate::failure::Failure;
use clap::{Args as ClapArgs, Parser};
use oversleep_recording::asked::{AskedError, AskedPair, Question, Repeated, StatedCondition, StatedSystem, Took};
use std::path::PathBuf;

/// Figures that somebody states, and where they come from.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Without a recording")]
pub(crate) struct AskedArgs {
    /// What was asked for, such as 1ms or 60Hz; 100x1ms if the figures after it are the time of a hundred sleeps in a row; with a
    /// table that does not say it, the request of all rows
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) asked: Vec<Repeated>,
    /// How long it took, after each --asked: values (15.6ms,15.5ms), a range (15ms..31ms), statistics (mean=15.6ms, p50=, p99=, min=, max=,
    /// n=1000), a rate (64/s), a count ('3 of 1000 > 10ms'), two clocks (wall=3h,uptime=90m), a timer interrupt's own lateness (irq=24us); a time
    /// with a sign is a lateness (+60us, max=+250us)
    #[arg(long, value_name = "FIGURES", allow_hyphen_values = true)]
    pub(crate) took: Vec<Took>,
    /// The system, as you would write it: windows, 'Windows 11 24H2', 'macOS 15', freebsd-14, 'linux 5.15 rt', openbsd, esp-idf, chrome; with a
    /// file of another program (cyclictest, rtla timerlat, ...), that of the sleeps in it
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) system: Option<StatedSystem>,
    /// The call, of a system, library or runtime: `usleep`, `Sleep`, `Task.Delay`, `setTimeout`, `asyncio.sleep`, `SDL_Delay`, `vTaskDelay`, ...; with the runtime's version where it matters, as in 'Python 3.12 time.sleep'
    #[arg(long, short, value_name = "CALL")]
    pub(crate) method: Option<String>,
    /// What was in force, may be repeated: background, timeBeginPeriod=1ms, HZ=100, slack=1ns, quota=400ms/1s, load=4, realtime, guest,
    /// suspended=15m, clock-set, idle-off, blocked=1s, periodic, simulated-clock, interrupted, selected
    #[arg(long, value_name = "CONDITION")]
    pub(crate) condition: Vec<StatedCondition>,
}

/// What is stated of the same sleeps after a change.
#[derive(Parser)]
#[command(name = "explain ... --", disable_help_flag = true)]
pub(crate) struct AfterArgs {
    /// A table of them.
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

impl AfterArgs {
    /// Reads the words after `--`. `before`: requests that need not be stated again.
    pub(crate) fn new(words: &[String], before: &[Repeated]) -> Result<Self, Failure> {
        let words = std::iter::once("explain ... --").chain(words.iter().map(String::as_str));
        let mut after = Self::try_parse_from(words)?;
        if after.asked.asked.is_empty() && after.file.is_none() {
            after.asked.asked = before.to_vec();
        }
        Ok(after)
    }
}

impl AskedArgs {
    /// Returns whether anything is stated about sleeps, with or without a file.
    pub(crate) fn is_stated(&self) -> bool {
        !self.asked.is_empty() || self.is_about_their_kind()
    }

    /// Returns whether anything but the request is stated about sleeps.
    pub(crate) fn is_about_their_kind(&self) -> bool {
        self.system.is_some() || self.method.is_some() || !self.condition.is_empty()
    }

    /// Returns the pairs that are stated; `None` if there are none.
    pub(crate) fn pairs(&self) -> Result<Option<Vec<AskedPair>>, Failure> {
        if self.asked.is_empty() && self.took.is_empty() {
            return Ok(None);
        }
        if self.asked.len() != self.took.len() {
            return Err(Failure::usage(AskedError::Pairs { asked: self.asked.len(), took: self.took.len() }));
        }
        let pairs = self.asked.iter().zip(&self.took).map(|(asked, took)| AskedPair::new(*asked, took));
        Ok(Some(pairs.collect::<Result<_, _>>().map_err(Failure::usage)?))
    }

    /// Returns the request that is stated in addition to a file.
    pub(crate) fn request(&self) -> Result<Option<Repeated>, Failure> {
        match (&self.asked[..], self.took.is_empty()) {
            ([], _) => Ok(None),
            ([one], true) => Ok(Some(*one)),
            _ => Err(Failure::usage("figures are stated or in a file: leave out --took or the file")),
        }
    }

    /// Returns the question about these pairs.
    pub(crate) fn question(&self, pairs: Vec<AskedPair>) -> Question {
        Question { pairs, system: self.system.clone(), call: self.method.clone(), conditions: self.condition.clone() }
    }
}
