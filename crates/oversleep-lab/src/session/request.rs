//! Requests for a measurement.

use oversleep_recording::plan::build::TRACED_BLOCK;
use oversleep_recording::plan::{Conditions, Kind, Load, LoadKind, Pattern, Phase, Plan, Policy, PriorityClass, Qos};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A request for a measurement: methods × requests × conditions, or one of the experiments. What is empty or `None`
/// takes the experiment's default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MeasureRequest {
    /// Experiment or check-up; without one every combination of method, request and condition is a cell.
    pub experiment: Option<Kind>,
    /// Names of methods as in the catalogue; `all` stands for every one this build has code for.
    pub methods: Vec<String>,
    /// Requested durations, or ranges from which each sleep draws its own.
    pub requests: Vec<Pattern>,
    /// Number of sleeps of each cell, or of periods of a schedule.
    pub repeats: Option<u64>,
    /// Duration of the run; if [`repeats`](Self::repeats) is not given, as many sleeps are planned as fit.
    #[serde(rename = "duration_ns")]
    pub duration: Option<Nanos>,
    /// Period of a schedule.
    #[serde(rename = "period_ns")]
    pub period: Option<Nanos>,
    /// Shortest request of a sweep.
    #[serde(rename = "from_ns")]
    pub from: Option<Nanos>,
    /// Longest request of a sweep.
    #[serde(rename = "to_ns")]
    pub to: Option<Nanos>,
    /// Scheduling policies; each adds cells.
    pub policies: Vec<Policy>,
    /// Niceness, −20 to 19.
    pub nice: Option<i32>,
    /// Processors that the threads may use.
    pub affinity: Option<Vec<u32>>,
    /// Whether each thread is bound to one of those processors, in turn.
    pub one_cpu_each: bool,
    /// Timer slacks; each adds cells.
    #[serde(rename = "slacks_ns")]
    pub slacks: Vec<Nanos>,
    /// Whether the process's memory is locked.
    pub lock_memory: bool,
    /// Longest tolerated latency of processors to wake up.
    #[serde(rename = "latency_hold_ns")]
    pub latency_hold: Option<Nanos>,
    /// Windows' timer resolutions; each adds cells.
    #[serde(rename = "timer_resolutions_ns")]
    pub timer_resolutions: Vec<Nanos>,
    /// Windows' priority class for the process.
    pub priority_class: Option<PriorityClass>,
    /// The task for which Windows' multimedia scheduler raises the threads' priority.
    pub multimedia_task: Option<String>,
    /// The threads' quality-of-service class, on macOS.
    pub qos: Option<Qos>,
    /// Whether the system is kept from throttling the process's timers.
    pub unthrottled: bool,
    /// Numbers of busy threads; each adds cells.
    pub loads: Vec<u16>,
    /// What busy threads do.
    pub load_kind: Option<LoadKind>,
    /// Number of threads that sleep at once, if more than one.
    pub threads: Option<u16>,
    /// What happens between two sleeps.
    pub phase: Option<Phase>,
    /// Seed of everything random; 1 if not given.
    pub seed: Option<u64>,
    /// How sleeps are traced; `None` if they are not.
    pub trace: Option<TraceRequest>,
}

/// A request to trace sleeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceRequest {
    /// The best evidence to use; kernel events if not given.
    pub tier: Option<Tier>,
    /// Whether only the chain of marks is recorded, without the events that explain the time between them.
    pub marks_only: bool,
    /// Number of sleeps before tracing is turned on or off; 20 if not given.
    pub block: Option<u64>,
    /// Whether the first block is traced.
    pub traced_first: bool,
}

impl TraceRequest {
    pub(super) fn block(&self) -> u64 {
        self.block.unwrap_or(TRACED_BLOCK)
    }
}

impl MeasureRequest {
    /// Returns the experiment: a period alone means a schedule.
    pub fn experiment(&self) -> Option<Kind> {
        self.experiment.or_else(|| self.period.map(|_| Kind::Periodic))
    }

    /// Returns the seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Plan::DEFAULT_SEED)
    }

    /// Returns the number of sleeps: the number asked for, or as many of length `each` as fit into the duration, or
    /// `default`.
    pub(super) fn repeats_of(&self, default: u64, each: Nanos) -> u64 {
        let fitting = |duration: Nanos| (duration.get() / each.get().max(1)).max(1).unsigned_abs();
        self.repeats.or(self.duration.map(fitting)).unwrap_or(default)
    }

    /// Returns what busy threads do.
    pub(super) fn load_kind(&self) -> LoadKind {
        self.load_kind.unwrap_or(LoadKind::Spin)
    }

    /// Returns the conditions of all cells; of lists, the first value.
    pub(super) fn conditions(&self) -> Conditions {
        Conditions {
            policy: self.policies.first().copied(),
            nice: self.nice,
            affinity: self.affinity.clone(),
            one_cpu_each: self.one_cpu_each.then_some(true),
            timer_slack: self.slacks.first().copied(),
            memory_locked: self.lock_memory.then_some(true),
            latency_hold: self.latency_hold,
            timer_resolution: self.timer_resolutions.first().copied(),
            priority_class: self.priority_class,
            multimedia_task: self.multimedia_task.clone(),
            qos: self.qos,
            unthrottled: self.unthrottled.then_some(true),
            load: self.loads.first().map(|&threads| self.load_of(threads)),
            threads: self.threads.filter(|&threads| threads > 1),
            phase: self.phase,
            ..Conditions::default()
        }
    }

    /// Returns every combination of the conditions that were given as lists.
    pub(super) fn all_conditions(&self) -> Vec<Conditions> {
        let mut all = vec![self.conditions()];
        all = crossed(&all, &self.policies, |conditions, &policy| conditions.policy = Some(policy));
        all = crossed(&all, &self.slacks, |conditions, &slack| conditions.timer_slack = Some(slack));
        all = crossed(&all, &self.timer_resolutions, |conditions, &resolution| {
            conditions.timer_resolution = Some(resolution);
        });
        crossed(&all, &self.loads, |conditions, &threads| conditions.load = Some(self.load_of(threads)))
    }

    fn load_of(&self, threads: u16) -> Load {
        Load { threads, kind: self.load_kind() }
    }
}

fn crossed<T>(base: &[Conditions], values: &[T], set: impl Fn(&mut Conditions, &T)) -> Vec<Conditions> {
    if values.is_empty() {
        return base.to_vec();
    }
    let with = |value: &T, conditions: &Conditions| {
        let mut conditions = conditions.clone();
        set(&mut conditions, value);
        conditions
    };
    values.iter().flat_map(|value| base.iter().map(move |conditions| with(value, conditions))).collect()
}
