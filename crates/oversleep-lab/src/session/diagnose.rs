//! The plan of a diagnosis: a baseline, and every variant of it that this machine allows.

use super::{Interface, RequestError, method};
use oversleep_capture::{sleeps::probe, trace};
use oversleep_os::settings::{affinity, timer_slack};
use oversleep_recording::Unobtained;
use oversleep_recording::plan::build::{self, Blocks, Grid};
use oversleep_recording::plan::intervene::{Change, LocalMachine, cells};
use oversleep_recording::plan::{Cell, Conditions, Pattern, Plan, Policy};
use oversleep_sys::units::Nanos;

/// A request for a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnoseRequest {
    /// Method of the baseline.
    pub method: String,
    /// Duration of each sleep, as requested.
    pub request: Nanos,
    /// About how long the run takes. If not given: 25 s, beside busy threads 40 s, or longer if twelve blocks need more.
    pub time: Option<Nanos>,
    /// Conditions of every cell, except those that a variant changes.
    pub conditions: Conditions,
    /// Whether the baseline, its slack variants and its real-time variant are traced first.
    pub trace: bool,
    /// Seed of the order in which variants take turns.
    pub seed: u64,
}

/// The plan of a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosePlan {
    /// Cells and turns, traced cells included.
    pub plan: Plan,
    /// Variants that this machine does not allow, with reasons.
    pub unavailable: Vec<Unobtained>,
    /// Time after which the run ends even if it is not complete.
    pub time_limit: Nanos,
    /// Whether some cells are to be traced first.
    pub trace: bool,
}

/// Why a diagnosis cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagnoseError {
    /// The request is invalid.
    Request(RequestError),
    /// The method has no variants to compare with.
    NotComparable {
        /// Name of the method.
        method: &'static str,
    },
    /// The time is too short for enough blocks.
    TooShort {
        /// Number of variants.
        variants: usize,
        /// Least time that they need, in seconds.
        seconds: i64,
    },
    /// The baseline cannot be measured here; with the reason.
    Refused(String),
}

impl DiagnoseError {
    /// Returns one line that says what is wrong and what to do, with options written as in this interface.
    pub fn text(&self, interface: Interface) -> String {
        match self {
            Self::Request(error) => error.text(interface),
            Self::NotComparable { method } => {
                format!("{method} is not one sleep per call, so there is nothing to compare it with")
            }
            Self::TooShort { variants, seconds } => format!(
                "{variants} variants need {} blocks, which take about {seconds} s; use {} {seconds} or a shorter {}",
                build::FEWEST_BLOCKS,
                interface.option("seconds"),
                interface.option("request")
            ),
            Self::Refused(why) => why.clone(),
        }
    }
}

/// Duration of a diagnosis unless another is asked for.
const USUAL: Nanos = Nanos::from_secs(25);
/// The same beside busy threads: sleeps last longer there, and a 99th percentile needs 299 of each.
const USUAL_BESIDE_LOAD: Nanos = Nanos::from_secs(40);
/// Least time limit: a short run may overrun its time, to have a result.
const LEAST_LIMIT: Nanos = Nanos::from_secs(12);
/// Sleeps traced in each traced cell; as many are left untraced, in turns. 400 suffice for a 99th percentile if three
/// of four have complete traces.
const TRACED: u64 = 400;

/// Returns the baseline and every variant that this machine allows, and the variants it does not allow, with the
/// reason.
///
/// # Errors
/// If the method is unknown, has no variants or cannot be had here, or the time is too short.
pub fn plan_diagnosis(request: &DiagnoseRequest) -> Result<DiagnosePlan, DiagnoseError> {
    let row = method(&request.method).map_err(DiagnoseError::Request)?;
    if !row.comparable() {
        return Err(DiagnoseError::NotComparable { method: row.name });
    }
    let conditions = std::slice::from_ref(&request.conditions);
    let grid = Grid { rows: &[row], requests: &[Pattern::fixed(request.request)], conditions };
    let base = build::measure(&grid, 1, request.seed).cells.remove(0);
    probe(&base).map_err(|refusal| DiagnoseError::Refused(format!("{}: {refusal}", row.name)))?;
    let here = LocalMachine {
        cpu: affinity::read().ok().and_then(|cpus| cpus.first().copied()),
        methods: super::methods::here().map(|row| row.name.to_owned()).collect(),
        slack: timer_slack::read().ok(),
    };
    let (cells, unavailable) = allowed(cells(&base, &here));
    let least = build::diagnose_takes(&cells);
    let time = match request.time {
        Some(time) if time < least => {
            let seconds = least.get() / 1_000_000_000 + 1;
            return Err(DiagnoseError::TooShort { variants: cells.len() - 1, seconds });
        }
        Some(time) => time,
        None if request.conditions.load.is_some() => USUAL_BESIDE_LOAD.max(least),
        None => USUAL.max(least),
    };
    let plan = build::diagnose(cells, time, request.seed);
    let traced_too = request.trace && trace::refusal(&plan.cells[0]).is_none();
    let which: Vec<u32> = traceable(&plan).filter(|_| traced_too).map(|cell| cell.id).collect();
    let blocks = Blocks { sleeps: TRACED, block: build::TRACED_BLOCK, traced_first: false };
    let plan = build::with_traced(plan, &which, blocks);
    let time_limit = match request.time {
        Some(time) => limit_of_asked(time, least),
        None => limit(time, least),
    };
    Ok(DiagnosePlan { plan, unavailable, time_limit, trace: request.trace })
}

impl DiagnosePlan {
    /// Returns lines that announce what will be done.
    pub fn announcement(&self, request: &DiagnoseRequest) -> Vec<String> {
        let plan = self.plan.untraced();
        let blocks = plan.turns.len() / plan.cells.len().max(1);
        let sleeps = plan.turns.first().map_or(0, |turn| turn.sleeps);
        let mut lines = Vec::new();
        if self.trace {
            let cells = traceable(&plan).count();
            lines.push(format!("tracing {cells} cells first: {TRACED} sleeps of each traced, as many untraced"));
        }
        lines.push(format!(
            "{} of {}: the baseline and {} variants take turns in random order: {blocks} rounds, in each {} of each",
            request.method,
            request.request,
            plan.cells.len() - 1,
            if sleeps == 1 { "1 sleep".to_owned() } else { format!("{sleeps} sleeps") }
        ));
        lines
    }
}

/// Returns the time limit: 1.25 times the longer of `time` and twice `least`, and at least 12 s. Twice the least time
/// suffices for twelve blocks unless sleeps are extremely late.
fn limit(time: Nanos, least: Nanos) -> Nanos {
    let longest = time.max(least.checked_mul(2).unwrap_or(Nanos::MAX));
    longest.checked_mul(5).map_or(Nanos::MAX, |limit| Nanos::new(limit.get() / 4)).max(LEAST_LIMIT)
}

/// Returns the time limit of a run whose duration was asked for: that duration, unless it is too short for a result.
fn limit_of_asked(time: Nanos, least: Nanos) -> Nanos {
    limit(Nanos::ZERO, least).max(time)
}

/// Probes every variant, so that no time is spent on conditions that would not be obtained.
fn allowed(all: Vec<Cell>) -> (Vec<Cell>, Vec<Unobtained>) {
    let (mut cells, mut no) = (Vec::new(), Vec::new());
    let base = all.first().cloned();
    for cell in all {
        match probe(&cell) {
            Ok(()) => cells.push(Cell { id: u32::try_from(cells.len()).unwrap_or(u32::MAX), ..cell }),
            Err(refusal) => {
                let changes = base.as_ref().map_or_else(Vec::new, |base| Change::between(base, &cell));
                // A refusal known from one change is not repeated for cells that combine it with others.
                let known = no.iter().any(|known: &Unobtained| known.why == refusal.reason());
                if changes.len() == 1 || !known {
                    let words: Vec<_> = changes.iter().map(ToString::to_string).collect();
                    no.push(Unobtained::new(&words.join(", "), &refusal));
                }
            }
        }
    }
    (cells, no)
}

/// Returns the cells that are traced too: the baseline, its slack variants, and its real-time variant.
fn traceable(plan: &Plan) -> impl Iterator<Item = &Cell> {
    let base = &plan.cells[0];
    plan.cells.iter().filter(|cell| match Change::between(base, cell)[..] {
        [] | [Change::Slack { .. }] => true,
        [Change::Policy { policy: Some(policy) }] => matches!(policy, Policy::Fifo { .. }),
        _ => false,
    })
}
