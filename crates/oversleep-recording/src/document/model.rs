//! A simulated kernel with the parameters that were found, laid over the sleeps they were found in.

use super::evidence::Rounding;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// Models laid over a recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelOverlay {
    /// One model for each method under one set of conditions.
    pub kernels: Vec<Laid>,
    /// All of them together; `None` where there are none.
    pub fit: Option<Fit>,
    /// Sleeps no model was laid over.
    pub left_out: Vec<LeftOut>,
}

/// One model over the sleeps of one method under one set of conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Laid {
    /// The method.
    pub method: String,
    /// Its cells.
    pub cells: Vec<u32>,
    /// What the model is made of.
    #[serde(flatten)]
    pub model: Model,
    /// How well it predicts.
    pub fit: Fit,
    /// Where the diagnosis left the rate open: the rates it allows, of which the model has the one that fits best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hz_open: Vec<f64>,
    /// The other rules a tick kernel may round by, and the share of the variance each would explain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// A rule that was not found, laid over the same sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// The rule.
    pub rule: Rounding,
    /// Share of the variance it explains; below zero where it predicts worse than the mean would.
    pub variance_share: Option<f64>,
}

/// Sleeps without a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The method.
    pub method: String,
    /// Its sleeps.
    pub sleeps: usize,
    /// Why.
    pub why: &'static str,
}

/// The match of predicted and measured lateness over some sleeps. Residual: measured − predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// Sleeps compared.
    pub sleeps: usize,
    /// 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
    /// below zero worse. `None` where lateness does not vary.
    pub variance_share: Option<f64>,
    /// 1 − Var(residual) / Var(lateness): the same but for a constant offset, which it forgives. A rule that is wrong by
    /// one whole tick each time passes here and not above.
    pub offset_free_share: Option<f64>,
    /// `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual: what rare late sleeps
    /// (which no deterministic model predicts) do not decide.
    pub trimmed_share: Option<f64>,
    /// 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
    pub level_share: Option<f64>,
    /// Var(prediction) / Var(lateness): near 0 where the model says the same of every sleep.
    pub predicted_variance: Option<f64>,
    /// The residuals' 1st percentile, ns.
    #[serde(rename = "residual_p01_ns")]
    pub p01: i64,
    /// Their median.
    #[serde(rename = "residual_p50_ns")]
    pub p50: i64,
    /// Their 99th percentile.
    #[serde(rename = "residual_p99_ns")]
    pub p99: i64,
    /// The median of their sizes.
    #[serde(rename = "residual_size_p50_ns")]
    pub size: i64,
}

/// A model: what it is made of, as found in the samples. Changing a field changes the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Model {
    /// The tick's nominal rate; `None` where timers fire between ticks.
    pub hz: Option<f64>,
    /// The tick's length on the clock, in ns.
    #[serde(rename = "tick_ns")]
    pub tick: Option<f64>,
    /// How the tick kernel rounds.
    pub rule: Option<Rounding>,
    /// Whether timeouts are counted on the timer wheel.
    pub wheel: bool,
    /// Where the ticks lie: ns from the group's first start to one of them.
    #[serde(rename = "phase_ns")]
    pub phase: f64,
    /// Ticks to add to the kernel's own count, which the wheel's coarser steps are counted from.
    pub count: u32,
    /// From the end of a sleep to the program running, in ns.
    #[serde(rename = "cost_ns")]
    pub cost: f64,
    /// Timer slack, in ns.
    #[serde(rename = "slack_ns")]
    pub slack: f64,
    /// Slack as a share of the request.
    pub share: f64,
    /// And at most, in ns.
    #[serde(rename = "share_cap_ns")]
    pub cap: Option<f64>,
    /// The quantum of threads ahead in the run queue, in ns, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<(f64, u16)>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            hz: None,
            tick: None,
            rule: None,
            wheel: false,
            phase: 0.0,
            count: 0,
            cost: 0.0,
            slack: 0.0,
            share: 0.0,
            cap: None,
            queue: None,
        }
    }
}

impl Model {
    /// Returns what kind of kernel it is, as a noun phrase: `a kernel with HZ=250, rounding up, 50.0 µs slack`. Drift
    /// and the cost of a wake-up, which differ a little from group to group, are not in it.
    pub fn words(&self) -> String {
        let time = |ns: f64| Nanos::from_f64(ns).to_string();
        let mut parts = Vec::new();
        if let Some(hz) = self.hz {
            parts.push(format!("HZ={}", (hz * 10.0).round() / 10.0));
            match self.rule {
                Some(rule) if !self.wheel => parts.push(rule.words().to_owned()),
                _ => parts.push("the timer wheel".to_owned()),
            }
        }
        if let Some((quantum, threads)) = self.queue {
            let noun = if threads == 1 { "thread" } else { "threads" };
            parts.push(format!("{threads} {noun} ahead with quanta of {}", time(quantum)));
        }
        if self.slack >= 1.0 {
            parts.push(format!("{} slack", time(self.slack)));
        }
        if self.share > 0.0 {
            parts.push(format!("slack of {} % of the request", (self.share * 1e4).round() / 1e2));
        }
        if parts.is_empty() {
            "a kernel without tick or slack".to_owned()
        } else {
            format!("a kernel with {}", parts.join(", "))
        }
    }

    /// Returns how much longer its ticks are than their name says, in ppm; `None` without a tick.
    pub fn drift_ppm(&self) -> Option<f64> {
        self.hz.zip(self.tick).map(|(hz, tick)| (tick * hz * 1e-9 - 1.0) * 1e6)
    }
}
