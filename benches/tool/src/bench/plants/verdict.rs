//! Judges what `explain`, `trace` and `stalls` say about a run by what was planted.

use super::plant::{Log, Plant, SLACK};
use oversleep_sys::units::Nanos;
use serde_json::Value;

/// The verdict on one command's answer about a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Verdict {
    /// Causes or threads that it named, in short.
    pub(super) words: Vec<String>,
    /// Whether it named the plant.
    pub(super) named: bool,
    /// Its size of the plant divided by the true size; `None` if either is not known.
    pub(super) size: Option<f64>,
    /// Causes that it named but that were not there.
    pub(super) false_names: Vec<String>,
}

/// Usual lateness, without a plant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Usual {
    /// Mean lateness in ns, including timer slack.
    pub(super) late: f64,
}

/// Timer slack of a thread by default, in ns.
const DEFAULT_SLACK: f64 = 50e3;
/// Largest constant cost of a wake-up that is believed, in ns.
const COST: f64 = 150e3;
/// Largest relative error of a size that counts as right.
pub(super) const RIGHT: f64 = 0.2;
/// Least mean excess lateness, in ns, with which a size is compared.
const LEAST: f64 = 30e3;
/// Least mean time per sleep, in ns, that a plant took by its own log with which a size is compared: it does not see
/// switches between threads, which take a microsecond or two.
const RESOLUTION: f64 = 10e3;

impl Plant {
    /// Returns the causes that are right answers of `explain` for this plant.
    fn causes(self) -> &'static [&'static str] {
        match self {
            Self::Busy(_) | Self::BusyIdle | Self::Timers | Self::Switches | Self::Memory => &["run-queue"],
            Self::Quota => &["throttled", "run-queue"],
            Self::Stop => &["stopped", "periodic-interference"],
            Self::Slack => &["timer-slack"],
            Self::Hog(..) => &["periodic-interference", "run-queue"],
            Self::Nothing | Self::Ptrace => &[],
        }
    }

    /// Returns the names that kernel events give this plant.
    fn owners(self) -> &'static [&'static str] {
        match self {
            Self::Busy(_) | Self::BusyIdle => &["plant-busy"],
            Self::Quota => &["quota", "sh"],
            Self::Stop => &["stopped"],
            Self::Slack => &["slack"],
            Self::Ptrace => &["stopped", "strace"],
            Self::Hog(..) => &["plant-hog"],
            Self::Timers => &["plant-timers"],
            Self::Switches => &["plant-switch"],
            Self::Memory => &["plant-memory"],
            Self::Nothing => &[],
        }
    }

    fn is_owner(self, name: &str) -> bool {
        let first = name.split(" (").next().unwrap_or_default();
        self.owners().iter().any(|word| *word == first || first.ends_with(word) && word.len() > 2)
    }
}

/// Judges the findings of `explain` by cause and size.
pub(super) fn explained(plant: Plant, document: &Value) -> Verdict {
    let mut verdict = Verdict::default();
    let machine = document["findings"].as_array().into_iter().flatten();
    let cells = document["cells"].as_array().into_iter().flatten();
    let findings = machine.chain(cells.flat_map(|cell| cell["findings"].as_array().into_iter().flatten()));
    for finding in findings {
        let (cause, size) = (text(&finding["cause"]), finding["size"].as_f64().unwrap_or(f64::NAN));
        let planted = plant.causes().contains(&cause);
        let so = match cause {
            "timer-slack" => is_near(size, if plant == Plant::Slack { SLACK.as_f64() } else { DEFAULT_SLACK }),
            "constant-cost" => size <= COST,
            "idle-exit" | "bimodal" | "change-point" | "first-call" => true,
            "periodic-interference" => planted && period(plant, finding),
            _ => planted,
        };
        let words = format!("{cause} {}", size_text(finding, size));
        if planted && so && !(cause == "timer-slack" && plant != Plant::Slack) {
            verdict.named = true;
            verdict.size = (cause == "timer-slack").then(|| size / SLACK.as_f64()).or(verdict.size);
        }
        if !so {
            verdict.false_names.push(words.clone());
        }
        if !verdict.words.contains(&words) && (!so || planted) {
            verdict.words.push(words);
        }
    }
    if verdict.words.is_empty() {
        let open = document["undecided"].as_array().is_some_and(|open| !open.is_empty());
        verdict.words.push(if open { "open" } else { "nothing" }.to_owned());
    }
    verdict
}

/// Returns whether a finding's period is a whole multiple of the plant's; also if the finding has no period.
fn period(plant: Plant, finding: &Value) -> bool {
    let Some(planted) = plant.period() else { return false };
    let evidence = &finding["evidence"];
    let found = ["period_ns", "period_s"].iter().find_map(|key| Some((*key, evidence[*key].as_f64()?)));
    found.is_none_or(|(key, value)| {
        let times = if key == "period_s" { value * 1e9 } else { value } / planted.as_f64();
        is_near(times, times.round().max(1.0)) && (times - times.round()).abs() < 0.05
    })
}

fn size_text(finding: &Value, size: f64) -> String {
    match finding["unit"].as_str() {
        Some("ns") => Nanos::from_f64(size).to_string(),
        unit => format!("{size:.4} {}", unit.unwrap_or_default()),
    }
}

fn is_near(size: f64, truth: f64) -> bool {
    (size / truth - 1.0).abs() <= RIGHT
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Judges a trace by what it says had the processor, sleep by sleep.
pub(super) fn traced(plant: Plant, document: &Value, log: &Log, usual: Option<Usual>) -> Verdict {
    let mut verdict = Verdict::default();
    let sleeps: Vec<Sleep> =
        document["sleeps"].as_array().into_iter().flatten().filter_map(|s| Sleep::read(plant, s)).collect();
    let blamed: f64 = sleeps.iter().map(|sleep| sleep.blamed).sum();
    let beyond: f64 = sleeps.iter().map(|sleep| sleep.late - sleep.slack).sum();
    let touched = sleeps.iter().filter(|sleep| sleep.blamed > 0.0).count();
    let truth = planted(plant, &sleeps, log, usual);
    verdict.size = truth.map(|truth| blamed / truth);
    let is_blamed = blamed > 0.0 && (touched * 10 >= sleeps.len() || blamed >= 0.1 * beyond);
    verdict.named = match truth {
        Some(truth) => blamed >= 0.5 * truth,
        None => is_blamed,
    };
    if plant == Plant::Slack {
        let slack: Vec<f64> = sleeps.iter().map(|sleep| sleep.slack).collect();
        verdict.size = crate::bench::tool::median(&slack).map(|(middle, ..)| middle / SLACK.as_f64());
        verdict.named = verdict.size.is_some_and(|size| (size - 1.0).abs() <= RIGHT);
    }
    let culprits = document["trace"]["culprits"].as_array().into_iter().flatten();
    let mut names: Vec<(String, f64)> = Vec::new();
    for culprit in culprits {
        let (name, time) = (text(&culprit["name"]).to_owned(), culprit["time_ns"].as_f64().unwrap_or(0.0));
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => names.push((name, time)),
        }
    }
    names.sort_by(|a, b| b.1.total_cmp(&a.1));
    let all: f64 = names.iter().map(|(_, time)| time).sum();
    verdict.words = names.iter().take(2).filter(|(_, time)| *time >= 0.1 * all).map(|(name, _)| name.clone()).collect();
    verdict
}

/// A traced sleep; all times in ns.
struct Sleep {
    deadline: f64,
    end: f64,
    late: f64,
    slack: f64,
    /// Time that the trace attributes to the plant.
    blamed: f64,
}

impl Sleep {
    fn read(plant: Plant, sleep: &Value) -> Option<Self> {
        if text(&sleep["complete"]) != "complete" {
            return None;
        }
        let (deadline, end) = (sleep["deadline_ns"].as_f64()?, sleep["end_ns"].as_f64()?);
        let (mut slack, mut blamed) = (0.0, 0.0);
        for part in sleep["parts"].as_array()? {
            let time = part["time_ns"].as_f64()?;
            let kind = text(&part["kind"]);
            if kind == "slack" {
                slack += time;
            } else if plant.is_owner(kind) {
                blamed += time;
            } else {
                let owners = part["owners"].as_array().into_iter().flatten();
                let of_plant = owners.filter(|owner| plant.is_owner(&name(&owner[0])));
                blamed += of_plant.filter_map(|owner| owner[1].as_f64()).sum::<f64>();
            }
        }
        Some(Self { deadline, end, late: end - deadline, slack, blamed })
    }
}

/// Returns an owner's name in the same form as the names of culprits.
fn name(owner: &Value) -> String {
    let task = owner.pointer("/task/comm").and_then(Value::as_str);
    match (task, owner.as_str()) {
        (Some(comm), _) => comm.to_owned(),
        (None, Some("throttled")) => "control group's quota".to_owned(),
        (None, word) => word.unwrap_or_default().to_owned(),
    }
}

/// Returns the time in ns that the plant took from the traced sleeps: by its own log, or as their lateness beyond the
/// usual one.
fn planted(plant: Plant, sleeps: &[Sleep], log: &Log, usual: Option<Usual>) -> Option<f64> {
    if !log.is_empty() {
        let taken = |sleep: &Sleep| {
            // Within the slack nobody keeps the sleeper waiting.
            let since = sleep.deadline + sleep.slack;
            let after = log.partition_point(|(_, to)| to.as_f64() <= since);
            let during = log[after..].iter().take_while(|(from, _)| from.as_f64() < sleep.end);
            during.map(|&stretch| overlap((since, sleep.end), stretch)).sum::<f64>()
        };
        return Some(sleeps.iter().map(taken).sum()).filter(|sum| *sum > RESOLUTION * sleeps.len() as f64);
    }
    if matches!(plant, Plant::Nothing | Plant::Slack | Plant::Ptrace) || sleeps.is_empty() {
        return None;
    }
    let excess = sleeps.iter().map(|sleep| sleep.late).sum::<f64>() / sleeps.len() as f64 - usual?.late;
    (excess > LEAST).then_some(excess * sleeps.len() as f64)
}

fn overlap(a: (f64, f64), b: (Nanos, Nanos)) -> f64 {
    (a.1.min(b.1.as_f64()) - a.0.max(b.0.as_f64())).max(0.0)
}

/// Returns the mean lateness of the sleeps that a document of `trace` lists.
pub(super) fn usual(document: &Value) -> Option<Usual> {
    let sleeps = document["sleeps"].as_array()?;
    let all: Vec<f64> =
        sleeps.iter().filter_map(|sleep| Sleep::read(Plant::Nothing, sleep)).map(|sleep| sleep.late).collect();
    (!all.is_empty()).then(|| Usual { late: all.iter().sum::<f64>() / all.len() as f64 })
}

/// Judges a watch for stalls of one processor; `every` is the period of its windows, `open` how long each is open.
pub(super) fn stalled(plant: Plant, document: &Value, log: &Log, (every, open): (Nanos, Nanos)) -> Verdict {
    let mut verdict = Verdict::default();
    let stalls = &document["stalls"];
    let took: Vec<(&str, f64)> = stalls["took"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|took| (text(&took["cause"]), took["time_ns"].as_f64().unwrap_or(0.0)))
        .collect();
    let all: f64 = took.iter().map(|(_, time)| time).sum();
    let blamed: f64 = took.iter().filter(|(cause, _)| plant.is_owner(cause)).map(|(_, time)| time).sum();
    let watched = &stalls["processors"][0];
    let truth = matches!(plant, Plant::Hog(..)).then(|| in_windows(watched, log, every, open)).flatten();
    verdict.size = truth.map(|truth| blamed / truth);
    verdict.named = truth.map_or(blamed > 0.0 && blamed >= 0.1 * all, |truth| blamed >= 0.5 * truth);
    verdict.words =
        took.iter().take(2).filter(|(_, time)| *time >= 0.1 * all).map(|(cause, _)| (*cause).to_owned()).collect();
    verdict
}

/// Returns how long the plant had the processor within the windows of a watch, in ns; `None` for never.
fn in_windows(watched: &Value, log: &Log, every: Nanos, open: Nanos) -> Option<f64> {
    let (begun, elapsed) = (watched["begun_ns"].as_f64()?, watched["elapsed_ns"].as_f64()?);
    let mut sum = 0.0;
    let mut from = begun;
    while from < begun + elapsed {
        sum += log.iter().map(|&spin| overlap((from, from + open.as_f64()), spin)).sum::<f64>();
        from += every.as_f64();
    }
    (sum > 0.0).then_some(sum)
}
