//! The waits of a program that nobody changed: its loops, and who made it late.

use super::breakdown::PartKind;
use crate::{AttachedProgram, AttachedThread};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// What was found of a program whose waits were recorded; the figures of its waits are those of the cells.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attached {
    /// The program, and its counts besides the samples.
    pub program: AttachedProgram,
    /// Its threads that waited.
    pub threads: Vec<AttachedThread>,
    /// Threads whose waits come again and again, the one with most rounds first.
    pub loops: Vec<Loop>,
    /// Who had the processor while waits were late, the most time first.
    pub culprits: Vec<LateCulprit>,
    /// Number of waits with a complete breakdown; parts and culprits are of these.
    pub separated: u64,
    /// Number of waits without one.
    pub not_separated: u64,
}

/// How the rounds of a loop follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LoopKind {
    /// It waits for the same duration each time: work and lateness add to its period.
    Durations,
    /// It waits until times at equal distances: work and lateness do not add up.
    Deadlines,
}

/// A thread whose waits in one call come again and again. Means over its rounds; waiting, lateness and work sum to the
/// period.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loop {
    /// ID of the cell.
    pub cell: u32,
    /// Number of the thread in the cell.
    pub thread: u16,
    /// Thread ID given by the system.
    pub tid: i32,
    /// Name of the thread.
    pub name: String,
    /// Name of the system call.
    pub call: String,
    /// What it waits for.
    pub kind: LoopKind,
    /// Number of rounds.
    pub rounds: u64,
    /// Number of rounds left out because the thread did something else for more than ten times the requested time.
    pub pauses: u64,
    /// Requested duration, or the distance of the deadlines.
    #[serde(rename = "asked_ns")]
    pub asked: Nanos,
    /// Mean time from the end of a wait to the end of the next.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
    /// Part of it spent waiting as asked.
    #[serde(rename = "waiting_ns")]
    pub waiting: Nanos,
    /// Part of it after the deadline, until the call returned.
    #[serde(rename = "late_ns")]
    pub late: Nanos,
    /// Part of it between waits.
    #[serde(rename = "work_ns")]
    pub work: Nanos,
    /// Parts of the lateness, means over the waits with a complete breakdown, the largest first.
    pub parts: Vec<LoopPart>,
    /// Rate with deadlines in place of durations, if work and lateness stay as they are.
    pub with_deadlines_hz: Option<f64>,
}

/// A part of a loop's lateness.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopPart {
    /// Kind of part.
    pub kind: PartKind,
    /// Mean time.
    #[serde(rename = "mean_ns")]
    pub mean: Nanos,
    /// Who had more than half of it.
    pub mostly: Option<String>,
}

impl Loop {
    /// Returns the rate asked for, per second.
    pub fn asked_hz(&self) -> f64 {
        1.0 / self.asked.as_secs_f64()
    }

    /// Returns the rate reached, per second.
    pub fn reached_hz(&self) -> f64 {
        1.0 / self.period.as_secs_f64()
    }

    /// Returns what the loop asked for, what it got and why, in a sentence.
    pub fn sentence(&self) -> String {
        let ms = |time: Nanos| format!("{:.2}", time.as_f64() / 1e6);
        let shown = |part: &&LoopPart| part.mean >= LEAST_PART;
        let part = |part: &LoopPart| match &part.mostly {
            Some(who) => format!("{} {}: {who}", ms(part.mean), part.kind.name()),
            None => format!("{} {}", ms(part.mean), part.kind.name()),
        };
        let mut parts: Vec<String> = self.parts.iter().filter(shown).map(part).collect();
        let rest: Nanos = self.parts.iter().filter(|part| !shown(part)).map(|part| part.mean).sum();
        if rest >= LEAST_PART && !parts.is_empty() {
            parts.push(format!("{} in smaller parts", ms(rest)));
        }
        // The parts are of the waits that could be split, the lateness is of all.
        let split = ms(self.parts.iter().map(|part| part.mean).sum());
        let of_split =
            if split == ms(self.late) { String::new() } else { format!("{split} where it could be split: ") };
        let parts = if parts.is_empty() { String::new() } else { format!(" ({of_split}{})", parts.join(", ")) };
        let (reached, asked) = (rate(self.reached_hz()), rate(self.asked_hz()));
        let rates = if reached == asked {
            format!("{reached} a second")
        } else {
            format!("{reached} a second instead of {asked}")
        };
        let advice = match (self.kind, self.with_deadlines_hz) {
            (LoopKind::Deadlines, _) => "; it waits until deadlines".to_owned(),
            (LoopKind::Durations, Some(hz)) => format!("; with deadlines {}", rate(hz)),
            (LoopKind::Durations, None) => String::new(),
        };
        let pauses = match self.pauses {
            0 => String::new(),
            1 => "; a pause between rounds is left out".to_owned(),
            many => format!("; {many} pauses between rounds are left out"),
        };
        format!(
            "{rates}: of {} ms per round {} waiting as asked, {} late{parts}, {} work{advice}{pauses}",
            ms(self.period),
            ms(self.waiting),
            ms(self.late),
            ms(self.work),
        )
    }
}

impl Loop {
    /// Returns what to do about the rate, in the language of the program that has this command line, if waiting until deadlines raises it.
    pub fn remedy(&self, command: &str) -> Option<String> {
        let hz = self.with_deadlines_hz.filter(|hz| rate(*hz) != rate(self.reached_hz()) && *hz > self.reached_hz())?;
        let program = command.split(' ').next().and_then(|path| path.rsplit('/').next());
        let names = [program.unwrap_or_default().to_ascii_lowercase(), self.name.to_ascii_lowercase()];
        let is_its = |(language, _): &&(&str, &str)| names.iter().any(|name| name.starts_with(language));
        let (_, how) = UNTIL_DEADLINES.iter().find(is_its)?;
        let who = if self.tid == 0 { "The loop".to_owned() } else { format!("{} ({})", self.name, self.tid) };
        Some(format!(
            "{who} would reach {} a second if it slept until start + n × {:#} instead of for {:#}, so that work and lateness do not \
             add up: {}",
            rate(hz),
            self.asked,
            self.asked,
            how.replace("PERIOD", &self.asked.as_secs_f64().to_string())
        ))
    }
}

/// Least mean of a part that is shown: it rounds to the last digit.
const LEAST_PART: Nanos = Nanos::from_micros(5);

/// How a program waits until deadlines in a language whose programs have such a name, with PERIOD for the seconds between two;
/// the last line is of C, for any other program.
const UNTIL_DEADLINES: [(&str, &str); 4] = [
    (
        "python",
        "in Python `t = time.monotonic()` before the loop, and in it `t += PERIOD; time.sleep(max(0, t - time.monotonic()))`",
    ),
    (
        "ruby",
        "in Ruby `t = Process.clock_gettime(Process::CLOCK_MONOTONIC)` before the loop, and in it \
         `t += PERIOD; sleep([0, t - Process.clock_gettime(Process::CLOCK_MONOTONIC)].max)`",
    ),
    (
        "node",
        "in JavaScript `let t = performance.now()` before the first timer, and then \
         `setTimeout(step, Math.max(0, (t += 1000 * PERIOD) - performance.now()))`",
    ),
    (
        "",
        "on Linux clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, …) with a time to which each round adds PERIOD seconds; elsewhere, \
         or in another language, sleep for what is left until that time",
    ),
];

impl Attached {
    /// Returns what the loop with most rounds can do about its rate, if waiting until deadlines raises it.
    pub fn remedy(&self) -> Option<String> {
        self.loops.iter().find_map(|found| found.remedy(&self.program.command))
    }
}

fn rate(hz: f64) -> String {
    if hz < 10.0 { format!("{hz:.2}") } else { format!("{hz:.1}") }
}

/// Somebody who had the processor while waits were late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateCulprit {
    /// Name of a thread, an interrupt or whatever else it was.
    pub name: String,
    /// Number of waits that it made late.
    pub waits: u64,
    /// Sum of that time.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// Longest time in one wait.
    #[serde(rename = "worst_ns")]
    pub worst: Nanos,
}
