//! A simulated kernel with the parameters that were found, compared with the sleeps in which they were found.

use super::evidence::Rounding;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// Models compared with a recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelOverlay {
    /// One model for each method under one set of conditions.
    pub kernels: Vec<FittedModel>,
    /// Fit of all models together; `None` where there are none.
    pub fit: Option<Fit>,
    /// Sleeps without a model.
    pub left_out: Vec<LeftOut>,
}

/// One model, compared with the sleeps of one method under one set of conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittedModel {
    /// Name of the method.
    pub method: String,
    /// Numbers of the cells.
    pub cells: Vec<u32>,
    /// Parameters of the model.
    #[serde(flatten)]
    pub model: Model,
    /// How well the model predicts the sleeps.
    pub fit: Fit,
    /// Where the diagnosis left the rate open: the possible rates in Hz, of which the model uses the one that fits
    /// best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hz_open: Vec<f64>,
    /// Other rounding rules of a tick kernel, with the share of the variance each would explain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// Another rounding rule, compared with the same sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// Rounding rule.
    pub rule: Rounding,
    /// Share of the variance it explains; below zero where it predicts worse than the mean would.
    pub variance_share: Option<f64>,
}

/// Sleeps for which there is no model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Name of the method.
    pub method: String,
    /// Number of sleeps.
    pub sleeps: usize,
    /// Reason.
    pub why: &'static str,
}

/// How well predicted and measured lateness agree over some sleeps. Residual: measured − predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// Number of sleeps compared.
    pub sleeps: usize,
    /// 1 − mean(residual²) / Var(lateness), the coefficient of determination: 1 is perfect, 0 no better than the mean,
    /// below zero worse. `None` where lateness does not vary.
    pub variance_share: Option<f64>,
    /// 1 − Var(residual) / Var(lateness): the same without the effect of a constant offset. A rule that is wrong by
    /// one whole tick each time has a high value here and not in `variance_share`.
    pub offset_free_share: Option<f64>,
    /// `variance_share` without the 1 % of sleeps whose residuals lie furthest from the median residual, so that rare
    /// late sleeps (which no deterministic model predicts) do not decide it.
    pub trimmed_share: Option<f64>,
    /// 1 − Σ residual² / Σ lateness²: counted from zero, so that a constant lateness counts as something to predict.
    pub level_share: Option<f64>,
    /// Var(prediction) / Var(lateness): near 0 where the model predicts the same for every sleep.
    pub predicted_variance: Option<f64>,
    /// 1st percentile of the residuals, in ns.
    #[serde(rename = "residual_p01_ns")]
    pub p01: i64,
    /// Median of the residuals, in ns.
    #[serde(rename = "residual_p50_ns")]
    pub p50: i64,
    /// 99th percentile of the residuals, in ns.
    #[serde(rename = "residual_p99_ns")]
    pub p99: i64,
    /// Median of the residuals' absolute values, in ns.
    #[serde(rename = "residual_size_p50_ns")]
    pub size: i64,
}

/// The parameters of a model, as found in the samples. Changing a field changes the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Model {
    /// Nominal rate of the tick in Hz; `None` where timers fire between ticks.
    pub hz: Option<f64>,
    /// Length of the tick on the clock, in ns.
    #[serde(rename = "tick_ns")]
    pub tick: Option<f64>,
    /// Rounding rule of a tick kernel.
    pub rule: Option<Rounding>,
    /// Whether timeouts are counted on the timer wheel.
    pub wheel: bool,
    /// Phase of the ticks: time in ns from the group's first start to one of them.
    #[serde(rename = "phase_ns")]
    pub phase: f64,
    /// Ticks added to the kernel's own count, from which the wheel's coarser steps are counted.
    pub count: u32,
    /// Time from the end of a sleep until the program runs, in ns.
    #[serde(rename = "cost_ns")]
    pub cost: f64,
    /// Timer slack, in ns.
    #[serde(rename = "slack_ns")]
    pub slack: f64,
    /// Slack as a share of the request.
    pub share: f64,
    /// Upper limit of that slack, in ns.
    #[serde(rename = "share_cap_ns")]
    pub cap: Option<f64>,
    /// Quantum of the threads ahead in the run queue, in ns, and the number of those threads.
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

/// Returns a share of the request in percent with up to this many decimals; from 10 on as a multiple.
pub fn share_of_request(share: f64, decimals: i32) -> String {
    if share.abs() >= 10.0 {
        return format!("{} times the request", (share * 10.0).round() / 10.0);
    }
    let unit = 10f64.powi(decimals);
    format!("{} % of the request", (share * 100.0 * unit).round() / unit)
}

impl Model {
    /// Returns the kind of kernel as a noun phrase: `a kernel with HZ=250, rounding up, 50.0 µs slack`. Drift
    /// and the cost of a wake-up, which differ a little from group to group, are left out.
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
            parts.push(format!("slack of {}", share_of_request(self.share, 2)));
        }
        if parts.is_empty() {
            "a kernel without tick or slack".to_owned()
        } else {
            format!("a kernel with {}", parts.join(", "))
        }
    }

    /// Returns how much longer the ticks are than nominal, in ppm; `None` without a tick.
    pub fn drift_ppm(&self) -> Option<f64> {
        self.hz.zip(self.tick).map(|(hz, tick)| (tick * hz * 1e-9 - 1.0) * 1e6)
    }
}
