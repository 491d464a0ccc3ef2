//! Simulated experiments: the plan that the command line makes from the same options, and statistics of its oversleeps.

use oversleep_recording::Recording;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::build::{self, Grid};
use oversleep_recording::plan::{Conditions, Load, LoadKind, Pattern, Phase, Plan};
use oversleep_sim::{FrequencyChange, Kernel, ParameterError, Simulation, meta};
use oversleep_sys::units::Nanos;

/// Changed parameters, as with the option `--set`.
pub(super) type Changes<'a> = &'a [(&'a str, &'a str)];

/// Window of random delays before sleeps that are to begin anywhere within a tick.
const WINDOW: Nanos = Nanos::from_millis(20);

/// An experiment on a simulated kernel.
#[derive(Debug, Clone)]
pub(super) struct Experiment<'a> {
    pub(super) preset: &'a str,
    pub(super) set: Vec<(&'a str, &'a str)>,
    method: MethodId,
    pattern: Pattern,
    sleeps: u64,
    busy: u16,
    scattered: bool,
    seed: u64,
}

impl<'a> Experiment<'a> {
    /// Returns Herman's experiment: `sleeps` sleeps, each to the next second of the wall clock.
    pub(super) fn wall_second(preset: &'a str, set: &[(&'a str, &'a str)], sleeps: u64) -> Self {
        Self {
            preset,
            set: set.to_vec(),
            method: MethodId::Usleep,
            pattern: Pattern::Aligned { to: Nanos::SECOND },
            sleeps,
            busy: 0,
            scattered: false,
            seed: 1,
        }
    }

    /// Returns an experiment of `sleeps` sleeps of the same duration, back to back.
    pub(super) fn sleeps(
        preset: &'a str,
        set: &[(&'a str, &'a str)],
        method: MethodId,
        asked: Nanos,
        sleeps: u64,
    ) -> Self {
        Self { method, pattern: Pattern::fixed(asked), ..Self::wall_second(preset, set, sleeps) }
    }

    /// Makes each sleep begin at a random time within a tick.
    pub(super) fn scattered(self) -> Self {
        Self { scattered: true, ..self }
    }

    /// Makes each sleep begin when the one before has ended.
    pub(super) fn back_to_back(self) -> Self {
        Self { scattered: false, ..self }
    }

    /// Adds busy threads.
    pub(super) fn with_busy_threads(self, busy: u16) -> Self {
        Self { busy, ..self }
    }

    /// Sets the seed.
    pub(super) fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    fn plan(&self) -> Plan {
        let conditions = Conditions {
            phase: self.scattered.then_some(Phase::Random { window: WINDOW }),
            load: (self.busy > 0).then_some(Load { threads: self.busy, kind: LoadKind::Spin }),
            ..Conditions::default()
        };
        let row = self.method.row();
        match self.pattern {
            Pattern::Aligned { .. } => build::wall_second(row, self.sleeps, &conditions, self.seed),
            request => {
                let grid = Grid { rows: &[row], requests: &[request], conditions: &[conditions] };
                build::measure(&grid, self.sleeps, self.seed)
            }
        }
    }

    pub(super) fn kernel(&self) -> Result<Kernel, ParameterError> {
        Kernel::preset(self.preset)?.set_all(&self.set)
    }

    /// Runs the experiment and returns its oversleeps, in nanoseconds.
    pub(super) fn late(&self) -> Result<Late, ParameterError> {
        self.late_with(&[])
    }

    /// Runs the experiment while the clock's frequency changes, and returns its oversleeps.
    pub(super) fn late_with(&self, changes: &[FrequencyChange]) -> Result<Late, ParameterError> {
        Ok(self.late_while(&self.kernel()?, changes))
    }

    /// Runs the experiment on another kernel than its preset's, and returns its oversleeps.
    pub(super) fn late_on(&self, kernel: &Kernel) -> Late {
        self.late_while(kernel, &[])
    }

    fn late_while(&self, kernel: &Kernel, changes: &[FrequencyChange]) -> Late {
        let plan = self.plan();
        let mut recording = Recording::new(meta(kernel, &plan));
        Simulation::new(kernel, &plan, plan.seed).changes(changes).run(&mut recording);
        Late(recording.samples.iter().map(|sample| sample.oversleep().as_f64()).collect())
    }

    /// Returns by how much the kernel believes its timer faster than it is, in per cent; NaN if it calibrates none.
    pub(super) fn calibration_per_cent(&self) -> Result<f64, ParameterError> {
        let rate = meta(&self.kernel()?, &self.plan()).machine.timekeeping.tick_rate;
        let ratio = rate.and_then(|rate| Some(rate.kernel_hz? as f64 / rate.stated_hz? as f64));
        Ok((ratio.unwrap_or(f64::NAN) - 1.0) * 100.0)
    }

    /// Returns the number of sleeps that end before one hangs.
    pub(super) fn ended(&self) -> Result<usize, ParameterError> {
        Ok(self.late()?.0.len())
    }

    /// Returns the command line that simulates the experiment.
    pub(super) fn command(&self) -> String {
        let mut out = format!("oversleep simulate {}", self.preset);
        for (name, value) in &self.set {
            out += &format!(" --set {name}={value}");
        }
        match self.pattern {
            Pattern::Aligned { .. } => out += " -e wall-second",
            _ => out += &format!(" -m {} -r {}", self.method.name(), plain(self.pattern.typical())),
        }
        out += &format!(" -n {}", self.sleeps);
        if self.busy > 0 {
            out += &format!(" -l {}", self.busy);
        }
        if self.scattered {
            out += &format!(" --phase random:{}", plain(WINDOW));
        }
        if self.seed != 1 {
            out += &format!(" --seed {}", self.seed);
        }
        out
    }
}

/// Formats a duration for the command line.
pub(super) fn plain(duration: Nanos) -> String {
    let ns = duration.get();
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let whole = units.iter().find(|(unit, _)| ns >= *unit && ns % unit == 0);
    whole.map_or_else(|| format!("{ns}ns"), |(unit, name)| format!("{}{name}", ns / unit))
}

/// Oversleeps in nanoseconds, in order.
#[derive(Debug, Clone)]
pub(super) struct Late(pub(super) Vec<f64>);

impl Late {
    pub(super) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn greatest(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    pub(super) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    pub(super) fn sd(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        (squares / (self.0.len() as f64 - 1.0).max(1.0)).sqrt()
    }

    /// Returns the oversleeps in this range of sleeps.
    pub(super) fn part(&self, range: std::ops::Range<usize>) -> Self {
        Self(self.0[range.start.min(self.0.len())..range.end.min(self.0.len())].to_vec())
    }

    /// Returns the sleeps at which the oversleep falls by more than half a tick of 100 Hz: the teeth of the sawtooth.
    pub(super) fn falls(&self) -> Vec<usize> {
        (1..self.0.len()).filter(|&at| self.0[at - 1] - self.0[at] > TOOTH).collect()
    }

    /// Returns by how much the oversleep grows per sleep, without the teeth, in microseconds.
    pub(super) fn slope_us(&self) -> f64 {
        let steps: Vec<f64> =
            self.0.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| step.abs() < TOOTH).collect();
        steps.iter().sum::<f64>() / steps.len().max(1) as f64 / 1e3
    }

    /// Returns the share of oversleeps below a limit.
    pub(super) fn share_below(&self, limit: f64) -> f64 {
        self.0.iter().filter(|late| **late < limit).count() as f64 / self.0.len().max(1) as f64
    }
}

const TOOTH: f64 = 5e6;
